/* Tests of one material - air permeability, stretch, bending, buckling, shear, compression.
 *
 * A test is one specimen, tested once: a curve of points in the order of measurement. A stretch curve goes up
 * and comes back. Points are raw: slack, pre-tension and branches are still there, and the fit removes them.
 * The store only appends tests, as it does runs. SI units. */
#ifndef CB_MATERIAL_TEST_H
#define CB_MATERIAL_TEST_H

#include <stdint.h>

#include "cb_origin.h"

typedef enum cb_test_kind {
  CB_TEST_PERMEABILITY,   /* x: pressure difference [Pa], y: face velocity [m/s] */
  CB_TEST_STRETCH,        /* x: displacement of the clamps [m], y: force [N] */
  CB_TEST_CANTILEVER,     /* x: overhang [m], y: angle of the chord edge-tip below the horizontal [rad] */
  CB_TEST_BENDING_MOMENT, /* x: curvature [1/m], y: moment per width [N m / m = N] */
  CB_TEST_SHEAR,          /* x: shear angle [rad], y: shear force per width [N/m]; both below 0 to one side */
  CB_TEST_COMPRESSION,    /* x: pressure [Pa], y: thickness [m] */
  /* x: by how much the clamps are nearer than the strip is long [m], above 0: it bulges down, below: up; y:
   * force on a clamp along their motion [N], above 0: the strip pulls */
  CB_TEST_BUCKLING
} cb_test_kind;
extern const char *const cb_test_kind_names[]; /* "permeability", "stretch", "cantilever", "bending-moment",
                                                  "shear", "compression", "buckling", NULL */

typedef struct cb_test_point {
  double x, y;
} cb_test_point;

/* An unknown member is "" or 0; an unknown direction or temperature is NAN. */
typedef struct cb_material_test {
  int64_t id;
  char uuid[37];
  int64_t material_id;
  cb_test_kind kind;
  /* The standard or the apparatus, as the mapping names it: "ISO 9237", "ASTM D1388", "KES-FB1". */
  char method[32];
  char specimen[64];    /* which piece; one piece may be tested in several directions or several times */
  double direction_deg; /* of the test in the cloth: 0 = warp, 90 = weft */
  int repeat;           /* from 1 */
  int layers;           /* of cloth, from 1 */
  double area_m2;       /* permeability: free area of the test head */
  double length_m;      /* stretch: gauge length without load; buckling: between the clamps */
  double width_m;       /* stretch, bending, buckling: of the specimen */
  double areal_density_kg_per_m2;
  double temperature_degC;
  double u_x_rel, u_y_rel; /* relative standard uncertainty that all points share: calibration */
  double x_digit, y_digit; /* last digit of the numbers as written, SI; 0: not known */
  cb_origin origin;
  char source[256]; /* citation, or the laboratory */
  char created_at[32];
} cb_material_test;

#endif
