/* Raw data of the FAB, a machine of Browzwear with two clamps, in physics.json of U3M 1.1. Strips lie along
 * length (warp), width (weft) and bias. They are stretched (S) and buckled up (U) and down (D), with the
 * clamps 2 cm (1) and 8 cm (2) apart. The file also has mass and thickness. It gives pairs of distance [cm]
 * and force [gf] in branches, there and back by turns. Every two branches are a cycle. docs/method/fab.md is
 * the page. */
#ifndef EXCH_FAB_H
#define EXCH_FAB_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef enum exch_fab_direction {
  EXCH_FAB_LENGTH,
  EXCH_FAB_WIDTH,
  EXCH_FAB_BIAS,
  EXCH_FAB_DIRECTIONS
} exch_fab_direction;
extern const char *const exch_fab_direction_names[]; /* "L", "W", "B", NULL */

typedef enum exch_fab_kind {
  EXCH_FAB_UP,           /* U1 */
  EXCH_FAB_DOWN,         /* D1 */
  EXCH_FAB_LONG_DOWN,    /* D2 */
  EXCH_FAB_STRETCH,      /* S1 */
  EXCH_FAB_LONG_STRETCH, /* S2 */
  EXCH_FAB_KINDS
} exch_fab_kind;
extern const char *const exch_fab_kind_names[]; /* "U1", "D1", "D2", "S1", "S2", NULL */

#define EXCH_FAB_MAX_CYCLES 8

typedef struct exch_fab_reading {
  double distance_m; /* of the clamps */
  double force_N;    /* above 0: the strip pulls */
  int cycle;         /* from 0 */
} exch_fab_reading;

typedef struct exch_fab_test {
  double length_m, width_m;   /* of the strip between the clamps */
  exch_fab_reading *readings; /* n of them, owned; in the order of the file */
  size_t n, cycles;
} exch_fab_test;

/* A figure that the vendor computed; NAN: the file has none. Its unit is not in the file. */
typedef struct exch_fab_figure {
  const char *name; /* "BendRigidityWarp"; static */
  double value;
  char warning[32]; /* "low-force"; "": none */
} exch_fab_figure;
#define EXCH_FAB_FIGURES 8

typedef struct exch_fab {
  double areal_density_kg_per_m2;
  double thickness_m; /* the vendor's; 0: the file has none */
  exch_fab_test tests[EXCH_FAB_DIRECTIONS][EXCH_FAB_KINDS];
  exch_fab_figure figures[EXCH_FAB_FIGURES];
} exch_fab;

/* Reads n bytes of text; `name` stands for the file in errors. The caller frees *f with exch_fab_clear; on
 * failure it is cleared. Errors: CB_E_PARSE, CB_E_RANGE (a number outside its range, a distance that a strip
 * cannot have), CB_E_NOMEM. */
CB_CHECKED cb_status exch_fab_read(const char *text, size_t n, const char *name, exch_fab *f, cb_err *err);
void exch_fab_clear(exch_fab *f);

/* Whether the vendor warned of the bending of that direction. None is computed for the bias; it counts as
 * warned where length or width is. */
bool exch_fab_low_force(const exch_fab *f, exch_fab_direction d);

#endif
