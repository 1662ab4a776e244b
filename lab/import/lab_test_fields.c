#include "lab_test_fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cb_num.h"

/* ---- what a mapping may give ---- */

#define COMMON                                                                                             \
  {"material", CB_DIM_NONE, true, 0, 0}, {"specimen", CB_DIM_NONE, false, 0, 0},                           \
      {"direction", CB_DIM_ANGLE, false, -2 * CB_PI, 2 * CB_PI}, {"repeat", CB_DIM_COUNT, false, 1, 1e6},  \
      {"layers", CB_DIM_COUNT, false, 1, 1000}, {"areal_density", CB_DIM_AREAL_DENSITY, false, 1e-4, 100}, \
      {"temperature", CB_DIM_TEMPERATURE, false, 200, 500}, {                                              \
    "origin", CB_DIM_NONE, false, 0, 0                                                                     \
  }

enum { PRESSURE = LAB_TEST_N_COMMON, VELOCITY, FLOW, AREA };
static const fit_table_field permeability_fields[] = {COMMON,
                                                      {"pressure", CB_DIM_PRESSURE, true, 1e-6, 1e7},
                                                      {"velocity", CB_DIM_SPEED, false, 0, 1e3},
                                                      {"flow", CB_DIM_FLOW, false, 0, 1e3},
                                                      {"area", CB_DIM_AREA, false, 1e-8, 100}};

enum {
  DISPLACEMENT = LAB_TEST_N_COMMON,
  CLAMP_DISTANCE,
  STRAIN,
  FORCE,
  FORCE_PER_WIDTH,
  LENGTH,
  STRETCH_WIDTH
};
static const fit_table_field stretch_fields[] = {COMMON,
                                                 {"displacement", CB_DIM_LENGTH, false, -100, 100},
                                                 {"clamp_distance", CB_DIM_LENGTH, false, 0, 100},
                                                 {"strain", CB_DIM_RATIO, false, -1, 100},
                                                 {"force", CB_DIM_FORCE, false, -1e6, 1e6},
                                                 {"force_per_width", CB_DIM_STIFFNESS, false, -1e6, 1e6},
                                                 {"length", CB_DIM_LENGTH, false, 1e-6, 100},
                                                 {"width", CB_DIM_LENGTH, true, 1e-6, 100}};

enum { OVERHANG = LAB_TEST_N_COMMON, CHORD_ANGLE, CANTILEVER_WIDTH, SIDE, BENDING_LENGTH, RIGIDITY };
static const fit_table_field cantilever_fields[] = {
    COMMON,
    {"overhang", CB_DIM_LENGTH, false, 1e-4, 10},
    {"chord_angle", CB_DIM_ANGLE, false, 0, CB_PI / 2},
    {"width", CB_DIM_LENGTH, false, 1e-6, 100},
    {"side", CB_DIM_NONE, false, 0, 0},
    {"bending_length", CB_DIM_LENGTH, false, 1e-4, 10},
    {"flexural_rigidity", CB_DIM_RIGIDITY, false, 1e-12, 1e3}};

enum { CURVATURE = LAB_TEST_N_COMMON, MOMENT_PER_WIDTH, MOMENT_WIDTH };
static const fit_table_field moment_fields[] = {COMMON,
                                                {"curvature", CB_DIM_CURVATURE, true, -1e5, 1e5},
                                                {"moment_per_width", CB_DIM_FORCE, true, -1e3, 1e3},
                                                {"width", CB_DIM_LENGTH, false, 1e-6, 100}};

enum { SHEAR_ANGLE = LAB_TEST_N_COMMON, SHEAR_FORCE_PER_WIDTH, SHEAR_FORCE, SHEAR_WIDTH };
static const fit_table_field shear_fields[] = {COMMON,
                                               {"shear_angle", CB_DIM_ANGLE, true, -1.5, 1.5},
                                               {"force_per_width", CB_DIM_STIFFNESS, false, -1e6, 1e6},
                                               {"force", CB_DIM_FORCE, false, -1e6, 1e6},
                                               {"width", CB_DIM_LENGTH, false, 1e-6, 100}};

enum { COMPRESSION_PRESSURE = LAB_TEST_N_COMMON, COMPRESSION_FORCE, THICKNESS, COMPRESSION_AREA };
static const fit_table_field compression_fields[] = {COMMON,
                                                     {"pressure", CB_DIM_PRESSURE, false, -1e7, 1e7},
                                                     {"force", CB_DIM_FORCE, false, -1e6, 1e6},
                                                     {"thickness", CB_DIM_LENGTH, true, 1e-7, 1},
                                                     {"area", CB_DIM_AREA, false, 1e-8, 100}};

enum { BUCKLING_LENGTH = LAB_TEST_N_COMMON + 3 }; /* the first three as those of a moment */
static const fit_table_field buckling_fields[] = {COMMON,
                                                  {"shortening", CB_DIM_LENGTH, true, -100, 100},
                                                  {"force", CB_DIM_FORCE, true, -1e6, 1e6},
                                                  {"width", CB_DIM_LENGTH, true, 1e-6, 100},
                                                  {"length", CB_DIM_LENGTH, true, 1e-6, 100}};

/* ---- a row as a point ---- */

double lab_test_standard_overhang(double B_Nm, double areal_density_kg_per_m2) {
  return 2 * cbrt(B_Nm / (areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2));
}

/* What is not given is 0 in the struct. */
static double fact(const fit_table *t, size_t field, size_t row) {
  double v = fit_table_number(t, field, row);
  return isnan(v) ? 0 : v;
}

/* The one of several fields that the mapping gives; an error where it is none or more than one. */
static cb_status choose_field(const fit_table *t, const fit_table_field *f, const size_t *of, size_t n,
                              size_t *which, cb_err *err) {
  size_t found = 0;
  char names[120] = "";
  for (size_t i = 0; i < n; i++) {
    cb_text_add(names, sizeof names, ", ", "%s", f[of[i]].name);
    if (fit_table_given(t, of[i])) *which = of[i], found++;
  }
  return found == 1
             ? CB_OK
             : cb_fail(err, CB_E_PARSE, "the mapping gives %zu of the columns %s: exactly one was wanted",
                       found, names);
}

static cb_status permeability_axes(const fit_table *t, lab_test_axes *a, cb_err *err) {
  static const size_t ys[] = {VELOCITY, FLOW};
  a->x = PRESSURE;
  CB_TRY(choose_field(t, permeability_fields, ys, 2, &a->y, err));
  if (a->y == FLOW && !fit_table_given(t, AREA))
    return cb_fail(err, CB_E_PARSE, "a flow without its area: the column 'area' was wanted");
  if (a->y == FLOW) a->needs[0] = AREA;
  return CB_OK;
}

static cb_test_point permeability_point(const fit_table *t, const lab_test_axes *a,
                                        const cb_material_test *test, size_t row) {
  double y = fit_table_number(t, a->y, row);
  (void)test;
  return (cb_test_point){fit_table_number(t, PRESSURE, row),
                         a->y == FLOW ? y / fit_table_number(t, AREA, row) : y};
}

static void permeability_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test,
                               size_t row) {
  (void)a;
  test->area_m2 = fact(t, AREA, row);
}

static cb_status stretch_axes(const fit_table *t, lab_test_axes *a, cb_err *err) {
  static const size_t xs[] = {DISPLACEMENT, CLAMP_DISTANCE, STRAIN}, ys[] = {FORCE, FORCE_PER_WIDTH};
  CB_TRY(choose_field(t, stretch_fields, xs, 3, &a->x, err));
  CB_TRY(choose_field(t, stretch_fields, ys, 2, &a->y, err));
  if (a->x != CLAMP_DISTANCE && !fit_table_given(t, LENGTH))
    return cb_fail(err, CB_E_PARSE, "the column 'length', the gauge length, is missing");
  if (a->x == STRAIN) a->needs[0] = LENGTH;
  if (a->y == FORCE_PER_WIDTH) a->needs[1] = STRETCH_WIDTH;
  return CB_OK;
}

/* Without a gauge length, the clamps' first distance is it. */
static void stretch_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test, size_t row) {
  test->length_m = fact(t, LENGTH, row);
  test->width_m = fact(t, STRETCH_WIDTH, row);
  if (a->x == CLAMP_DISTANCE && test->length_m == 0)
    test->length_m = fit_table_number(t, CLAMP_DISTANCE, row);
}

static cb_test_point stretch_point(const fit_table *t, const lab_test_axes *a, const cb_material_test *test,
                                   size_t row) {
  double x = fit_table_number(t, a->x, row), y = fit_table_number(t, a->y, row);
  if (a->x == CLAMP_DISTANCE) x -= test->length_m;
  if (a->x == STRAIN) x *= test->length_m;
  return (cb_test_point){x, a->y == FORCE_PER_WIDTH ? y * test->width_m : y};
}

static cb_status bending_axes(const fit_table *t, lab_test_axes *a, cb_err *err) {
  (void)t, (void)err;
  *a = (lab_test_axes){.x = LAB_TEST_N_COMMON, .y = LAB_TEST_N_COMMON + 1};
  return CB_OK;
}

static void bending_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test, size_t row) {
  (void)a;
  test->width_m = fact(t, LAB_TEST_N_COMMON + 2, row);
}

static cb_test_point plain_point(const fit_table *t, const lab_test_axes *a, const cb_material_test *test,
                                 size_t row) {
  (void)test;
  return (cb_test_point){fit_table_number(t, a->x, row), fit_table_number(t, a->y, row)};
}

/* Angles of strips whose back lay up go in below zero: the curvature's sign is the cloth's. */
static bool back_up(const fit_table *t, size_t row) {
  return strcmp(fit_table_text(t, SIDE, row), "back") == 0;
}

static cb_status check_sides(const fit_table *t, cb_err *err) {
  for (size_t row = 0; row < fit_table_rows(t) && fit_table_given(t, SIDE); row++) {
    const char *side = fit_table_text(t, SIDE, row);
    if (strcmp(side, "face") != 0 && strcmp(side, "back") != 0)
      return fit_table_fail(t, row, CB_E_PARSE, err,
                            "side '%.40s': face or back, whichever lay up, was wanted", side);
  }
  return CB_OK;
}

/* A bending length or a flexural rigidity is the standards' figure of an overhang at 41.5 degrees. */
static cb_status cantilever_axes(const fit_table *t, lab_test_axes *a, cb_err *err) {
  static const size_t xs[] = {OVERHANG, BENDING_LENGTH, RIGIDITY};
  CB_TRY(check_sides(t, err));
  CB_TRY(choose_field(t, cantilever_fields, xs, 3, &a->x, err));
  if ((a->x == OVERHANG) != fit_table_given(t, CHORD_ANGLE))
    return cb_fail(err, CB_E_PARSE, "an overhang with its 'chord_angle', or a %s without one, was wanted",
                   a->x == RIGIDITY ? "flexural rigidity" : "bending length");
  a->y = a->x == OVERHANG ? CHORD_ANGLE : a->x;
  if (a->x == RIGIDITY) a->needs[0] = LAB_TEST_AREAL_DENSITY;
  return CB_OK;
}

/* As bending_facts, and the digit of the overhang that a figure stands for. */
static void cantilever_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test, size_t row) {
  bending_facts(t, a, test, row);
  if (a->x == OVERHANG) return;
  test->u_y_rel = test->y_digit = 0;
  if (a->x == BENDING_LENGTH) test->x_digit *= 2;
  if (a->x != RIGIDITY) return;
  const double B_Nm = fit_table_number(t, RIGIDITY, row);
  const double overhang_m = lab_test_standard_overhang(B_Nm, test->areal_density_kg_per_m2);
  test->u_x_rel /= 3;
  test->x_digit *= overhang_m / (3 * B_Nm);
}

static cb_test_point cantilever_point(const fit_table *t, const lab_test_axes *a,
                                      const cb_material_test *test, size_t row) {
  cb_test_point p = plain_point(t, a, test, row);
  if (a->x == BENDING_LENGTH) p.x *= 2;
  if (a->x == RIGIDITY) p.x = lab_test_standard_overhang(p.x, test->areal_density_kg_per_m2);
  if (a->x != OVERHANG) p.y = LAB_TEST_STANDARD_ANGLE;
  return back_up(t, row) ? (cb_test_point){p.x, -p.y} : p;
}

static cb_status shear_axes(const fit_table *t, lab_test_axes *a, cb_err *err) {
  static const size_t ys[] = {SHEAR_FORCE_PER_WIDTH, SHEAR_FORCE};
  a->x = SHEAR_ANGLE;
  CB_TRY(choose_field(t, shear_fields, ys, 2, &a->y, err));
  if (a->y == SHEAR_FORCE && !fit_table_given(t, SHEAR_WIDTH))
    return cb_fail(err, CB_E_PARSE, "a force without its width: the column 'width' was wanted");
  if (a->y == SHEAR_FORCE) a->needs[0] = SHEAR_WIDTH;
  return CB_OK;
}

static void shear_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test, size_t row) {
  test->width_m = fact(t, SHEAR_WIDTH, row);
  if (a->y == SHEAR_FORCE) test->y_digit /= test->width_m;
}

static cb_test_point shear_point(const fit_table *t, const lab_test_axes *a, const cb_material_test *test,
                                 size_t row) {
  const cb_test_point p = plain_point(t, a, test, row);
  return a->y == SHEAR_FORCE ? (cb_test_point){p.x, p.y / fit_table_number(t, SHEAR_WIDTH, row)} : p;
}

static cb_status compression_axes(const fit_table *t, lab_test_axes *a, cb_err *err) {
  static const size_t xs[] = {COMPRESSION_PRESSURE, COMPRESSION_FORCE};
  CB_TRY(choose_field(t, compression_fields, xs, 2, &a->x, err));
  a->y = THICKNESS;
  if (a->x == COMPRESSION_FORCE && !fit_table_given(t, COMPRESSION_AREA))
    return cb_fail(err, CB_E_PARSE, "a force without its area: the column 'area' was wanted");
  if (a->x == COMPRESSION_FORCE) a->needs[0] = COMPRESSION_AREA;
  return CB_OK;
}

static void compression_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test,
                              size_t row) {
  test->area_m2 = fact(t, COMPRESSION_AREA, row);
  if (a->x == COMPRESSION_FORCE) test->x_digit /= test->area_m2;
}

static cb_test_point compression_point(const fit_table *t, const lab_test_axes *a,
                                       const cb_material_test *test, size_t row) {
  const cb_test_point p = plain_point(t, a, test, row);
  return a->x == COMPRESSION_FORCE ? (cb_test_point){p.x / fit_table_number(t, COMPRESSION_AREA, row), p.y}
                                   : p;
}

static void buckling_facts(const fit_table *t, const lab_test_axes *a, cb_material_test *test, size_t row) {
  bending_facts(t, a, test, row);
  test->length_m = fact(t, BUCKLING_LENGTH, row);
}

#define FIELDS(list) list, sizeof list / sizeof list[0]
const lab_test_reader lab_test_readers[] = {
    [CB_TEST_PERMEABILITY] = {FIELDS(permeability_fields), permeability_axes, permeability_facts,
                              permeability_point},
    [CB_TEST_STRETCH] = {FIELDS(stretch_fields), stretch_axes, stretch_facts, stretch_point},
    [CB_TEST_CANTILEVER] = {FIELDS(cantilever_fields), cantilever_axes, cantilever_facts, cantilever_point},
    [CB_TEST_BENDING_MOMENT] = {FIELDS(moment_fields), bending_axes, bending_facts, plain_point},
    [CB_TEST_SHEAR] = {FIELDS(shear_fields), shear_axes, shear_facts, shear_point},
    [CB_TEST_COMPRESSION] = {FIELDS(compression_fields), compression_axes, compression_facts,
                             compression_point},
    [CB_TEST_BUCKLING] = {FIELDS(buckling_fields), bending_axes, buckling_facts, plain_point},
};
