#include "val_stress_tests.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "val_stress_tests_impl.h"

static sim_body plane(double x, double y, double z, double nx, double ny, double nz) {
  return (sim_body){.shape = SIM_PLANE,
                    .origin_m = {x, y, z},
                    .axis = {nx, ny, nz},
                    .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}};
}

static sim_body ball(double z, double radius_m) {
  return (sim_body){.shape = SIM_SPHERE,
                    .origin_m = {0, 0, z},
                    .axis = {0, 0, 1},
                    .radius_m = radius_m,
                    .friction = {.mu_kinetic = 0.4, .mu_static = 0.4}};
}

/* ---- crumpled, then dropped ---- */

#define CRUMPLE_S 0.4
#define CRUMPLE_M 0.2 /* the sheet's side */
#define BALL_M 0.07

/* Four walls draw in and a lid comes down until the sheet is a ball; then they leave, and it lies on the
 * ground that was 10 cm below. */
static void crumple(hard_lab *lab, double t) {
  sim_body *b = sim_cloth_bodies(lab->cloth);
  const double side = (CRUMPLE_M - BALL_M) / 2 / CRUMPLE_S + 0.01, away = t < CRUMPLE_S ? 1 : -4;
  const double inwards[4][2] = {{side, 0}, {-side, 0}, {0, side}, {0, -side}};
  for (int k = 0; k < 4; k++)
    for (int d = 0; d < 2; d++) b[k + 1].velocity_m_per_s[d] = away * inwards[k][d];
  b[0].velocity_m_per_s[2] = t < CRUMPLE_S ? 0 : t < CRUMPLE_S + 0.05 ? -2 : 0;
  b[5].velocity_m_per_s[2] = t < CRUMPLE_S ? -(CRUMPLE_M / 2 - BALL_M) / CRUMPLE_S : 1;
}

static cb_status crumpled(hard_lab *lab, int vertices, val_stress_test *row, cb_err *err) {
  CB_TRY(hard_lab_init(lab, CRUMPLE_M, 2e-3, vertices, err));
  const double w = CRUMPLE_M / 2 + 4e-3;
  for (int i = 0; i < lab->mesh.n_vertices; i++) { /* so that the way it folds is given */
    double *x = lab->mesh.position_m[i];
    x[2] += 2e-3 * (1 + sin(90 * x[0]) * cos(70 * x[1] + 1));
  }
  const sim_body all[] = {plane(0, 0, 0, 0, 0, 1),  plane(-w, 0, 0, 1, 0, 0),
                          plane(w, 0, 0, -1, 0, 0), plane(0, -w, 0, 0, 1, 0),
                          plane(0, w, 0, 0, -1, 0), plane(0, 0, CRUMPLE_M / 2, 0, 0, -1)};
  memcpy(lab->body, all, sizeof all);
  lab->setup.n_bodies = 6;
  CB_TRY(hard_lab_start(lab, err));
  return hard_run(lab, 0.002, 500, crumple, row, err);
}

/* ---- through a ring ---- */

static void draw_down(hard_lab *lab, double t) {
  (void)t;
  for (int i = 0; i < lab->mesh.n_vertices; i++)
    if (lab->gripped[i])
      memcpy(sim_cloth_velocity(lab->cloth)[i], (double[3]){0, 0, -0.4}, sizeof(double[3]));
}

static cb_status ring(hard_lab *lab, int vertices, val_stress_test *row, cb_err *err) {
  CB_TRY(hard_lab_init(lab, 0.3, 0.022, vertices, err));
  CB_TRY(sim_solid_torus(0.05, 0.02, 48, &lab->solid, err));
  lab->body[0] = (sim_body){
      .shape = SIM_TRIANGLES, .solid = lab->solid, .friction = {.mu_kinetic = 0.15, .mu_static = 0.15}};
  lab->setup.n_bodies = 1;
  for (int i = 0; i < lab->mesh.n_vertices; i++) {
    const double *x = lab->mesh.position_m[i];
    lab->gripped[i] = fabs(x[0]) < 0.012 && fabs(x[1]) < 0.012;
  }
  CB_TRY(hard_lab_start(lab, err));
  return hard_run(lab, 0.002, 350, draw_down, row, err);
}

/* ---- pinched ---- */

#define CLOSE_S 0.2

static void close_in(hard_lab *lab, double t) {
  sim_body *b = sim_cloth_bodies(lab->cloth);
  const double gap =
      lab->body[1].origin_m[2] - lab->body[1].radius_m -
      (lab->body[0].shape == SIM_SPHERE ? lab->body[0].origin_m[2] + lab->body[0].radius_m : 0);
  b[1].velocity_m_per_s[2] = (t < CLOSE_S ? -1 : 1) * (gap - lab->material.thickness_m / 2) / CLOSE_S;
}

/* Bodies close to half of the thickness, and open again. */
static cb_status pinch(hard_lab *lab, sim_body below, int vertices, val_stress_test *row, cb_err *err) {
  CB_TRY(hard_lab_init(lab, 0.08, 1e-3, vertices, err));
  lab->body[0] = below;
  lab->body[1] = ball(0.1 + 0.02, 0.1);
  lab->setup.n_bodies = 2;
  CB_TRY(hard_lab_start(lab, err));
  return hard_run(lab, 0.002, 250, close_in, row, err);
}

static cb_status two_balls(hard_lab *lab, int vertices, val_stress_test *row, cb_err *err) {
  return pinch(lab, ball(-0.1, 0.1), vertices, row, err);
}

static cb_status ball_on_ground(hard_lab *lab, int vertices, val_stress_test *row, cb_err *err) {
  return pinch(lab, plane(0, 0, 0, 0, 0, 1), vertices, row, err);
}

/* ---- materials ---- */

static cb_status material(hard_lab *lab, int which, int vertices, val_stress_test *row, cb_err *err) {
  static const double stretch[] = {1e-2, 1e8}, bending[] = {1e-14, 1e-4}, density[] = {1e-3, 1e2};
  const double k = stretch[which & 1], b = bending[which >> 1 & 1], rho = density[which >> 2 & 1];
  (void)snprintf(row->name, sizeof row->name, "%g N/m, %g N m, %g kg/m2", k, b, rho);
  CB_TRY(hard_lab_init(lab, 0.2, 5e-3, vertices / 4, err));
  lab->material = sim_material_isotropic(rho, k, b);
  lab->material.thickness_m = 1e-3;
  lab->body[0] = ball(-0.05, 0.05);
  lab->body[1] = plane(0, 0, -0.1, 0, 0, 1);
  lab->setup.n_bodies = 2;
  CB_TRY(hard_lab_start(lab, err));
  return hard_run(lab, 0.005, 60, NULL, row, err);
}

static cb_status materials(int vertices, val_stress_tests *out, cb_err *err) {
  for (int which = 0; which < 8; which++) {
    hard_lab lab = {0};
    cb_status st = material(&lab, which, vertices, &out->row[out->n++], err);
    hard_lab_clear(&lab);
    CB_TRY(st);
  }
  return CB_OK;
}

/* ---- all ---- */

static const struct {
  const char *name;
  cb_status (*run)(hard_lab *, int, val_stress_test *, cb_err *);
} moving[] = {
    {"crumpled and dropped", crumpled},
    {"through a ring", ring},
    {"pinched by two balls", two_balls},
    {"pinched by ball and plane", ball_on_ground},
};

static bool wanted(const char *only, const char *name) { return !only || strcmp(only, name) == 0; }

cb_status val_stress_tests_run(int vertices, const char *only, val_stress_tests *out, cb_err *err) {
  *out = (val_stress_tests){.pass = true};
  if (vertices < 50 || vertices > 100000)
    return cb_fail(err, CB_E_RANGE, "stress-tests: vertices = %d: must lie between 50 and 100000", vertices);
  for (size_t k = 0; k < sizeof moving / sizeof *moving; k++) {
    if (!wanted(only, moving[k].name)) continue;
    hard_lab lab = {0};
    val_stress_test *row = &out->row[out->n++];
    (void)snprintf(row->name, sizeof row->name, "%s", moving[k].name);
    cb_status st = moving[k].run(&lab, vertices, row, err);
    hard_lab_clear(&lab);
    CB_TRY(st);
  }
  if (wanted(only, "meshes")) CB_TRY(hard_meshes(out, err));
  if (wanted(only, "watched")) CB_TRY(hard_watched(out, err));
  if (wanted(only, "materials")) CB_TRY(materials(vertices, out, err));
  if (out->n == 0) return cb_fail(err, CB_E_ARG, "stress-tests: there is no case '%s'", only);
  for (int k = 0; k < out->n; k++) {
    out->pass = out->pass && out->row[k].pass;
    out->seconds += out->row[k].seconds;
  }
  return CB_OK;
}
