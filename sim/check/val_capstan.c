#include "val_capstan.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_time.h"
#include "sim_mesh.h"

#define END_M 0.03    /* free cloth at either end */
#define TIGHTEN_S 0.1 /* until the slack end is under T1 */
#define PULL_S 0.3
#define SLACK_STRETCH_M 0.1 /* of the soft spring under T1, whose anchor follows */
#define TIGHT_STRETCH_M 1e-4
#define STRAIN_MAX 0.01

val_capstan val_capstan_default(void) {
  return (val_capstan){.friction = {.mu_kinetic = 0.3, .mu_static = 0.3},
                       .material = sim_material_isotropic(3, 1e4, 0),
                       .radius_m = 0.05,
                       .wrap_rad = CB_PI,
                       .width_m = 0.02,
                       .tension_N_per_m = 2,
                       .cells_across = 4,
                       .dt_s = 0.001};
}

static double middle_m(const val_capstan *e) { return e->radius_m + e->material.thickness_m / 2; }

/* Of the strip along its way; over a drum it stands, and the drum runs backwards. */
static double speed_m_per_s(const val_capstan *e) { return e->drum ? 0 : VAL_CAPSTAN_M_PER_S; }

/* Tension per width after the whole arc, and exp(mu beta) among others: Runge-Kutta over the arc. */
static double slope(const val_capstan *e, double tension) {
  const double along[2] = {cos(e->angle_rad), sin(e->angle_rad)}, r = middle_m(e);
  double inertia = e->material.areal_density_kg_per_m2 * speed_m_per_s(e) * speed_m_per_s(e);
  return r * sim_friction_eval(&e->friction, along, (tension - inertia) / r, 1).kinetic_N;
}

static double expected_ratio(const val_capstan *e) {
  enum { PARTS = 2000 };
  double h = e->wrap_rad / PARTS, t = e->tension_N_per_m;
  for (int i = 0; i < PARTS; i++) {
    double k1 = slope(e, t), k2 = slope(e, t + h / 2 * k1), k3 = slope(e, t + h / 2 * k2),
           k4 = slope(e, t + h * k3);
    t += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return t / e->tension_N_per_m;
}

/* Relative, to first order; mu and n: the friction coefficient and the law's exponent half-way along the
 * arc. */
static double discretisation(const val_capstan *e, double ratio) {
  double mu = log(ratio) / e->wrap_rad, delta = e->width_m / e->cells_across / middle_m(e),
         lag = speed_m_per_s(e) * e->dt_s / middle_m(e);
  double half_way = e->tension_N_per_m * sqrt(ratio),
         n = mu > 0 ? log(slope(e, 1.01 * half_way) / slope(e, half_way)) / log(1.01) : 1;
  return (1 + mu * mu) * e->wrap_rad * (lag + mu * delta * delta / 12) + mu * delta * (1 - n) / (1 + n);
}

static cb_status check_capstan(const val_capstan *e, cb_err *err) {
  CB_TRY(sim_friction_check(&e->friction, err));
  CB_TRY(cb_check_range(e->radius_m, 1e-3, 10, "capstan: radius", "m", err));
  CB_TRY(cb_check_range(e->wrap_rad, 0.01, 10 * CB_PI, "capstan: wrap", "rad", err));
  CB_TRY(cb_check_range(e->width_m, 1e-3, 10, "capstan: width", "m", err));
  CB_TRY(cb_check_range(e->tension_N_per_m, 1e-6, 1e6, "capstan: tension", "N/m", err));
  CB_TRY(cb_check_range(e->angle_rad, -100, 100, "capstan: angle", "rad", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 0.01, "capstan: step", "s", err));
  if (e->cells_across < 1 || e->cells_across > 1000)
    return cb_fail(err, CB_E_RANGE, "capstan: cells across = %d: must lie between 1 and 1000",
                   e->cells_across);
  double strain = expected_ratio(e) * e->tension_N_per_m /
                  (e->material.warp.stress_N_per_m[1] / e->material.warp.strain[1]);
  return strain <= STRAIN_MAX ? CB_OK
                              : cb_fail(err, CB_E_RANGE,
                                        "capstan: the tight end would be strained by %.2g: at most %g is "
                                        "wanted; take a smaller tension",
                                        strain, STRAIN_MAX);
}

/* The middle of the strip on top of the cylinder (axis y), its ends straight on from where it leaves; all of
 * it on its way. */
static void lay_strip(const val_capstan *e, const sim_mesh *mesh, double length_m, double (*x)[3],
                      double (*v)[3]) {
  double r = middle_m(e);
  for (int i = 0; i < mesh->n_vertices; i++) {
    double s = mesh->position_m[i][0] - length_m / 2,
           on = fmax(-e->wrap_rad / 2, fmin(e->wrap_rad / 2, s / r)), rest = s - r * on;
    x[i][0] = r * sin(on) + rest * cos(on);
    x[i][1] = mesh->position_m[i][1] - e->width_m / 2;
    x[i][2] = r * cos(on) - rest * sin(on);
    v[i][0] = speed_m_per_s(e) * cos(on);
    v[i][2] = -speed_m_per_s(e) * sin(on);
  }
}

/* By width: the vertices of an end. */
static void share_of_end(const sim_mesh *mesh, double x_m, double *share) {
  double sum = 0;
  for (int i = 0; i < mesh->n_vertices; i++) {
    share[i] = fabs(mesh->position_m[i][0] - x_m) < 1e-9 ? mesh->vertex_area_m2[i] : 0;
    sum += share[i];
  }
  for (int i = 0; i < mesh->n_vertices; i++) share[i] /= sum;
}

typedef struct tied_ends {
  sim_tether tether[2]; /* slack, tight */
  double *share;        /* of both */
} tied_ends;

static cb_status make_ends(const val_capstan *e, const sim_mesh *mesh, double length_m, tied_ends *out,
                           cb_err *err) {
  size_t n = (size_t)mesh->n_vertices;
  double c = cos(e->wrap_rad / 2), s = sin(e->wrap_rad / 2), force_N = e->tension_N_per_m * e->width_m;
  double stiff = force_N / TIGHT_STRETCH_M,
         mass = e->material.areal_density_kg_per_m2 * length_m * e->width_m;
  out->share = calloc(2 * n, sizeof *out->share);
  if (!out->share) return cb_no_memory(err, "capstan: strip of %d vertices", mesh->n_vertices);
  out->tether[0] = (sim_tether){
      .direction = {-c, 0, -s}, .share = out->share, .stiffness_N_per_m = force_N / SLACK_STRETCH_M};
  out->tether[1] = (sim_tether){.direction = {c, 0, -s},
                                .share = out->share + n,
                                .stiffness_N_per_m = stiff,
                                .damping_Ns_per_m = 2 * sqrt(stiff * mass)};
  share_of_end(mesh, 0, out->share);
  share_of_end(mesh, length_m, out->share + n);
  return CB_OK;
}

/* The slack end's spring is drawn up to T1, and gives way; the tight one's anchor goes on evenly. */
static void move_anchors(const val_capstan *e, sim_tether anchor[2], double t_s) {
  anchor[0].anchor_m = SLACK_STRETCH_M * fmin(1, t_s / TIGHTEN_S) - speed_m_per_s(e) * t_s;
  anchor[1].anchor_m = speed_m_per_s(e) * t_s;
}

static cb_status pull_strip(const val_capstan *e, sim_cloth *cloth, val_capstan_result *out, cb_err *err) {
  double least = INFINITY, most = 0, sum[2] = {0, 0};
  int steps = (int)ceil(PULL_S / e->dt_s), from = 2 * steps / 3;
  sim_step_report report = {0};
  for (int k = 1; k <= steps; k++) {
    move_anchors(e, sim_cloth_tethers(cloth), k * e->dt_s);
    CB_TRY(sim_cloth_step(cloth, e->dt_s, &report, err));
    if (k <= from) continue;
    double slack = sim_cloth_tension_N(cloth, 0), tight = sim_cloth_tension_N(cloth, 1);
    sum[0] += slack;
    sum[1] += tight;
    least = fmin(least, tight / slack);
    most = fmax(most, tight / slack);
  }
  out->slack_N_per_m = sum[0] / (steps - from) / e->width_m;
  out->tight_N_per_m = sum[1] / (steps - from) / e->width_m;
  out->ratio = sum[1] / sum[0];
  out->unrest = fmax(most / out->ratio - 1, 1 - least / out->ratio);
  out->touching = report.contacts;
  out->sliding = report.sliding;
  out->extrapolated = report.extrapolated;
  return CB_OK;
}

static cb_status run_on(const val_capstan *e, const sim_mesh *mesh, double length_m, const tied_ends *ends,
                        val_capstan_result *out, cb_err *err) {
  sim_body cylinder = {
      .shape = SIM_CYLINDER, .axis = {0, 1, 0}, .radius_m = e->radius_m, .friction = e->friction};
  if (e->drum) cylinder.spin_rad_per_s[1] = -VAL_CAPSTAN_M_PER_S / e->radius_m;
  sim_cloth_setup setup = sim_cloth_setup_default(mesh, &e->material);
  setup.gravity_m_per_s2[2] = 0;
  setup.bodies = &cylinder;
  setup.n_bodies = 1;
  setup.tethers = ends->tether;
  setup.n_tethers = 2;
  setup.solve_tolerance = 1e-6;
  /* Pressure and friction feed each other along the arc: what a step gets wrong at the slack end is
   * multiplied at the tight one. */
  setup.contact_tolerance = 1e-4;
  setup.contact_iterations = 30;
  sim_cloth *cloth;
  CB_TRY(sim_cloth_new(&setup, &cloth, err));
  lay_strip(e, mesh, length_m, sim_cloth_position(cloth), sim_cloth_velocity(cloth));
  cb_status st = pull_strip(e, cloth, out, err);
  sim_cloth_free(cloth);
  return st;
}

cb_status val_capstan_run(const val_capstan *e, val_capstan_result *out, cb_err *err) {
  *out = (val_capstan_result){0};
  CB_TRY(check_capstan(e, err));
  double begin_s = cb_now_monotonic_s();
  double length_m = middle_m(e) * e->wrap_rad + 2 * END_M;
  sim_rectangle strip = {.length_m = length_m,
                         .width_m = e->width_m,
                         .cells_across = e->cells_across,
                         .warp_rad = -e->angle_rad};
  sim_mesh mesh;
  CB_TRY(sim_mesh_rectangle(&strip, &mesh, err));
  tied_ends ends = {.share = NULL};
  cb_status st = make_ends(e, &mesh, length_m, &ends, err);
  if (st == CB_OK) st = run_on(e, &mesh, length_m, &ends, out, err);
  out->vertices = mesh.n_vertices;
  free(ends.share);
  sim_mesh_clear(&mesh);
  out->expected_ratio = expected_ratio(e);
  out->error = out->ratio / out->expected_ratio - 1;
  out->largest_strain =
      out->tight_N_per_m / (e->material.warp.stress_N_per_m[1] / e->material.warp.strain[1]);
  out->discretisation = discretisation(e, out->expected_ratio);
  out->agrees = fabs(out->error - out->discretisation) <= VAL_CAPSTAN_TOLERANCE;
  out->seconds = cb_now_monotonic_s() - begin_s;
  return st;
}
