#include "val_pull.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_time.h"
#include "val_sheet_scene.h"

#define CLOTH_KG_PER_M2 0.15 /* of the sheet by itself, at most half of all */
#define MARGIN_M 0.05

val_pull val_pull_default(void) {
  return (val_pull){
      .body = VAL_SHEET_PRESCRIBED, .young_Pa = 1e6, .poisson = 0.3, .vertices = 100, .dt_s = 2.5e-4};
}

static cb_status check_pull(const val_pull *e, const sim_sled *s, cb_err *err) {
  CB_TRY(sim_sled_check(s, err));
  CB_TRY(cb_check_range(e->vertices, 9, 1e6, "pull: vertices", "", err));
  CB_TRY(cb_check_range(e->dt_s, 1e-6, 0.1, "pull: step", "s", err));
  if (s->incline_rad != 0 || e->body == VAL_SHEET_FREE)
    return cb_fail(err, CB_E_RANGE, "pull: a level bed was wanted, and a body of prescribed motion or held");
  if (e->cloth && !(e->cloth->areal_density_kg_per_m2 * s->contact_area_m2 < s->mass_kg))
    return cb_fail(err, CB_E_RANGE, "pull: the sheet has %g g, the sled %g g: less was wanted of the sheet",
                   1e3 * e->cloth->areal_density_kg_per_m2 * s->contact_area_m2, 1e3 * s->mass_kg);
  return CB_OK;
}

static double areal_density(const val_pull *e, const sim_sled *s) {
  if (e->cloth) return e->cloth->areal_density_kg_per_m2;
  return fmin(CLOTH_KG_PER_M2, s->mass_kg / s->contact_area_m2 / 2);
}

static val_sheet sheet_of(const val_pull *e, const sim_sled *s) {
  val_sheet sheet = val_sheet_default();
  const double side = sqrt(s->contact_area_m2);
  sheet.friction = (sim_friction){.kinetic_law = s->kinetic_law, .static_law = s->static_law};
  sheet.side_m = side;
  sheet.cloth = e->cloth;
  sheet.air = e->air;
  sheet.areal_density_kg_per_m2 = areal_density(e, s);
  sheet.load_kg = s->mass_kg - sheet.areal_density_kg_per_m2 * s->contact_area_m2;
  sheet.gravity_m_per_s2 = s->gravity_m_per_s2;
  sheet.vertices = e->vertices;
  sheet.angle_rad = 0;
  sheet.turned_rad = s->pull.angle_rad;
  sheet.room_m = fabs(s->pull.profile.travel_m) + MARGIN_M;
  sheet.body = e->body;
  sheet.young_Pa = e->young_Pa;
  sheet.poisson = e->poisson;
  return sheet;
}

/* ---- the pull: along x, whichever way the stage goes ---- */

typedef struct run {
  val_sheet_scene scene;
  const sim_sled *sled;
  double sign, breaks_s[4];
  double *share;                  /* of the link's force, per vertex; their sum is 1 */
  double way_m[2], speed_m_per_s; /* of the grip: the mean by these shares */
} run;

/* The whole area: by mass. The edge ahead: by the area of its vertices, which along an edge is as good as by
 * length. */
static cb_status share_force(run *r, val_pull_grip grip, double side_m, cb_err *err) {
  const sim_mesh *mesh = &r->scene.mesh;
  const double *mass = sim_cloth_mass(sim_layered_cloth(r->scene.layered));
  double all = 0;
  r->share = malloc((size_t)mesh->n_vertices * sizeof *r->share);
  if (!r->share) return cb_no_memory(err, "pull");
  for (int i = 0; i < mesh->n_vertices; i++) {
    bool gripped = grip == VAL_PULL_AREA || mesh->position_m[i][0] > side_m * (1 - 1e-6);
    r->share[i] = gripped ? mass[i] : 0;
    all += r->share[i];
  }
  for (int i = 0; i < mesh->n_vertices; i++) r->share[i] /= all;
  return CB_OK;
}

static void find_grip(run *r) {
  sim_cloth *cloth = sim_layered_cloth(r->scene.layered);
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(cloth),
        (*v)[3] = (const sim_vec3 *)sim_cloth_velocity(cloth),
        (*from)[3] = (const sim_vec3 *)r->scene.mesh.position_m;
  r->way_m[0] = r->way_m[1] = r->speed_m_per_s = 0;
  for (int i = 0; i < r->scene.mesh.n_vertices; i++) {
    for (int k = 0; k < 2; k++) r->way_m[k] += r->share[i] * (x[i][k] - from[i][k]);
    r->speed_m_per_s += r->share[i] * v[i][0];
  }
}

/* The eye pulls on one side and pushes on the other; between, it is loose. */
static double tension(const run *r, double t_s, double *stage_m) {
  const sim_pull *p = &r->sled->pull;
  double speed, stage = r->sign * sim_profile_at(&p->profile, r->breaks_s, t_s, &speed),
                d = stage - r->way_m[0];
  double side = d > p->slack_m ? 1 : d < -p->slack_m ? -1 : 0;
  double force = side * (p->stiffness_N_per_m * (d - side * p->slack_m) +
                         p->damping_Ns_per_m * (r->sign * speed - r->speed_m_per_s));
  *stage_m = stage;
  return side * fmax(0, force);
}

static void draw_sheet(run *r, double force_N, double h_s) {
  sim_cloth *cloth = sim_layered_cloth(r->scene.layered);
  const double *mass = sim_cloth_mass(cloth);
  double(*v)[3] = sim_cloth_velocity(cloth);
  for (int i = 0; i < r->scene.mesh.n_vertices; i++) v[i][0] += force_N * r->share[i] / mass[i] * h_s;
}

static cb_status pull_sheet(run *r, double dt_s, val_pull_result *out, cb_err *err) {
  const sim_sled *s = r->sled;
  const int samples = (int)floor(s->duration_s * s->rate_Hz * (1 + 1e-12)),
            parts = (int)ceil(1 / s->rate_Hz / dt_s * (1 - 1e-9));
  const double h_s = 1 / s->rate_Hz / parts;
  double stage;
  sim_layered_report report;
  for (int k = 0; k <= samples; k++) {
    double t = k / s->rate_Hz, force = tension(r, t, &stage);
    CB_TRY(cb_series_push(&out->trace.force_N, t, r->sign * force, err));
    CB_TRY(cb_series_push(&out->trace.position_m, t, r->sign * stage, err));
    for (int part = 0; part < parts && k < samples; part++) {
      draw_sheet(r, tension(r, t + part * h_s, &stage), h_s);
      CB_TRY(sim_layered_step(r->scene.layered, h_s, &report, err));
      find_grip(r);
      out->extrapolated =
          report.offset.extrapolated > out->extrapolated ? report.offset.extrapolated : out->extrapolated;
    }
  }
  out->across_m = fabs(r->way_m[1]);
  return CB_OK;
}

cb_status val_pull_run(const val_pull *e, const sim_sled *sled, val_pull_result *out, cb_err *err) {
  double begin_s = cb_now_monotonic_s();
  *out = (val_pull_result){.vertices = 0};
  CB_TRY(check_pull(e, sled, err));
  const val_sheet sheet = sheet_of(e, sled);
  run r = {.sled = sled, .sign = sled->pull.profile.travel_m < 0 ? -1 : 1};
  sim_profile_breaks(&sled->pull.profile, r.breaks_s);
  cb_status st = val_sheet_scene_make(&sheet, &r.scene, err);
  if (st == CB_OK) st = share_force(&r, e->grip, sheet.side_m, err);
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(0); /* thousands of steps of few vertices: threads would only wait */
  if (st == CB_OK) st = pull_sheet(&r, e->dt_s, out, err);
  omp_set_max_active_levels(levels);
  out->trace.speed_m_per_s = sled->pull.profile.speed_m_per_s;
  out->vertices = r.scene.mesh.n_vertices;
  free(r.share);
  val_sheet_scene_clear(&r.scene);
  out->seconds = cb_now_monotonic_s() - begin_s;
  if (st != CB_OK) val_pull_clear(out);
  return st;
}

void val_pull_clear(val_pull_result *r) {
  cb_trace_clear(&r->trace);
  *r = (val_pull_result){.vertices = 0};
}
