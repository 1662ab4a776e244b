/* Test standards as data: what a campaign's preset fixes and how its pulls are evaluated. docs/standards.md says for every number
 * where it comes from, and which could not be confirmed. daq checks a campaign against it, fit evaluates by it. */
#ifndef CB_STANDARD_H
#define CB_STANDARD_H

#include <stdbool.h>
#include <stddef.h>

/* A value the standard fixes, with what it allows; max = 0: it says nothing. */
typedef struct cb_allowed {
  double value, min, max;
} cb_allowed;

typedef struct cb_standard {
  const char *name;              /* as in the campaign file: "astm-d1894" */
  const char *title;             /* "ASTM D1894" */
  cb_allowed sled_kg;            /* cart and added mass together */
  cb_allowed contact_area_m2;    /* what no standard's page gives as a tolerance is ours */
  cb_allowed speed_m_per_s;      /* of the pull */
  cb_allowed specimens;          /* = repeats */
  bool fresh;                    /* every repeat is another specimen, pulled once, in one direction */
  double zero_min_s;             /* contact before the pull; 0: not said */
  double window_m;               /* sliding after the breakaway over which the kinetic force is averaged; 0: not evaluated so */
  double peak_m;                 /* ... without this much after the breakaway, where the static peak rings down */
  int decimals;                  /* of the coefficients */
  size_t n_angles, n_masses;     /* of the lists below; 0: left to the campaign */
  const double *angles_deg;      /* as a campaign lists them */
  const double *added_masses_kg; /* the same */
} cb_standard;

extern const char *const cb_standard_names[]; /* "custom", "astm-d1894", "iso-8295", "chen-2013", NULL */
/* By index in cb_standard_names; NULL for 0 = custom, which fixes nothing, and for any other number. */
const cb_standard *cb_standard_at(int index);
/* NULL: no such standard, or custom. */
const cb_standard *cb_standard_find(const char *name);

/* A relative tolerance for what is computed in doubles: 0.1 * 1e-3 kg * 1000 is still 0.1. */
bool cb_allowed_has(const cb_allowed *a, double value);

#endif
