#include "sim_edge_limit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

/* Stiffness of a spring: in masses of its lighter end over h^2, and in the membrane's steepest slope. */
#define STIFF_MASS 3e4
#define STIFF_SLOPE 30.0
#define TESTS_MOST 50
#define SWEEPS 10 /* between tests; every other one runs backwards */
/* Excess at which an edge becomes a spring within the step, and to which it is shortened after it. It is more
 * than 0, so that a held edge is a spring of the next step from its beginning. */
#define KEPT (SIM_EDGE_LIMIT_TOLERANCE / 2)

typedef struct sim_edge_spring {
  int edge, low, high; /* the ends by number */
  double stiffness_N_per_m;
} sim_edge_spring;

cb_status sim_edge_limit_init(const sim_mesh *mesh, const double *most_m, sim_edge_limit *out, cb_err *err) {
  const size_t n = most_m ? (size_t)mesh->n_edges : 0;
  *out = (sim_edge_limit){.mesh = mesh, .most_m = most_m};
  if (n == 0) return CB_OK;
  out->spring = calloc(n, sizeof *out->spring);
  out->over = calloc(n, sizeof *out->over);
  out->sprung = calloc(n, sizeof *out->sprung);
  out->listed = calloc(n, sizeof *out->listed);
  return out->spring && out->over && out->sprung && out->listed ? CB_OK
                                                                : cb_no_memory(err, "limits of %zu edges", n);
}

void sim_edge_limit_clear(sim_edge_limit *l) {
  free(l->spring);
  free(l->over);
  free(l->sprung);
  free(l->listed);
  *l = (sim_edge_limit){0};
}

static int edges_of(const sim_edge_limit *l) { return l->most_m ? l->mesh->n_edges : 0; }

/* The square of an edge's length over its limit, where vertices are at x + gamma v; v may be NULL. */
static inline double square_over_limit(const sim_edge_limit *l, int e, const double (*x)[3], double gamma_s,
                                       const double (*v)[3]) {
  const int *end = l->mesh->edge[e].vertex;
  double d[3];
  sim_sub(x[end[1]], x[end[0]], d);
  for (int a = 0; v && a < 3; a++) d[a] += gamma_s * (v[end[1]][a] - v[end[0]][a]);
  return sim_dot(d, d) / (l->most_m[e] * l->most_m[e]);
}

/* Marks the edges that are longer than their limit by more than `excess` of it. Returns their number. */
static int find_over(sim_edge_limit *l, double excess, const double (*x)[3], double gamma_s,
                     const double (*v)[3]) {
  const double most = (1 + excess) * (1 + excess);
  int n = 0;
#pragma omp parallel for schedule(static) reduction(+ : n)
  for (int e = 0; e < edges_of(l); e++) {
    l->over[e] = square_over_limit(l, e, x, gamma_s, v) > most;
    n += l->over[e];
  }
  return n;
}

/* ---- in the step ---- */

/* Makes the marked edges springs. Returns the number of new ones. */
static int add_marked(sim_edge_limit *l, const sim_edge_limit_step *step) {
  const int before = l->n_springs;
  for (int e = 0; e < edges_of(l); e++) {
    if (!l->over[e] || l->sprung[e]) continue;
    const int *v = l->mesh->edge[e].vertex;
    l->sprung[e] = true;
    l->spring[l->n_springs++] =
        (sim_edge_spring){.edge = e,
                          .low = v[0] < v[1] ? v[0] : v[1],
                          .high = v[0] < v[1] ? v[1] : v[0],
                          .stiffness_N_per_m = STIFF_MASS * fmin(step->mass_kg[v[0]], step->mass_kg[v[1]]) /
                                                   (step->dt_s * step->dt_s) +
                                               STIFF_SLOPE * step->steepest_N_per_m};
  }
  return l->n_springs - before;
}

void sim_edge_limit_begin(sim_edge_limit *l, const sim_edge_limit_step *step, const double (*x)[3]) {
  for (int k = 0; k < l->n_springs; k++) l->sprung[l->spring[k].edge] = false;
  l->n_springs = 0;
  if (find_over(l, 0, x, 0, NULL) > 0) (void)add_marked(l, step);
}

int sim_edge_limit_extend(sim_edge_limit *l, const sim_edge_limit_step *step, const double (*past_x)[3],
                          double gamma_s, const double (*v)[3]) {
  return find_over(l, KEPT, past_x, gamma_s, v) > 0 ? add_marked(l, step) : 0;
}

void sim_edge_limit_add(const sim_edge_limit *l, int first, const double (*x)[3], double (*force)[3],
                        float (*block)[9]) {
  for (int k = first; k < l->n_springs; k++) {
    const sim_edge_spring *s = &l->spring[k];
    double n[3];
    sim_sub(x[s->high], x[s->low], n);
    const double length_m = sim_norm(n), tension_N = s->stiffness_N_per_m * (length_m - l->most_m[s->edge]);
    const double across = fmax(0, tension_N) / length_m;
    for (int a = 0; a < 3; a++) n[a] /= length_m;
    sim_add(force[s->low], tension_N, n);
    sim_add(force[s->high], -tension_N, n);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        block[s->edge][3 * a + b] -=
            (float)((s->stiffness_N_per_m - across) * n[a] * n[b] + across * (a == b));
  }
}

void sim_edge_limit_ends(sim_edge_limit *l, const double (*x)[3], bool *taut) {
  memset(taut, 0, (size_t)l->mesh->n_vertices * sizeof *taut);
  if (find_over(l, 0, x, 0, NULL) == 0) return;
  for (int e = 0; e < edges_of(l); e++)
    if (l->over[e]) taut[l->mesh->edge[e].vertex[0]] = taut[l->mesh->edge[e].vertex[1]] = true;
}

/* ---- after the step ---- */

static double inverse_mass(const sim_edge_limit_cloth *c, int i) {
  return c->held && c->held[i] ? 0 : 1 / c->mass_kg[i];
}

/* Moves a vertex by an impulse and a shift, but not into what it lies on. */
static void move_end(const sim_edge_limit_cloth *c, int i, double impulse_Ns, double shift_kgm,
                     const double along[3], double dt_s) {
  const double inverse = inverse_mass(c, i), *support = c->support ? c->support[i] : NULL,
               out = support ? sim_dot(support, along) : 0;
  double way[3] = {along[0], along[1], along[2]};
  if (support && out * (impulse_Ns + shift_kgm) < 0) sim_add(way, -out, support);
  sim_add(c->v_m_per_s[i], inverse * impulse_Ns, way);
  sim_add(c->x_m[i], inverse * (dt_s * impulse_Ns + shift_kgm), way);
}

static bool shorten_edge(const sim_edge_limit *l, int e, const sim_edge_limit_cloth *c, double dt_s) {
  const int i = l->mesh->edge[e].vertex[0], j = l->mesh->edge[e].vertex[1];
  const double inverse = inverse_mass(c, i) + inverse_mass(c, j);
  double along[3], speed[3];
  sim_sub(c->x_m[j], c->x_m[i], along);
  const double length_m = sim_norm(along), excess_m = length_m - (1 + KEPT) * l->most_m[e];
  if (!(excess_m > 0 && inverse > 0)) return false;
  for (int a = 0; a < 3; a++) along[a] /= length_m;
  sim_sub(c->v_m_per_s[j], c->v_m_per_s[i], speed);
  const double stop = fmin(excess_m / dt_s, fmax(0, sim_dot(along, speed)));
  const double impulse_Ns = stop / inverse, shift_kgm = (excess_m - dt_s * stop) / inverse;
  move_end(c, i, impulse_Ns, shift_kgm, along, dt_s);
  move_end(c, j, -impulse_Ns, -shift_kgm, along, dt_s);
  return true;
}

int sim_edge_limit_enforce(sim_edge_limit *l, const sim_edge_limit_cloth *c, double dt_s) {
  const double(*x)[3] = (const sim_vec3 *)c->x_m;
  int corrections = 0;
  for (int test = 0; test < TESTS_MOST; test++) {
    const int n = find_over(l, SIM_EDGE_LIMIT_TOLERANCE, x, 0, NULL);
    if (n == 0) break;
    for (int e = 0, k = 0; k < n; e++)
      if (l->over[e]) l->listed[k++] = e;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      for (int k = 0; k < n; k++)
        corrections += shorten_edge(l, l->listed[sweep % 2 == 0 ? k : n - 1 - k], c, dt_s);
  }
  return corrections;
}

double sim_edge_limit_longest(const sim_edge_limit *l, const double (*x)[3], int *at_limit) {
  double most = 0;
  int n = 0;
#pragma omp parallel for schedule(static) reduction(max : most) reduction(+ : n)
  for (int e = 0; e < edges_of(l); e++) {
    const double square = square_over_limit(l, e, x, 0, NULL);
    most = fmax(most, square);
    n += square > 1;
  }
  *at_limit = n;
  return sqrt(most);
}
