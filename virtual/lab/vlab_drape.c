/* The drape meter: a disc of 30 cm over a support of 18 cm, seen in the light from below.
 *
 * The drape itself is simulated, from the truth and by itself: rings of triangles, a finer mesh, shorter
 * steps and another uneven start than `validate drape` has. Each drape is another specimen. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "sim_cloth.h"
#include "vlab_picture.h"

#define SUPPORT_M 0.18
#define SPECIMEN_M 0.30
#define STEP_S 0.008
#define FALL_S 1.2
#define DRAG_PER_S 5
#define BUMPS 24      /* of the uneven start */
#define BUMP_M 0.0005 /* height of each at the border, standard deviation */
#define BUMP_SHARP 3.0
#define SOLVE_TOLERANCE 1e-2 /* of the steps of the fall */
#define CALM_RESIDUAL 3e-4
#define CALM_MOST 300
#define TOLERANCE 5e-5
#define SETTLE_MOST 40
#define ROUNDS 6
#define CROSS_SHARE 0.2 /* of sqrt(B_warp B_weft): couples bending along warp and weft */
#define CURVE_END 0.1   /* strain */

/* ---- the specimen ---- */

static sim_curve sample_curve(const vlab_membrane *m, int axis, double factor) {
  sim_curve c = {.n = SIM_CURVE_MAX};
  for (int k = 0; k < c.n; k++) {
    double E[3] = {0}, S[3], own[3];
    E[axis] = CURVE_END * k * k / ((SIM_CURVE_MAX - 1) * (SIM_CURVE_MAX - 1));
    vlab_membrane_stress(m, E, S, own);
    c.strain[k] = E[axis];
    c.stress_N_per_m[k] = factor * S[axis];
  }
  return c;
}

static sim_material draw_material(const vlab *lab, cb_rng *rng) {
  const vlab_truth *t = &lab->truth;
  const vlab_bending *b = &t->bending;
  const double mass = vlab_specimen(rng, lab->scatter.mass), stiff = vlab_specimen(rng, lab->scatter.bending),
               stretch = vlab_specimen(rng, lab->scatter.stretch);
  const double D12 = CROSS_SHARE * sqrt(b->warp_Nm * b->weft_Nm), D33 = (b->twist_Nm - D12) / 2;
  return (sim_material){
      .areal_density_kg_per_m2 = mass * t->areal_density_kg_per_m2,
      .thickness_m = t->thickness_m,
      .warp = sample_curve(&t->membrane, 0, stretch),
      .weft = sample_curve(&t->membrane, 1, stretch),
      .shear = sample_curve(&t->membrane, 2, stretch),
      .cross_N_per_m = stretch * t->membrane.cross_N_per_m,
      .bending_Nm = {{stiff * b->warp_Nm, stiff * D12, 0},
                     {stiff * D12, stiff * b->weft_Nm, 0},
                     {0, 0, stiff * D33}},
      .bending_friction_N = {stiff * b->friction_N[0], stiff * b->friction_N[1]},
      .bending_friction_onset_per_m = b->onset_per_m,
      .drag_per_s = DRAG_PER_S,
  };
}

/* ---- the drape ---- */

typedef struct drape {
  sim_mesh mesh;
  sim_material material;
  bool *held;
  sim_cloth *cloth;
  double (*side)[3]; /* both faces */
  int (*triangle)[3];
} drape;

static void drape_clear(drape *d) {
  sim_cloth_free(d->cloth);
  free(d->held), free(d->side), free(d->triangle);
  sim_mesh_clear(&d->mesh);
}

static cb_status make_mesh(const vlab *lab, uint64_t number, cb_rng *rng, sim_mesh *out, cb_err *err) {
  const double s = SUPPORT_M / 2, r = SPECIMEN_M / 2;
  const double edge = sqrt(CB_PI * (r * r - s * s) / lab->have.drape_vertices * 2 / sqrt(3));
  const sim_disc disc = {.n_circles = 3,
                         .circle = {{0, 6 * edge}, {s, edge}, {r, edge}},
                         .pattern = SIM_PATTERN_EQUILATERAL,
                         .warp_rad = 2 * CB_PI * cb_rng_uniform(rng),
                         .seed = lab->seed + number};
  return sim_mesh_disc(&disc, out, err);
}

/* Bumps at random places around the free ring, each a few centimetres wide. */
static void lay_unevenly(drape *d, cb_rng *rng) {
  double(*x)[3] = sim_cloth_position(d->cloth);
  for (int k = 0; k < BUMPS; k++) {
    const double at = 2 * CB_PI * cb_rng_uniform(rng), height = BUMP_M * cb_rng_normal(rng),
                 sharp = BUMP_SHARP * (1 + 4 * cb_rng_uniform(rng));
    for (int i = 0; i < d->mesh.n_vertices; i++) {
      const double out = (hypot(x[i][0], x[i][1]) - SUPPORT_M / 2) / ((SPECIMEN_M - SUPPORT_M) / 2);
      if (!d->held[i]) x[i][2] += out * out * height * exp(sharp * (cos(atan2(x[i][1], x[i][0]) - at) - 1));
    }
  }
}

static cb_status lay_drape(const vlab *lab, uint64_t number, cb_rng *rng, drape *d, cb_err *err) {
  d->material = draw_material(lab, rng);
  CB_TRY(make_mesh(lab, number, rng, &d->mesh, err));
  d->held = calloc((size_t)d->mesh.n_vertices, sizeof *d->held);
  if (!d->held) return cb_no_memory(err, "a drape of %d vertices", d->mesh.n_vertices);
  for (int i = 0; i < d->mesh.n_vertices; i++)
    d->held[i] = hypot(d->mesh.position_m[i][0], d->mesh.position_m[i][1]) <= SUPPORT_M / 2 * (1 + 1e-9);
  sim_cloth_setup setup = sim_cloth_setup_default(&d->mesh, &d->material);
  setup.gripped = d->held;
  setup.solve_tolerance = SOLVE_TOLERANCE;
  CB_TRY(sim_cloth_new(&setup, &d->cloth, err));
  lay_unevenly(d, rng);
  return CB_OK;
}

/* Falls, and is brought to rest; a drape that is not near its rest falls on. */
static cb_status hang_drape(drape *d, cb_err *err) {
  sim_settle_report rest = {.residual = INFINITY};
  double fall_s = FALL_S;
  int steps;
  for (int round = 0; round < ROUNDS; round++, fall_s = FALL_S / 2) {
    for (int i = 0; i * STEP_S < fall_s; i++) CB_TRY(sim_cloth_step(d->cloth, STEP_S, NULL, err));
    CB_TRY(sim_cloth_calm(d->cloth, 2 * STEP_S, CALM_RESIDUAL, CALM_MOST, &steps, err));
    CB_TRY(sim_cloth_settle(d->cloth, TOLERANCE, SETTLE_MOST, &rest, err));
    if (rest.outcome == SIM_SETTLED) return CB_OK;
  }
  return cb_fail(err, CB_E_NUM, "a drape did not come to rest: residual %g, %g was wanted", rest.residual,
                 TOLERANCE);
}

/* ---- its shadow ---- */

/* Beyond the support, the area up to each radius is that of the cloth times factor. */
static void widen(double x[3], double factor) {
  const double r = hypot(x[0], x[1]), s = SUPPORT_M / 2;
  if (r <= s) return;
  const double wide = sqrt(s * s + factor * (r * r - s * s)) / r;
  x[0] *= wide, x[1] *= wide;
}

static void add_normal(const double a[3], const double b[3], const double c[3], double *normals[3]) {
  double p[3], q[3], n[3];
  sim_sub(b, a, p), sim_sub(c, a, q);
  sim_cross(p, q, n);
  for (int k = 0; k < 3; k++) sim_add(normals[k], 1, n);
}

/* Both faces, half the thickness off the middle. d->side holds the normals of the vertices first. */
static cb_status put_faces(drape *d, cb_err *err) {
  const int n = d->mesh.n_vertices, nt = d->mesh.n_triangles;
  const double(*x)[3] = (const sim_vec3 *)sim_cloth_position(d->cloth);
  d->side = calloc((size_t)n * 2, sizeof *d->side);
  d->triangle = calloc((size_t)nt * 2, sizeof *d->triangle);
  if (!d->side || !d->triangle) return cb_no_memory(err, "a drape of %d vertices", n);
  for (int t = 0; t < nt; t++) {
    const int *v = d->mesh.triangle[t];
    add_normal(x[v[0]], x[v[1]], x[v[2]], (double *[3]){d->side[v[0]], d->side[v[1]], d->side[v[2]]});
    for (int k = 0; k < 3; k++) d->triangle[t][k] = v[k], d->triangle[nt + t][k] = n + v[k];
  }
  for (int i = 0; i < n; i++) {
    const double length = sim_norm(d->side[i]), half = length > 0 ? d->material.thickness_m / 2 / length : 0;
    for (int k = 0; k < 3; k++) {
      const double off = half * d->side[i][k];
      d->side[i][k] = x[i][k] + off, d->side[n + i][k] = x[i][k] - off;
    }
  }
  return CB_OK;
}

static cb_status photograph(const vlab *lab, drape *d, cb_rng *rng, const char *path, cb_err *err) {
  CB_TRY(put_faces(d, err));
  for (int i = 0; i < 2 * d->mesh.n_vertices; i++) widen(d->side[i], lab->drape_area_factor);
  const vlab_shadow s = {(const sim_vec3 *)d->side, 2 * d->mesh.n_vertices, (const int(*)[3])d->triangle,
                         2 * d->mesh.n_triangles, SUPPORT_M};
  return vlab_picture(&s, rng, path, err);
}

static cb_status make_drape(const vlab *lab, int number, const char *folder, cb_err *err) {
  char path[600];
  cb_rng rng;
  drape d = {.cloth = NULL};
  cb_status st;
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_DRAPES + 1000 * (uint64_t)number);
  (void)snprintf(path, sizeof path, "%s/drape-%d.png", folder, number);
  CB_GOTO(lay_drape(lab, (uint64_t)number, &rng, &d, err));
  CB_GOTO(hang_drape(&d, err));
  CB_GOTO(photograph(lab, &d, &rng, path, err));
done:
  drape_clear(&d);
  return st;
}

cb_status vlab_drapes(const vlab *lab, const char *folder, const cb_stop *stop, cb_err *err) {
  cb_status st = CB_OK;
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 1; i <= lab->have.drapes; i++) {
    cb_err own = {""};
    cb_status got = cb_stop_check(stop, &own);
    if (got == CB_OK) got = make_drape(lab, i, folder, &own);
#pragma omp critical
    if (got != CB_OK && st == CB_OK) st = got, *err = own;
  }
  return st;
}
