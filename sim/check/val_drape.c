#include "val_drape_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_time.h"
#include "sim_mesh.h"
#include "fit_drape.h"

/* ---- the shadow of a simulated drape under a lamp above it ---- */

/* Areas as weights. */
static void add_normals(const sim_mesh *m, const double (*x)[3], double (*normal)[3]) {
  for (int t = 0; t < m->n_triangles; t++) {
    const int *v = m->triangle[t];
    double p[3], q[3];
    for (int k = 0; k < 3; k++) p[k] = x[v[1]][k] - x[v[0]][k], q[k] = x[v[2]][k] - x[v[0]][k];
    const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) normal[v[c]][k] += n[k];
  }
}

/* normal: of length 1, times half the thickness; then the two sides, one after the other. */
static void put_sides(const sim_mesh *m, const double (*x)[3], double half_m, double (*normal)[3],
                      double (*side)[3], int (*triangle)[3]) {
  const int n = m->n_vertices;
  for (int i = 0; i < n; i++) {
    double length =
        sqrt(normal[i][0] * normal[i][0] + normal[i][1] * normal[i][1] + normal[i][2] * normal[i][2]);
    for (int k = 0; k < 3; k++) {
      double out = length > 0 ? half_m * normal[i][k] / length : 0;
      side[i][k] = x[i][k] + out;
      side[n + i][k] = x[i][k] - out;
    }
  }
  for (int t = 0; t < m->n_triangles; t++)
    for (int c = 0; c < 3; c++) {
      triangle[t][c] = m->triangle[t][c];
      triangle[m->n_triangles + t][c] = n + m->triangle[t][c];
    }
}

/* Makes the shadow of a mesh at x_m. The mesh is the middle surface of the cloth; light is stopped by its
 * two sides, half the thickness out along the normals. Call fit_shadow_clear in any case. Error: memory. */
static cb_status val_drape_shadow(const sim_mesh *m, const double (*x_m)[3], double thickness_m,
                                  fit_shadow *out, cb_err *err) {
  size_t n = (size_t)m->n_vertices, nt = (size_t)m->n_triangles;
  double(*normal)[3] = calloc(n, sizeof *normal), (*side)[3] = calloc(2 * n, sizeof *side);
  int(*triangle)[3] = calloc(2 * nt, sizeof *triangle);
  cb_status st = CB_OK;
  memset(out, 0, sizeof *out);
  if (!normal || !side || !triangle)
    CB_GOTO(cb_no_memory(err, "drape of %d vertices, its shadow", m->n_vertices));
  add_normals(m, x_m, normal);
  put_sides(m, x_m, thickness_m / 2, normal, side, triangle);
  CB_GOTO(fit_drape_mesh_shadow((const sim_vec3 *)side, 2 * n, (const int(*)[3])triangle, 2 * nt, "drape",
                                out, err));
done:
  free(normal), free(side), free(triangle);
  return st;
}

/* The uneven start: waves around the free ring. */
#define WAVES_FIRST 2
#define WAVES_LAST 16
#define RING_M 0.003
#define WAVE 0.0033 /* standard deviation of each at the border, part of the overhang: 0.2 mm of 60 */

enum { STREAM_MESH = 1, STREAM_WARP, STREAM_WAVES };

val_drape val_drape_default(void) {
  return (val_drape){.size = fit_drape_setup_default(),
                     .vertices = 10000,
                     .seed = 1,
                     .strain = 0.0025,
                     .locking = 1,
                     .drag_per_s = 5,
                     .dt_s = 0.01,
                     .fall_s = 1,
                     .fall_vertices = 2500,
                     .tolerance = 1e-4,
                     .settle_iterations = 200};
}

static cb_status check_drape(const val_drape *e, cb_err *err) {
  CB_TRY(fit_drape_setup_check(&e->size, err));
  if (e->vertices < 200 || e->vertices > 1000000)
    return cb_fail(err, CB_E_RANGE, "drape: vertices = %d: must lie between 200 and 1000000", e->vertices);
  if (!(e->locking >= 0 && isfinite(e->locking)))
    return cb_fail(err, CB_E_RANGE, "drape: locking = %g: must be finite and >= 0", e->locking);
  if (e->fall_vertices < 100)
    return cb_fail(err, CB_E_RANGE, "drape: fall_vertices = %d: must be >= 100", e->fall_vertices);
  if (!(e->strain >= 0 && e->strain < 1))
    return cb_fail(err, CB_E_RANGE, "drape: strain = %g: must lie between 0 and 1", e->strain);
  if (!(e->dt_s > 0 && e->fall_s >= 0 && e->fall_s / e->dt_s <= 1e6))
    return cb_fail(err, CB_E_RANGE,
                   "drape: steps of %g s over %g s: 0 < step, and at most 1e6 of them were wanted", e->dt_s,
                   e->fall_s);
  return CB_OK;
}

/* ---- the cloth ---- */

/* No stiffer at first than that. */
static void soften(sim_curve *c, double stiffness_N_per_m) {
  double share = stiffness_N_per_m / (c->stress_N_per_m[1] / c->strain[1]);
  for (int k = 1; k < c->n && share < 1; k++) c->stress_N_per_m[k] *= share;
}

/* Edges at the support are c / 8 long and far from it c / 3 or a twelfth of the overhang, whichever is
 * shorter, c the bending length; all are scaled to the number of vertices. The short ones reach to c / 2 from
 * the support, the long ones begin at 2 c. */
#define NEAR 8
#define FAR 3
#define OVERHANG 12
#define BAND 0.5
#define BLEND 2

typedef struct mesh_profile {
  double near, far; /* edges; only their ratio counts */
  double band, blend;
} mesh_profile;

static mesh_profile profile_of(const val_drape *e) {
  const sim_material *m = &e->material;
  double width = (e->size.specimen_m - e->size.support_m) / 2,
         weight = m->areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2,
         c = cbrt(sqrt(m->bending_Nm[0][0] * m->bending_Nm[1][1]) / weight);
  double far = fmin(c / FAR, width / OVERHANG);
  if (e->even_mesh || !(c > 0)) return (mesh_profile){1, 1, 0.3 * width, 0.6 * width};
  return (mesh_profile){fmin(c / NEAR, far), far, fmin(BAND * c, 0.3 * width), fmin(BLEND * c, 0.9 * width)};
}

/* The longest edge: the overhang's vertices are the integral of 2 / (sqrt(3) edge^2). */
static double edge_of(const val_drape *e) {
  const mesh_profile p = profile_of(e);
  const double support = e->size.support_m / 2, width = e->size.specimen_m / 2 - support;
  const int n = 100;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double out = (i + 0.5) / n * width, share = fmin(fmax((out - p.band) / (p.blend - p.band), 0), 1),
           edge = p.near / p.far + (1 - p.near / p.far) * share;
    sum += 2 * CB_PI * (support + out) * width / n / (edge * edge);
  }
  return sqrt(sum / e->vertices * 2 / sqrt(3));
}

/* The stretch stiffness that triangles of this size bear: a bend of curvature K across them costs a strain of
 * (K h)^2 / 24, or k K^4 h^4 / 1152 of energy per area; `locking` of the bending's own, at the curvature of
 * its folds, K = 1 / (2 c), c its bending length. But no softer than `strain` allows. */
static double bearable(const val_drape *e, const sim_material *m) {
  double support = e->size.support_m / 2, specimen = e->size.specimen_m / 2,
         weight = m->areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2;
  double B = sqrt(m->bending_Nm[0][0] * m->bending_Nm[1][1]), c = cbrt(B / weight), h = edge_of(e);
  double mesh = e->locking * 576 * B * 4 * c * c / (h * h * h * h);
  return fmax(mesh, weight * (specimen * specimen - support * support) / (2 * support) / e->strain);
}

static sim_material material_of(const val_drape *e, double *stretch_most_N_per_m) {
  sim_material m = e->material;
  m.drag_per_s = e->drag_per_s;
  *stretch_most_N_per_m = e->strain > 0 ? bearable(e, &m) : INFINITY;
  if (sim_curve_slope(&m.warp) > *stretch_most_N_per_m || sim_curve_slope(&m.weft) > *stretch_most_N_per_m)
    m.cross_N_per_m = 0;
  soften(&m.warp, *stretch_most_N_per_m);
  soften(&m.weft, *stretch_most_N_per_m);
  return m;
}

/* Coarse where it is held, alike where it is free; a ring of triangles within the support's edge holds the
 * slope. */
static cb_status disc(const val_drape *e, sim_mesh *mesh, cb_err *err) {
  cb_rng rng;
  cb_rng_init(&rng, e->seed, STREAM_WARP);
  const mesh_profile p = profile_of(e);
  const double support = e->size.support_m / 2, specimen = e->size.specimen_m / 2, edge = edge_of(e),
               near = edge * p.near / p.far;
  sim_disc d = {.n_circles = 5,
                .circle = {{0, fmax(support / 4, edge)},
                           {support, near},
                           {support + p.band, near},
                           {support + p.blend, edge},
                           {specimen, edge}},
                .pattern = SIM_PATTERN_IRREGULAR,
                .about_vertices = e->vertices,
                .warp_rad = 2 * CB_PI * cb_rng_uniform(&rng),
                .seed = e->seed};
  if (e->even_mesh) d.n_circles = 3, d.circle[2] = d.circle[4];
  return sim_mesh_disc(&d, mesh, err);
}

/* Waves that grow from the support's edge on. */
static void lay_disc(const val_drape *e, sim_cloth *cloth, int n) {
  cb_rng rng;
  cb_rng_init(&rng, e->seed, STREAM_WAVES);
  double a[WAVES_LAST + 1], b[WAVES_LAST + 1], support = e->size.support_m / 2,
                                               width = (e->size.specimen_m - e->size.support_m) / 2;
  for (int k = WAVES_FIRST; k <= WAVES_LAST; k++)
    a[k] = WAVE * width * cb_rng_normal(&rng), b[k] = WAVE * width * cb_rng_normal(&rng);
  double(*x)[3] = sim_cloth_position(cloth);
  for (int i = 0; i < n; i++) {
    double out = (hypot(x[i][0], x[i][1]) - support) / width, phi = atan2(x[i][1], x[i][0]);
    for (int k = WAVES_FIRST; k <= WAVES_LAST && out > 0; k++)
      x[i][2] += out * out * (a[k] * cos(k * phi) + b[k] * sin(k * phi));
  }
}

static bool *held(const val_drape *e, const sim_mesh *mesh) {
  bool *gripped = calloc((size_t)mesh->n_vertices, sizeof *gripped);
  for (int i = 0; gripped && i < mesh->n_vertices; i++)
    gripped[i] = hypot(mesh->position_m[i][0], mesh->position_m[i][1]) <= e->size.support_m / 2 * (1 + 1e-9);
  return gripped;
}

/* The same drape with longer edges, and no softer in stretch. */
static val_drape make_coarser(const val_drape *e) {
  val_drape out = *e;
  double most;
  out.material = material_of(e, &most);
  out.strain = 0;
  out.vertices = (int)lround(e->vertices / (VAL_DRAPE_COARSER * VAL_DRAPE_COARSER));
  return out;
}

/* ---- the drape ---- */

/* Steps and solves of the way to rest; what it came to is the equilibrium's. */
#define SOLVE_TOLERANCE 1e-2
#define CALM_STEPS 500       /* at most */
#define CALM_DT 2            /* times as long as those of the fall */
#define CALM_RESIDUAL 2      /* times the tolerance: from there on by factorising */
#define COARSE_TOLERANCE 2.5 /* times that of the mesh that takes over the shape */

/* A cloth somewhere on its way. */
typedef struct hanging {
  sim_mesh mesh;
  sim_material material;
  double stretch_most_N_per_m;
  bool *gripped;
  double (*rest_per_m)[3], *load_kg; /* NULL: even cloth */
  sim_cloth *cloth;
} hanging;

static void hanging_clear(hanging *h) {
  sim_cloth_free(h->cloth);
  free(h->gripped), free(h->rest_per_m), free(h->load_kg);
  sim_mesh_clear(&h->mesh);
  *h = (hanging){0};
}

static cb_status make_uneven(const val_drape *e, hanging *out, sim_cloth_setup *setup, cb_err *err) {
  if (!(e->trial.rest_per_m > 0 || e->trial.uneven_mass > 0)) return CB_OK;
  out->rest_per_m = calloc((size_t)out->mesh.n_triangles, sizeof *out->rest_per_m);
  out->load_kg = calloc((size_t)out->mesh.n_vertices, sizeof *out->load_kg);
  if (!out->rest_per_m || !out->load_kg)
    return cb_no_memory(err, "drape of %d vertices", out->mesh.n_vertices);
  val_drape_uneven_cloth(e, &out->mesh, out->rest_per_m, out->load_kg);
  out->material.areal_density_kg_per_m2 /= 1 + 3 * e->trial.uneven_mass; /* the mean stays */
  setup->rest_per_m = (const sim_vec3 *)out->rest_per_m;
  setup->load_kg = out->load_kg;
  return CB_OK;
}

static cb_status hanging_init(const val_drape *e, hanging *out, cb_err *err) {
  *out = (hanging){0};
  out->material = material_of(e, &out->stretch_most_N_per_m);
  CB_TRY(disc(e, &out->mesh, err));
  out->gripped = held(e, &out->mesh);
  if (!out->gripped) return cb_no_memory(err, "drape of %d vertices", out->mesh.n_vertices);
  sim_cloth_setup setup = sim_cloth_setup_default(&out->mesh, &out->material);
  setup.gripped = out->gripped;
  setup.solve_tolerance = SOLVE_TOLERANCE;
  /* The ring begins below the waves of the start. */
  const sim_body ring = {.shape = SIM_PLANE,
                         .origin_m = {0, 0, -RING_M},
                         .axis = {0, 0, 1},
                         .velocity_m_per_s = {0, 0, -e->trial.ring_m_per_s}};
  if (e->trial.ring_m_per_s > 0) setup.bodies = &ring, setup.n_bodies = 1;
  CB_TRY(make_uneven(e, out, &setup, err));
  return sim_cloth_new(&setup, &out->cloth, err);
}

/* Shares of a drape's time after the fall, after the calm, and after settling; the rest is the coarser
 * mesh's. Two cloths with bending friction, 10000 vertices: 36 and 41 %, 89 and 90 %, 92 and 94 %. */
#define SHARE_FALLEN 0.37
#define SHARE_CALM 0.9
#define SHARE_SETTLED 0.93

static void tell(const val_drape *e, double share) {
  if (e->told) e->told(e->context, share);
}

/* Until the ring has left the cloth, and the fall's own time. */
static double fall_s(const val_drape *e) {
  const double v = e->trial.ring_m_per_s, overhang_m = (e->size.specimen_m - e->size.support_m) / 2;
  return e->fall_s + (v > 0 ? 1.05 * overhang_m / v : 0);
}

static cb_status fall(const val_drape *e, hanging *h, cb_err *err) {
  const int steps = (int)lround(fall_s(e) / e->dt_s);
  lay_disc(e, h->cloth, h->mesh.n_vertices);
  for (int k = 0; k < steps; k++) {
    CB_TRY(sim_cloth_step(h->cloth, e->dt_s, NULL, err));
    tell(e, SHARE_FALLEN * (k + 1) / steps);
  }
  if (e->trial.ring_m_per_s > 0) sim_cloth_bodies(h->cloth)->velocity_m_per_s[2] = 0;
  return CB_OK;
}

/* The coarser cloth's shape, but for what is held. */
static cb_status take_shape(const hanging *from, hanging *h, cb_err *err) {
  double(*x)[3] = malloc((size_t)h->mesh.n_vertices * sizeof *x);
  if (!x) return cb_no_memory(err, "drape of %d vertices", h->mesh.n_vertices);
  cb_status st =
      sim_mesh_carry(&from->mesh, (const sim_vec3 *)sim_cloth_position(from->cloth), &h->mesh, x, err);
  for (int i = 0; st == CB_OK && i < h->mesh.n_vertices; i++)
    if (!h->gripped[i]) memcpy(sim_cloth_position(h->cloth)[i], x[i], sizeof *x);
  free(x);
  return st;
}

/* Sliders of friction keep what the fall did to them, which a shape does not carry. */
static bool falls_itself(const val_drape *e) {
  const double *h = e->material.bending_friction_N;
  return e->vertices / 4 < e->fall_vertices || h[0] > 0 || h[1] > 0;
}

/* Falls, or takes the shape in which a mesh of a quarter of the vertices fell. */
static cb_status bring_near(const val_drape *e, hanging *out, int *steps, cb_err *err) {
  hanging coarse = {0};
  cb_status st = CB_OK;
  const bool falls = falls_itself(e);
  if (!falls) {
    val_drape quarter = *e;
    quarter.vertices = e->vertices / 4;
    quarter.told = NULL; /* its fall takes a part of this one's time that is small */
    quarter.tolerance *= COARSE_TOLERANCE;
    CB_GOTO(bring_near(&quarter, &coarse, steps, err));
  }
  CB_GOTO(hanging_init(e, out, err));
  CB_GOTO(falls ? fall(e, out, err) : take_shape(&coarse, out, err));
  CB_GOTO(
      sim_cloth_calm(out->cloth, CALM_DT * e->dt_s, CALM_RESIDUAL * e->tolerance, CALM_STEPS, steps, err));
done:
  hanging_clear(&coarse);
  return st;
}

static cb_status settle_cloth(const val_drape *e, hanging *h, val_drape_result *out, cb_err *err) {
  sim_settle_report rest;
  CB_TRY(sim_cloth_settle(h->cloth, e->tolerance, e->settle_iterations, &rest, err));
  out->settled = rest.outcome == SIM_SETTLED;
  out->stable = rest.stable;
  out->iterations = rest.iterations;
  out->residual = rest.residual;
  return CB_OK;
}

static cb_status measure_drape(const val_drape *e, const hanging *h, val_drape_result *out, cb_err *err) {
  fit_shadow shadow;
  cb_status st = val_drape_shadow(&h->mesh, (const sim_vec3 *)sim_cloth_position(h->cloth),
                                  e->material.thickness_m, &shadow, err);
  if (st == CB_OK) st = fit_drape_reduce(&shadow, "drape", &e->size, &out->drape, err);
  fit_shadow_clear(&shadow);
  return st;
}

/* ---- the same drape on a coarser mesh ---- */

static void centre_of(const sim_mesh *m, int t, double out[2]) {
  for (int c = 0; c < 2; c++) {
    out[c] = 0;
    for (int k = 0; k < 3; k++) out[c] += m->position_m[m->triangle[t][k]][c] / 3;
  }
}

static int nearest_triangle(const double (*centre)[2], int n, const double at[2]) {
  int best = 0;
  double least = INFINITY;
  for (int t = 0; t < n; t++) {
    double x = centre[t][0] - at[0], y = centre[t][1] - at[1], d2 = x * x + y * y;
    if (d2 < least) least = d2, best = t;
  }
  return best;
}

/* Sliders stand in warp and weft of the flat cloth, as triangles lie there. */
static cb_status take_sliders(const hanging *from, hanging *h, cb_err *err) {
  double(*to)[2] = sim_cloth_sliders(h->cloth), (*own)[2] = sim_cloth_sliders(from->cloth), at[2];
  if (!to || !own) return CB_OK;
  double(*centre)[2] = malloc((size_t)from->mesh.n_triangles * sizeof *centre);
  if (!centre) return cb_no_memory(err, "drape of %d triangles", from->mesh.n_triangles);
  for (int t = 0; t < from->mesh.n_triangles; t++) centre_of(&from->mesh, t, centre[t]);
  for (int t = 0; t < h->mesh.n_triangles; t++) {
    centre_of(&h->mesh, t, at);
    memcpy(to[t], own[nearest_triangle((const double(*)[2])centre, from->mesh.n_triangles, at)], sizeof *to);
  }
  free(centre);
  return CB_OK;
}

/* It comes to rest from the finer one's shape, so that both fold alike and differ by their meshes alone. */
static cb_status run_coarser(const val_drape *e, const hanging *fine, val_drape_result *out, cb_err *err) {
  const val_drape coarser = make_coarser(e);
  val_drape_result r = {.settled = false};
  hanging h = {0};
  cb_status st;
  CB_GOTO(hanging_init(&coarser, &h, err));
  CB_GOTO(take_shape(fine, &h, err));
  CB_GOTO(take_sliders(fine, &h, err));
  CB_GOTO(sim_cloth_calm(h.cloth, CALM_DT * e->dt_s, CALM_RESIDUAL * e->tolerance, CALM_STEPS, &r.calm_steps,
                         err));
  CB_GOTO(settle_cloth(&coarser, &h, &r, err));
  CB_GOTO(measure_drape(&coarser, &h, &r, err));
  out->coarse_coefficient = r.drape.drape_coefficient;
  out->settled = out->settled && r.settled;
done:
  hanging_clear(&h);
  return st;
}

/* Of a mesh of many vertices, the shape on a coarser one of the same cloth. */
static cb_status keep_shape(const val_drape *e, const hanging *h, val_drape_shape *out, cb_err *err) {
  const sim_vec3 *x = (const sim_vec3 *)sim_cloth_position(h->cloth);
  const bool fine = h->mesh.n_vertices > VAL_DRAPE_SHAPE_VERTICES;
  val_drape coarse = *e;
  sim_mesh mesh = {0};
  const sim_mesh *m = fine ? &mesh : &h->mesh;
  cb_status st = CB_OK;
  coarse.vertices = VAL_DRAPE_SHAPE_VERTICES;
  if (fine) CB_GOTO(disc(&coarse, &mesh, err));
  const size_t nv = (size_t)m->n_vertices, nt = (size_t)m->n_triangles;
  *out = (val_drape_shape){.n_vertices = m->n_vertices,
                           .n_triangles = m->n_triangles,
                           .position_m = malloc(nv * sizeof *out->position_m),
                           .triangle = malloc(nt * sizeof *out->triangle)};
  if (!out->position_m || !out->triangle) CB_GOTO(cb_no_memory(err, "drape of %zu vertices", nv));
  memcpy(out->triangle, m->triangle, nt * sizeof *out->triangle);
  if (fine)
    st = sim_mesh_carry(&h->mesh, x, m, out->position_m, err);
  else
    memcpy(out->position_m, x, nv * sizeof *out->position_m);
done:
  sim_mesh_clear(&mesh);
  return st;
}

cb_status val_drape_run(const val_drape *e, val_drape_result *out, val_drape_shape *shape, cb_err *err) {
  *out = (val_drape_result){.coarse_coefficient = NAN};
  CB_TRY(check_drape(e, err));
  const double from = cb_now_monotonic_s();
  hanging h = {0};
  cb_status st;
  CB_GOTO(bring_near(e, &h, &out->calm_steps, err));
  out->vertices = h.mesh.n_vertices;
  out->stretch_most_N_per_m = h.stretch_most_N_per_m;
  const double near = cb_now_monotonic_s();
  tell(e, SHARE_CALM);
  CB_GOTO(settle_cloth(e, &h, out, err));
  if (e->trial.lost > 0) {
    CB_GOTO(val_drape_loosen(e, h.cloth, err));
    CB_GOTO(sim_cloth_calm(h.cloth, CALM_DT * e->dt_s, CALM_RESIDUAL * e->tolerance, CALM_STEPS,
                           &out->calm_steps, err));
    CB_GOTO(settle_cloth(e, &h, out, err));
  }
  out->settle_seconds = cb_now_monotonic_s() - near;
  tell(e, e->also_coarser ? SHARE_SETTLED : 1);
  CB_GOTO(measure_drape(e, &h, out, err));
  if (shape) CB_GOTO(keep_shape(e, &h, shape, err));
  if (e->also_coarser) CB_GOTO(run_coarser(e, &h, out, err));
  if (e->also_coarser) tell(e, 1);
done:
  hanging_clear(&h);
  out->seconds = cb_now_monotonic_s() - from;
  return st;
}
