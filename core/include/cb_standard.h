/* Test standards as data: what a campaign's preset fixes, and how its pulls are evaluated.
 * docs/reference/standards.md gives the source of every number, and names those that could not be confirmed.
 * daq checks a campaign against its standard. fit evaluates by it. */
#ifndef CB_STANDARD_H
#define CB_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

/* A value that the standard fixes, and its tolerance. max = 0: the standard fixes nothing. */
typedef struct cb_allowed {
  double value, min, max;
} cb_allowed;

typedef struct cb_standard {
  const char *name;           /* as in the campaign file: "astm-d1894" */
  const char *title;          /* "ASTM D1894" */
  cb_allowed sled_kg;         /* cart and added mass together */
  cb_allowed contact_area_m2; /* tolerance: our own where docs/reference/standards.md gives none */
  cb_allowed speed_m_per_s;   /* of the pull */
  cb_allowed specimens;       /* = repeats */
  bool fresh;                 /* every repeat is another specimen, pulled once, in one direction */
  double zero_min_s;          /* contact before the pull; 0: not fixed */
  double window_m;            /* sliding over which the kinetic force is averaged; 0: not evaluated so */
  double peak_m;              /* sliding after the breakaway to leave out, where the static peak rings down */
  bool surface;               /* reports MIU and MMD of each way, no static coefficient: KES-FB4 */
  int decimals;               /* of the coefficients */
  size_t n_angles, n_masses;  /* of the lists below; 0: left to the campaign */
  const double *angles_deg;   /* as a campaign lists them */
  const double *added_masses_kg; /* as a campaign lists them */
} cb_standard;

extern const char *const cb_standard_names[]; /* "custom", "astm-d1894", "iso-8295", "tappi-t549", "kes-fb4",
                                                 "chen-2013", NULL */
/* Returns the standard by its index in cb_standard_names. Returns NULL for 0, "custom", which fixes nothing,
 * and for any other number. Standards are static. */
const cb_standard *cb_standard_at(int index);
/* Returns the standard by name; NULL if there is none of that name, or for "custom". */
const cb_standard *cb_standard_find(const char *name);

/* Returns true if value is within the tolerance, or nothing is fixed. Bounds are widened by 1e-9 of their
 * value, so that rounding does not decide. */
bool cb_allowed_has(const cb_allowed *a, double value);

#endif
