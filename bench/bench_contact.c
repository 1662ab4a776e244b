/* What comes through a cloth with lesser methods of contact: the failures of Tang et al.'s figures 2 and 4
 * to 6.
 *
 *   bench_contact [--json]
 *
 * A block of water of 2560 particles of 1 cm falls at 1 to 8 m/s on a cloth across a shaft, 300 steps of 1
 * ms. Three methods; how many particles are below the cloth in the end, by brute force: penalty    who is
 * nearer than the gap at the start of a step is pushed away from the cloth, by a force in proportion to the
 * depth (explicit, as stiff as a particle stays stable: half its mass/dt^2) discrete   the same detection,
 * with the implicit contact of sim_wet_cloth.h: no continuous detection ours       sim_splash: first touch
 * over the step, implicit contact, guard
 *
 * And a cloth held at two corners is hit by the block, with its contact with itself off and on: pairs of
 * triangles that cross in the end. */
#include "bench_lab.h"
#include "sim_fluid.h"
#include "sim_mesh.h"
#include "sim_query.h"
#include "sim_splash.h"
#include "sim_vec.h"
#include "sim_wet_cloth.h"

#define DT_S 1e-3
#define SPACING_M 0.01
#define GAP_M (SPACING_M / 2)
#define STEPS 300
#define SPEEDS 4

typedef enum method { PENALTY, DISCRETE, OURS, METHODS } method;
static const char *const names[METHODS] = {"penalty", "discrete", "ours"};
static const double speeds[SPEEDS] = {1, 2, 4, 8};

typedef struct pour {
  sim_mesh mesh;
  bool *held;
  sim_fluid *fluid;
  sim_wet_cloth *sheet;
  sim_splash *splash;
} pour;

static void cloth(pour *p, double side_m, double box_m, int cells) {
  const sim_rectangle r = {
      .length_m = side_m, .width_m = side_m, .pattern = SIM_PATTERN_ALTERNATING, .cells_across = cells};
  const double unturned[3] = {0}, moved[3] = {(box_m - side_m) / 2, (box_m - side_m) / 2, 0.4};
  LAB_TRY(sim_mesh_rectangle(&r, &p->mesh, err));
  sim_mesh_place(&p->mesh, unturned, moved);
  p->held = calloc((size_t)p->mesh.n_vertices, sizeof *p->held);
  if (!p->held) lab_die("out of memory");
}

static void make(pour *p, double box_m, double thickness_m, double speed) {
  sim_fluid_setup f = sim_fluid_setup_default(SPACING_M, 2560);
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&p->mesh);
  f.box_hi_m[0] = f.box_hi_m[1] = box_m;
  f.viscosity_m2_per_s = 1e-4;
  s.held = p->held;
  s.stretch_N_per_m = 2e4;
  s.thickness_m = thickness_m;
  s.drag_per_s = 1;
  LAB_TRY(sim_fluid_new(&f, &p->fluid, err));
  LAB_TRY(sim_wet_cloth_new(&s, &p->sheet, err));
  LAB_TRY(sim_splash_new(p->fluid, p->sheet, GAP_M, &p->splash, err));
  const double from = box_m / 2 - 0.08, lo[3] = {from, from, 0.44}, hi[3] = {from + 0.16, from + 0.16, 0.54},
               v[3] = {0, 0, -speed};
  LAB_TRY(sim_fluid_add_block(p->fluid, lo, hi, v, err));
}

static void end(pour *p) {
  sim_splash_free(p->splash);
  sim_wet_cloth_free(p->sheet);
  sim_fluid_free(p->fluid);
  sim_mesh_clear(&p->mesh);
  free(p->held);
}

/* ---- the lesser methods ---- */

/* Whether particle i is nearer to a triangle than the gap, now; the nearest one. */
static bool near_now(const pour *p, int i, sim_wet_cloth_guest *out) {
  const sim_mesh *m = sim_wet_cloth_mesh(p->sheet);
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(p->sheet),
        *at = sim_fluid_position(p->fluid)[i];
  double nearest = GAP_M;
  for (int t = 0; t < m->n_triangles; t++) {
    double point[4][3], weight[4];
    bool far = false;
    memcpy(point[0], at, sizeof point[0]);
    for (int c = 0; c < 3; c++) memcpy(point[1 + c], x[m->triangle[t][c]], sizeof point[0]);
    for (int k = 0; k < 3 && !far; k++)
      far = at[k] + GAP_M < fmin(point[1][k], fmin(point[2][k], point[3][k])) ||
            at[k] - GAP_M > fmax(point[1][k], fmax(point[2][k], point[3][k]));
    if (far) continue;
    const double distance = sim_closest(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight);
    if (distance >= nearest) continue;
    nearest = distance;
    sim_closest_normal(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight, out->normal);
    memcpy(out->vertex, m->triangle[t], sizeof out->vertex);
    for (int c = 0; c < 3; c++) out->weight[c] = -weight[1 + c];
  }
  out->gap_m = GAP_M - nearest; /* the depth, so far */
  return nearest < GAP_M;
}

static void push_apart(pour *p, int i, const sim_wet_cloth_guest *g) {
  const double mass = sim_fluid_particle_mass(p->fluid), impulse_Ns = mass / (2 * DT_S) * g->gap_m;
  sim_add(sim_fluid_velocity(p->fluid)[i], impulse_Ns / mass, g->normal);
  for (int c = 0; c < 3; c++)
    sim_add(sim_wet_cloth_velocity(p->sheet)[g->vertex[c]],
            -impulse_Ns * g->weight[c] * sim_wet_cloth_inverse_mass(p->sheet)[g->vertex[c]], g->normal);
}

static void lesser_step(pour *p, method how, sim_wet_cloth_guest *guest, int *who) {
  int n = 0;
  LAB_TRY(sim_fluid_push(p->fluid, DT_S, NULL, err));
  double(*x)[3] = sim_fluid_position(p->fluid), (*v)[3] = sim_fluid_velocity(p->fluid);
  for (int i = 0; i < sim_fluid_count(p->fluid); i++) {
    sim_wet_cloth_guest *g = &guest[n];
    if (!near_now(p, i, g)) continue;
    if (how == PENALTY) {
      push_apart(p, i, g);
      continue;
    }
    memcpy(g->x, x[i], sizeof g->x);
    memcpy(g->v, v[i], sizeof g->v);
    g->inverse_mass_per_kg = 1 / sim_fluid_particle_mass(p->fluid);
    g->gap_m = GAP_M;
    who[n++] = i;
  }
  LAB_TRY(sim_wet_cloth_step(p->sheet, DT_S, guest, n, NULL, err));
  for (int g = 0; g < n; g++) memcpy(v[who[g]], guest[g].v, sizeof guest[g].v);
  LAB_TRY(sim_fluid_move(p->fluid, DT_S, err));
}

/* ---- what comes through ---- */

/* Under an odd number of layers. */
static int below(const pour *p) {
  const sim_mesh *m = sim_wet_cloth_mesh(p->sheet);
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(p->sheet);
  int n = 0;
  for (int i = 0; i < sim_fluid_count(p->fluid); i++) {
    const double *at = sim_fluid_position(p->fluid)[i];
    int above = 0;
    for (int t = 0; t < m->n_triangles; t++) {
      const double *a = x[m->triangle[t][0]], *b = x[m->triangle[t][1]], *c = x[m->triangle[t][2]],
                   whole = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
                   u = ((at[0] - a[0]) * (c[1] - a[1]) - (at[1] - a[1]) * (c[0] - a[0])) / whole,
                   w = ((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0])) / whole;
      above += u >= 0 && w >= 0 && u + w <= 1 && a[2] + u * (b[2] - a[2]) + w * (c[2] - a[2]) > at[2];
    }
    n += above % 2;
  }
  return n;
}

static int through(method how, double speed) {
  pour p;
  cloth(&p, 0.2, 0.16, 10);
  for (int i = 0; i < p.mesh.n_vertices; i++)
    p.held[i] = fabs(p.mesh.position_m[i][0] - 0.08) > 0.085 || fabs(p.mesh.position_m[i][1] - 0.08) > 0.085;
  make(&p, 0.16, 1e-3, speed);
  const size_t n = (size_t)sim_fluid_count(p.fluid);
  sim_wet_cloth_guest *guest = calloc(n + 1, sizeof *guest);
  int *who = calloc(n + 1, sizeof *who);
  if (!guest || !who) lab_die("out of memory");
  for (int k = 0; k < STEPS; k++) {
    if (how == OURS)
      LAB_TRY(sim_splash_step(p.splash, DT_S, NULL, err));
    else
      lesser_step(&p, how, guest, who);
  }
  const int found = below(&p);
  free(guest);
  free(who);
  end(&p);
  return found;
}

/* Held at two neighbouring corners, hit in its middle: it folds round the water. */
static int self_crossings(double thickness_m) {
  pour p;
  int found;
  cloth(&p, 0.5, 0.6, 24);
  for (int i = 0; i < p.mesh.n_vertices; i++)
    p.held[i] = p.mesh.position_m[i][0] < 0.09 && fabs(p.mesh.position_m[i][1] - 0.3) > 0.21;
  make(&p, 0.6, thickness_m, 1);
  for (int k = 0; k < 2 * STEPS; k++) LAB_TRY(sim_splash_step(p.splash, DT_S, NULL, err));
  LAB_TRY(sim_wet_cloth_crossings(p.sheet, &found, err));
  end(&p);
  return found;
}

int main(int argc, char **argv) {
  const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
  int all[METHODS][SPEEDS];
  if (argc > 1 + json) lab_die("usage: bench_contact [--json]");
  for (int m = 0; m < METHODS; m++)
    for (int k = 0; k < SPEEDS; k++) all[m][k] = through((method)m, speeds[k]);
  const int off = self_crossings(0), on = self_crossings(1e-3);
  if (json) printf("{\"self_crossings_off\": %d, \"self_crossings_on\": %d", off, on);
  for (int m = 0; m < METHODS; m++)
    for (int k = 0; k < SPEEDS; k++)
      printf(
          json ? ", \"%s_%g_m_per_s\": %d" : "%-8s at %g m/s: %d of 2560 particles are through the cloth\n",
          names[m], speeds[k], all[m][k]);
  if (json)
    printf("}\n");
  else
    printf("cloth with itself: %d pairs of triangles cross without contact, %d with it\n", off, on);
  return 0;
}
