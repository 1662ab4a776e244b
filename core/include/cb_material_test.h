/* Tests of one material by itself - air permeability, stretch, bending - as they were made, and its laws: what fits made of them, or what
 * came whole.
 *
 * A test is one specimen, tested once: a curve of points in the order in which they were taken (a stretch curve goes up and comes
 * back). Raw means raw: what the fit removes (slack, pre-tension, branches) is still there. Append-only, like runs. SI units. */
#ifndef CB_MATERIAL_TEST_H
#define CB_MATERIAL_TEST_H

#include <stdint.h>

#include "cb_origin.h"

typedef enum cb_test_kind {
  CB_TEST_PERMEABILITY,  /* x: pressure difference [Pa], y: face velocity [m/s] */
  CB_TEST_STRETCH,       /* x: displacement of the clamps [m], y: force [N] */
  CB_TEST_CANTILEVER,    /* x: overhang [m], y: angle of the chord edge-tip below the horizontal [rad] */
  CB_TEST_BENDING_MOMENT /* x: curvature [1/m], y: moment per width [N m / m = N] */
} cb_test_kind;
extern const char *const cb_test_kind_names[]; /* "permeability", "stretch", "cantilever", "bending-moment", NULL */

typedef struct cb_test_point {
  double x, y;
} cb_test_point;

/* What is not known: "", 0; direction and temperature NAN. */
typedef struct cb_material_test {
  int64_t id;
  char uuid[37];
  int64_t material_id;
  cb_test_kind kind;
  char method[32];      /* the standard or the apparatus, as the mapping names it: "ISO 9237", "ASTM D1388", "KES-FB1" */
  char specimen[64];    /* which piece; the same piece may be tested in several directions or several times */
  double direction_deg; /* of the test in the cloth: 0 = warp, 90 = weft */
  int repeat;           /* from 1 */
  int layers;           /* of cloth, from 1 */
  double area_m2;       /* permeability: free area of the test head */
  double length_m;      /* stretch: gauge length without load */
  double width_m;       /* stretch, bending: of the specimen */
  double areal_density_kg_per_m2;
  double temperature_degC;
  double u_x_rel, u_y_rel; /* relative standard uncertainty that all points share: calibration of the instrument */
  double x_digit, y_digit; /* last digit of the numbers as they were written, SI; 0: not known */
  cb_origin origin;
  char source[256]; /* citation, or the laboratory */
  char created_at[32];
} cb_material_test;

/* Elasticity is a body's, the others are a cloth's. */
typedef enum cb_material_law_kind { CB_LAW_PERMEABILITY, CB_LAW_STRETCH, CB_LAW_BENDING, CB_LAW_ELASTICITY } cb_material_law_kind;
extern const char *const cb_material_law_kind_names[]; /* "permeability", "stretch", "bending", "elasticity", NULL */

typedef struct cb_material_law {
  int64_t id;
  int64_t material_id;
  cb_material_law_kind kind;
  char form[32];
  cb_origin origin;
  char source[256];  /* citation; of laws that were imported whole, and of shipped ones */
  char *result_json; /* parameters with units in their keys, uncertainties, verdicts; owned by the caller of put; from find: free() */
  char method[160];
  char created_at[32];
} cb_material_law;

#endif
