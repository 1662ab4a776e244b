/* What comes through a cloth by lesser methods of contact, as Tang et al.'s figures 2 and 4 to 6 show.
 *
 *   bench_contact [--json]
 *
 * A block of liquid of 2048 particles of 1 cm is thrown at 1 to 8 m/s on a cloth across a shaft, 200 steps of
 * 1 ms. The cloth is held all round, so a particle below it in the end has passed it. Three methods on the
 * same liquid and the same cloth:
 *
 *   penalty   a particle nearer to a triangle than the gap at the end of a step is pushed away from it in the
 *             next, by an explicit force in proportion to the depth: 1000 N/m, a particle's mass/dt^2. At 1
 *             m/s half of it and five times of it let more through.
 *   discrete  a particle nearer to a triangle than the gap at the expected end of the step is a guest of the
 *             cloth in its small steps: positions are corrected, as in sim_splash.
 *   ours      sim_splash: the first touch over the step, two passes with the pressure, the guard
 *
 * The lesser methods take the side on which they see the particle: there is no other for an open sheet. A
 * method that cannot go on has failed there: the count is that of its last step.
 *
 * A sheet of 961 vertices hangs from two corners that come together, with its contact with itself off and on:
 * pairs of triangles that cross. */
#include "bench_lab.h"
#include "fluidtest.h"
#include "sim_mesh.h"
#include "sim_query.h"
#include "sim_splash.h"
#include "sim_vec.h"
#include "sim_wet_cloth.h"

#define DT_S 1e-3
#define SPACING_M 0.01
#define GAP_M (SPACING_M / 2)
#define STEPS 200
#define SPEEDS 4
#define PENALTY_N_PER_M 1000
#define BOX_M 0.16

typedef enum method { PENALTY, DISCRETE, OURS, METHODS } method;
static const char *const names[METHODS] = {"penalty", "discrete", "ours"};
static const double speeds[SPEEDS] = {1, 2, 4, 8};

typedef struct found {
  int particles, through, guarded, stuck;
  double ended_s; /* the end of the last step */
  cb_err why;     /* empty if it went on to the end */
} found;

typedef struct pour {
  sim_fluid *fluid;
  sim_wet_cloth *sheet;
  sim_splash *splash;
  sim_wet_cloth_guest *guest;
  int *who;
  double (*box)[2][3]; /* per triangle, a gap wider; the last box is of the whole cloth */
} pour;

/* ---- the scene ---- */

static void cloth(double side_m, const double place_m[3], int cells, sim_mesh *mesh, bool **held) {
  const sim_rectangle r = {
      .length_m = side_m, .width_m = side_m, .pattern = SIM_PATTERN_ALTERNATING, .cells_across = cells};
  const double unturned[3] = {0};
  LAB_TRY(sim_mesh_rectangle(&r, mesh, err));
  sim_mesh_place(mesh, unturned, place_m);
  *held = calloc((size_t)mesh->n_vertices, sizeof **held);
  if (!*held) lab_die("out of memory");
}

static void make_cloth(pour *p) {
  const double place[3] = {-0.02, -0.02, 0.4};
  sim_mesh mesh;
  bool *held;
  cloth(BOX_M + 0.04, place, 20, &mesh, &held);
  for (int i = 0; i < mesh.n_vertices; i++)
    held[i] = fmax(fabs(mesh.position_m[i][0] - BOX_M / 2), fabs(mesh.position_m[i][1] - BOX_M / 2)) >
              BOX_M / 2 + 0.005;
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
  s.held = held;
  s.areal_density_kg_per_m2 = 0.5;
  s.stretch_N_per_m = 2e4;
  s.substeps = 32;
  s.drag_per_s = 1;
  LAB_TRY(sim_wet_cloth_new(&s, &p->sheet, err));
  p->box = calloc((size_t)mesh.n_triangles + 1, sizeof *p->box);
  free(held);
  sim_mesh_clear(&mesh);
}

static void make(pour *p, double speed) {
  const double lo[3] = {0, 0, 0.42}, hi[3] = {BOX_M, BOX_M, 0.5}, v[3] = {0, 0, -speed};
  sim_fluid_setup f = sim_fluid_setup_default(SPACING_M, 2560);
  *p = (pour){0};
  make_cloth(p);
  f.box_hi_m[0] = f.box_hi_m[1] = BOX_M;
  f.viscosity_m2_per_s = 1e-4;
  LAB_TRY(sim_fluid_new(&f, &p->fluid, err));
  LAB_TRY(fluid_add_block(p->fluid, lo, hi, v, err));
  LAB_TRY(sim_splash_new(p->fluid, p->sheet, GAP_M, &p->splash, err));
  p->guest = calloc((size_t)f.capacity, sizeof *p->guest);
  p->who = calloc((size_t)f.capacity, sizeof *p->who);
  if (!p->guest || !p->who || !p->box) lab_die("out of memory");
}

static void end(pour *p) {
  sim_splash_free(p->splash);
  sim_wet_cloth_free(p->sheet);
  sim_fluid_free(p->fluid);
  free(p->guest);
  free(p->who);
  free(p->box);
}

/* ---- the lesser methods ---- */

static void place_after(const double x[3], const double v[3], double after_s, double out[3]) {
  memcpy(out, x, sizeof(double[3]));
  sim_add(out, after_s, v);
}

static void find_boxes(pour *p, double after_s) {
  const sim_mesh *m = sim_wet_cloth_mesh(p->sheet);
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(p->sheet),
        (*v)[3] = (const sim_vec3 *)sim_wet_cloth_velocity(p->sheet);
  double(*whole)[3] = p->box[m->n_triangles];
  for (int k = 0; k < 3; k++) whole[0][k] = INFINITY, whole[1][k] = -INFINITY;
  for (int t = 0; t < m->n_triangles; t++)
    for (int k = 0; k < 3; k++) {
      double lo = INFINITY, hi = -INFINITY;
      for (int c = 0; c < 3; c++) {
        const int i = m->triangle[t][c];
        const double at = x[i][k] + after_s * v[i][k];
        lo = fmin(lo, at), hi = fmax(hi, at);
      }
      p->box[t][0][k] = lo - GAP_M, p->box[t][1][k] = hi + GAP_M;
      whole[0][k] = fmin(whole[0][k], lo - GAP_M), whole[1][k] = fmax(whole[1][k], hi + GAP_M);
    }
}

static bool outside(const double box[2][3], const double at[3]) {
  return at[2] < box[0][2] || at[2] > box[1][2] || at[0] < box[0][0] || at[0] > box[1][0] ||
         at[1] < box[0][1] || at[1] > box[1][1];
}

/* Fills *out with the nearest triangle to a place, if it is nearer than the gap; gap_m is the depth. */
static bool near_triangle(const pour *p, const double at[3], double after_s, sim_wet_cloth_guest *out) {
  const sim_mesh *m = sim_wet_cloth_mesh(p->sheet);
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(p->sheet),
        (*v)[3] = (const sim_vec3 *)sim_wet_cloth_velocity(p->sheet);
  double nearest = GAP_M;
  if (outside((const sim_vec3 *)p->box[m->n_triangles], at)) return false;
  for (int t = 0; t < m->n_triangles; t++) {
    double point[4][3], weight[4];
    if (outside((const sim_vec3 *)p->box[t], at)) continue;
    memcpy(point[0], at, sizeof point[0]);
    for (int c = 0; c < 3; c++)
      place_after(x[m->triangle[t][c]], v[m->triangle[t][c]], after_s, point[1 + c]);
    const double distance = sim_closest(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight);
    if (distance >= nearest) continue;
    nearest = distance;
    sim_closest_normal(SIM_VERTEX_TRIANGLE, (const sim_vec3 *)point, weight, out->normal);
    memcpy(out->vertex, m->triangle[t], sizeof out->vertex);
    for (int c = 0; c < 3; c++) out->weight[c] = -weight[1 + c];
  }
  out->gap_m = GAP_M - nearest;
  return nearest < GAP_M;
}

static void push_apart(pour *p, int i, const sim_wet_cloth_guest *g) {
  const double *of = sim_wet_cloth_inverse_mass(p->sheet), own = 1 / p->fluid->mass,
               impulse_Ns = PENALTY_N_PER_M * g->gap_m * DT_S;
  sim_add(sim_fluid_velocity(p->fluid)[i], impulse_Ns * own, g->normal);
  for (int c = 0; c < 3; c++)
    sim_add(sim_wet_cloth_velocity(p->sheet)[g->vertex[c]], -impulse_Ns * g->weight[c] * of[g->vertex[c]],
            g->normal);
}

static int invite(pour *p) {
  const double(*x)[3] = (const sim_vec3 *)sim_fluid_position(p->fluid),
        (*v)[3] = (const sim_vec3 *)sim_fluid_velocity(p->fluid);
  int n = 0;
  find_boxes(p, DT_S);
  for (int i = 0; i < sim_fluid_count(p->fluid); i++) {
    sim_wet_cloth_guest *g = &p->guest[n];
    double at[3];
    place_after(x[i], v[i], DT_S, at);
    if (!near_triangle(p, at, DT_S, g)) continue;
    memcpy(g->x, x[i], sizeof g->x);
    memcpy(g->v, v[i], sizeof g->v);
    g->inverse_mass_per_kg = 1 / p->fluid->mass;
    g->gap_m = GAP_M;
    p->who[n++] = i;
  }
  return n;
}

static void push_all(pour *p) {
  find_boxes(p, 0);
  for (int i = 0; i < sim_fluid_count(p->fluid); i++) {
    sim_wet_cloth_guest g;
    if (near_triangle(p, sim_fluid_position(p->fluid)[i], 0, &g)) push_apart(p, i, &g);
  }
}

static void move_guests(pour *p, int n) {
  for (int g = 0; g < n; g++)
    for (int k = 0; k < 3; k++) {
      const double from = sim_fluid_position(p->fluid)[p->who[g]][k];
      sim_fluid_velocity(p->fluid)[p->who[g]][k] = (p->guest[g].x[k] - from) / DT_S;
    }
}

static cb_status lesser_step(pour *p, method how, cb_err *err) {
  int n = 0;
  CB_TRY(sim_fluid_push(p->fluid, DT_S, NULL, err));
  if (how == PENALTY)
    push_all(p);
  else
    n = invite(p);
  CB_TRY(sim_wet_cloth_step(p->sheet, DT_S, p->guest, n, NULL, err));
  move_guests(p, n);
  return fluid_move(p->fluid, DT_S, err);
}

/* ---- what comes through ---- */

/* Under an odd number of layers, by brute force. */
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

static found throw_at(method how, double speed) {
  found out = {0};
  pour p;
  make(&p, speed);
  if (below(&p) > 0) lab_die("the liquid is below the cloth at the start");
  for (int k = 0; k < STEPS; k++) {
    sim_splash_report r = {0};
    const cb_status st =
        how == OURS ? sim_splash_step(p.splash, DT_S, &r, &out.why) : lesser_step(&p, how, &out.why);
    if (st != CB_OK) break;
    out.guarded += r.guarded;
    out.stuck += r.stuck;
    out.ended_s = (k + 1) * DT_S;
  }
  out.particles = sim_fluid_count(p.fluid);
  out.through = below(&p);
  end(&p);
  return out;
}

/* ---- the cloth with itself ---- */

#define SHEET_M 0.5
#define FOLD_STEPS 400
#define FOLD_DT_S 2e-3
#define LAST_M 0.02 /* between the corners in the end */

/* Corners come together in half of the time. */
static int self_crossings(double thickness_m) {
  const double place[3] = {0, 0, 1}, speed = (SHEET_M - LAST_M) / 2 / (FOLD_STEPS / 2 * FOLD_DT_S);
  sim_mesh mesh;
  bool *held;
  sim_wet_cloth *sheet;
  int crossings;
  cloth(SHEET_M, place, 30, &mesh, &held);
  for (int i = 0; i < mesh.n_vertices; i++)
    held[i] = mesh.position_m[i][0] < 1e-6 && fabs(mesh.position_m[i][1] - SHEET_M / 2) > SHEET_M / 2 - 1e-6;
  sim_wet_cloth_setup s = sim_wet_cloth_setup_default(&mesh);
  s.held = held;
  s.thickness_m = thickness_m;
  s.drag_per_s = 1;
  LAB_TRY(sim_wet_cloth_new(&s, &sheet, err));
  for (int k = 0; k < FOLD_STEPS; k++) {
    for (int i = 0; i < mesh.n_vertices; i++)
      if (held[i])
        sim_wet_cloth_velocity(sheet)[i][1] = k >= FOLD_STEPS / 2                   ? 0
                                              : mesh.position_m[i][1] < SHEET_M / 2 ? speed
                                                                                    : -speed;
    LAB_TRY(sim_wet_cloth_step(sheet, FOLD_DT_S, NULL, 0, NULL, err));
  }
  LAB_TRY(sim_wet_cloth_crossings(sheet, &crossings, err));
  sim_wet_cloth_free(sheet);
  free(held);
  sim_mesh_clear(&mesh);
  return crossings;
}

/* ---- what is printed ---- */

static void print_text(const found *f, const char *name, double speed) {
  printf("%-8s at %g m/s: %d of %d particles are through the cloth at %.3f s", name, speed, f->through,
         f->particles, f->ended_s);
  if (f->why.msg[0]) printf(", its end: %s", f->why.msg);
  if (f->guarded > 0) printf("; guarded %d, stuck %d", f->guarded, f->stuck);
  printf("\n");
}

static void print_json(const found all[METHODS][SPEEDS], int off, int on) {
  printf("{\n  \"self_crossings_off\": %d,\n  \"self_crossings_on\": %d", off, on);
  for (int m = 0; m < METHODS; m++) {
    printf(",\n  \"%s\": [", names[m]);
    for (int k = 0; k < SPEEDS; k++) {
      const found *f = &all[m][k];
      printf(
          "%s\n    {\"speed_m_per_s\": %g, \"particles\": %d, \"through\": %d, \"guarded\": %d, \"stuck\": "
          "%d, \"ended_s\": %g, \"error\": \"%s\"}",
          k > 0 ? "," : "", speeds[k], f->particles, f->through, f->guarded, f->stuck, f->ended_s,
          f->why.msg);
    }
    printf("\n  ]");
  }
  printf("\n}\n");
}

int main(int argc, char **argv) {
  static found all[METHODS][SPEEDS];
  const bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
  if (argc > 1 + json) lab_die("usage: bench_contact [--json]");
  const int off = self_crossings(0), on = self_crossings(1e-3);
  if (!json) printf("cloth with itself: %d pairs of triangles cross without contact, %d with it\n", off, on);
  for (int m = 0; m < METHODS; m++)
    for (int k = 0; k < SPEEDS; k++) {
      all[m][k] = throw_at((method)m, speeds[k]);
      if (!json) print_text(&all[m][k], names[m], speeds[k]);
    }
  if (json) print_json((const found(*)[SPEEDS])all, off, on);
  return 0;
}
