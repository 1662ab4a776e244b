#include "val_frame.h"

#include <math.h>
#include <stdlib.h>

#include "cb_plural.h"
#include "cb_time.h"
#include "sim_cloth.h"

#define SIDE_M 0.2
#define STRETCH_N_PER_M 2000
#define BENDING_NM 1e-5

#define TOLERANCE 1e-9
#define MAX_ITERATIONS 200

val_frame val_frame_default(void) {
  val_frame e = {.angle_max_rad = 40 * acos(-1) / 180, .n = 8, .vertices = 400, .seed = 1};
  e.shear.n = SIM_CURVE_MAX;
  for (int k = 0; k < e.shear.n; k++) {
    double strain = 0.5 * k / (SIM_CURVE_MAX - 1);
    e.shear.strain[k] = strain;
    e.shear.stress_N_per_m[k] = 40 * strain + 400 * strain * strain * strain;
  }
  return e;
}

static cb_status check_frame(const val_frame *e, cb_err *err) {
  if (!(e->angle_max_rad > 0 && e->angle_max_rad < acos(-1) / 2))
    return cb_fail(err, CB_E_RANGE, "picture frame: angle = %g rad: must lie between 0 and pi/2",
                   e->angle_max_rad);
  if (e->n < 1 || e->n > VAL_FRAME_POINTS)
    return cb_fail(err, CB_E_RANGE, "picture frame: %d point%s: 1 to %d are wanted", e->n, CB_S(e->n),
                   VAL_FRAME_POINTS);
  if (e->vertices < 4 || e->vertices > 1000000)
    return cb_fail(err, CB_E_RANGE, "picture frame: vertices = %d: must lie between 4 and 1000000",
                   e->vertices);
  return CB_OK;
}

/* Sides turn by gamma/2 each towards the diagonal u = v; *along: how the place changes with gamma. */
static void sheared(const double at[3], double gamma, double out[3], double along[3]) {
  double c = cos(gamma / 2), s = sin(gamma / 2);
  out[0] = c * at[0] + s * at[1];
  out[1] = s * at[0] + c * at[1];
  out[2] = 0;
  along[0] = (-s * at[0] + c * at[1]) / 2;
  along[1] = (c * at[0] - s * at[1]) / 2;
  along[2] = 0;
}

/* Stress as the material has it: straight between its points. */
static double stress_at(const sim_curve *c, double strain) {
  int k = 1;
  while (k < c->n - 1 && strain > c->strain[k]) k++;
  double share = (strain - c->strain[k - 1]) / (c->strain[k] - c->strain[k - 1]);
  return c->stress_N_per_m[k - 1] + share * (c->stress_N_per_m[k] - c->stress_N_per_m[k - 1]);
}

static cb_status shear_once(const val_frame *e, const sim_mesh *mesh, sim_cloth *cloth, const bool *border,
                            double (*force)[3], int k, val_frame_result *out, cb_err *err) {
  const double gamma = e->angle_max_rad * (k + 1) / e->n, before = e->angle_max_rad * k / e->n;
  double(*x)[3] = sim_cloth_position(cloth), to[3], along[3];
  for (int i = 0; i < mesh->n_vertices; i++) {
    sheared(mesh->position_m[i], border[i] ? gamma : before, to, along);
    for (int a = 0; a < 3; a++) x[i][a] = to[a];
  }
  sim_settle_report report;
  CB_TRY(sim_cloth_settle(cloth, TOLERANCE, MAX_ITERATIONS, &report, err));
  out->settled = out->settled && report.outcome == SIM_SETTLED;
  sim_cloth_grip_forces(cloth, force);
  double work = 0; /* per angle */
  for (int i = 0; i < mesh->n_vertices; i++) {
    sheared(mesh->position_m[i], gamma, to, along);
    for (int a = 0; a < 3; a++) work += force[i][a] * along[a];
    out->uneven_m =
        fmax(out->uneven_m, fmax(fabs(x[i][0] - to[0]), fmax(fabs(x[i][1] - to[1]), fabs(x[i][2]))));
  }
  const double lengthening = SIDE_M * sin(acos(-1) / 4 - gamma / 2);
  out->angle_rad[k] = gamma;
  out->force_N[k] = work / lengthening;
  out->reference_N[k] = SIDE_M * SIDE_M * stress_at(&e->shear, sin(gamma) / 2) * cos(gamma) / lengthening;
  out->error = fmax(out->error, fabs(out->force_N[k] / out->reference_N[k] - 1));
  return CB_OK;
}

static cb_status draw_out(const val_frame *e, const sim_mesh *mesh, val_frame_result *out, cb_err *err) {
  sim_material material = sim_material_isotropic(0.15, STRETCH_N_PER_M, BENDING_NM);
  material.shear = e->shear;
  sim_cloth_setup setup = sim_cloth_setup_default(mesh, &material);
  sim_cloth *cloth = NULL;
  cb_status st = CB_OK;
  bool *border = calloc((size_t)mesh->n_vertices, sizeof *border);
  double(*force)[3] = calloc((size_t)mesh->n_vertices, sizeof *force);
  if (!border || !force) CB_GOTO(cb_no_memory(err, "picture frame"));
  for (int k = 0; k < mesh->n_edges; k++)
    if (mesh->edge[k].triangle[1] < 0)
      border[mesh->edge[k].vertex[0]] = border[mesh->edge[k].vertex[1]] = true;
  setup.gripped = border;
  setup.gravity_m_per_s2[2] = 0;
  CB_GOTO(sim_cloth_new(&setup, &cloth, err));
  for (int k = 0; k < e->n; k++) CB_GOTO(shear_once(e, mesh, cloth, border, force, k, out, err));
done:
  sim_cloth_free(cloth);
  free(border);
  free(force);
  return st;
}

cb_status val_frame_run(const val_frame *e, val_frame_result *out, cb_err *err) {
  *out = (val_frame_result){.settled = true};
  CB_TRY(check_frame(e, err));
  double start = cb_now_monotonic_s();
  sim_rectangle square = {.length_m = SIDE_M,
                          .width_m = SIDE_M,
                          .pattern = SIM_PATTERN_IRREGULAR,
                          .about_vertices = e->vertices,
                          .seed = e->seed};
  sim_mesh mesh;
  CB_TRY(sim_mesh_rectangle(&square, &mesh, err));
  out->vertices = mesh.n_vertices;
  cb_status st = draw_out(e, &mesh, out, err);
  sim_mesh_clear(&mesh);
  out->agrees = out->settled && out->error <= VAL_FRAME_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - start;
  return st;
}
