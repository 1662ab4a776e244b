#include "sim_elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_threads.h"
#include "sim_blocks.h"
#include "sim_elastic_element.h"
#include "sim_lanes.h"
#include "sim_vec.h"

#define ROWS 64 /* rows of the matrix that a thread assembles at once */

struct sim_elastic {
  sim_elastic_setup setup;
  double lambda_Pa, mu_Pa;
  double (*x)[3], (*v)[3], (*force)[3], (*b)[3], *mass;
  sim_elastic_element *element;
  /* Per element: see sim_elastic_element_update; one element more, so that the last can be read four numbers
   * at a time. */
  double (*turned)[4][3];
  sim_blocks matrix;
  int *part_start, *part; /* per block: 16 * tetrahedron + 4 * corner + corner, ascending */
};

sim_elastic_setup sim_elastic_setup_default(const sim_tets *tets) {
  return (sim_elastic_setup){.tets = tets,
                             .density_kg_per_m3 = 30,
                             .young_Pa = 3e4,
                             .poisson = 0.3,
                             .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                             .tolerance = 1e-5,
                             .max_iterations = 1000};
}

static cb_status check_setup(const sim_elastic_setup *s, cb_err *err) {
  CB_TRY(cb_check_range(s->density_kg_per_m3, 1e-3, 1e5, "body: density", "kg/m3", err));
  CB_TRY(cb_check_range(s->young_Pa, 1e-3, 1e13, "body: Young's modulus", "Pa", err));
  CB_TRY(cb_check_range(s->poisson, 0, 0.49, "body: Poisson's ratio", "", err));
  CB_TRY(cb_check_range(s->damping_s, 0, 1e3, "body: damping", "s", err));
  return cb_check_range(s->drag_per_s, 0, 1e6, "body: drag", "1/s", err);
}

void sim_elastic_free(sim_elastic *e) {
  if (!e) return;
  free(e->x);
  free(e->v);
  free(e->force);
  free(e->b);
  free(e->mass);
  free(e->element);
  free(e->turned);
  free(e->part_start);
  free(e->part);
  sim_blocks_clear(&e->matrix);
  free(e);
}

/* ---- making ---- */

/* Lists the elements that contribute to each block of the matrix. */
static void find_parts(sim_elastic *e) {
  const sim_tets *t = e->setup.tets;
  int *start = e->part_start, n = e->matrix.start[t->n_vertices];
  for (int i = 0; i < 16 * t->n_tets; i++) {
    const int *v = t->tet[i / 16];
    start[sim_blocks_find(&e->matrix, v[i / 4 % 4], v[i % 4]) + 1]++;
  }
  for (int k = 0; k < n; k++) start[k + 1] += start[k];
  for (int i = 0; i < 16 * t->n_tets; i++) {
    const int *v = t->tet[i / 16];
    e->part[start[sim_blocks_find(&e->matrix, v[i / 4 % 4], v[i % 4])]++] = i;
  }
  memmove(start + 1, start, (size_t)n * sizeof *start);
  start[0] = 0;
}

static void measure_rest(sim_elastic *e) {
  const sim_tets *t = e->setup.tets;
  memcpy(e->x, t->position_m, (size_t)t->n_vertices * sizeof *e->x);
  for (int i = 0; i < t->n_tets; i++) {
    sim_elastic_element_rest(t, i, &e->element[i]);
    for (int a = 0; a < 4; a++)
      e->mass[t->tet[i][a]] += e->setup.density_kg_per_m3 * e->element[i].volume_m3 / 4;
  }
  find_parts(e);
}

static cb_status allocate_body(sim_elastic *e, cb_err *err) {
  const sim_tets *t = e->setup.tets;
  size_t n = (size_t)t->n_vertices, nt = (size_t)t->n_tets;
  CB_TRY(sim_blocks_init(t->n_vertices, t->tet[0], t->n_tets, 4, &e->matrix, err));
  e->x = calloc(n, sizeof *e->x);
  e->v = calloc(n, sizeof *e->v);
  e->force = calloc(n, sizeof *e->force);
  e->b = calloc(n, sizeof *e->b);
  e->mass = calloc(n, sizeof *e->mass);
  e->element = calloc(nt, sizeof *e->element);
  e->turned = calloc(nt + 1, sizeof *e->turned);
  e->part_start = calloc((size_t)e->matrix.start[n] + 1, sizeof *e->part_start);
  e->part = calloc(16 * nt, sizeof *e->part);
  if (!e->x || !e->v || !e->force || !e->b || !e->mass || !e->element || !e->turned || !e->part_start ||
      !e->part)
    return cb_no_memory(err, "body, %zu tetrahedra", nt);
  measure_rest(e);
  return CB_OK;
}

cb_status sim_elastic_new(const sim_elastic_setup *setup, sim_elastic **out, cb_err *err) {
  *out = NULL;
  CB_TRY(check_setup(setup, err));
  sim_elastic *e = calloc(1, sizeof *e);
  if (!e) return cb_no_memory(err, "body");
  double young = setup->young_Pa, nu = setup->poisson;
  e->setup = *setup;
  e->lambda_Pa = young * nu / ((1 + nu) * (1 - 2 * nu));
  e->mu_Pa = young / (2 * (1 + nu));
  cb_status st = allocate_body(e, err);
  if (st == CB_OK)
    *out = e;
  else
    sim_elastic_free(e);
  return st;
}

double (*sim_elastic_position(sim_elastic *body))[3] { return body->x; }
double (*sim_elastic_velocity(sim_elastic *body))[3] { return body->v; }
double (*sim_elastic_force(sim_elastic *body))[3] { return body->force; }
const double *sim_elastic_mass(const sim_elastic *body) { return body->mass; }

/* ---- the step ---- */

static void update_elements(sim_elastic *e) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < e->setup.tets->n_tets; i++)
    sim_elastic_element_update(&e->element[i], (const sim_vec3 *)e->x, e->setup.tets->tet[i], e->lambda_Pa,
                               e->mu_Pa, e->turned[i]);
}

/* A block: lambda P + mu P' + mu tr(P) I, with P the sum of g_a g_b' over the elements of both vertices. */
static inline void assemble_block(const sim_elastic *e, int k, double scale, double out[9]) {
  sim_four p[3] = {{0}};
  for (int i = e->part_start[k]; i < e->part_start[k + 1]; i++) {
    int part = e->part[i];
    const double(*g)[3] = (const sim_vec3 *)e->turned[part / 16], *b = g[part % 4];
    sim_four a = SIM_FOUR_AT(g[part / 4 % 4]);
    for (int c = 0; c < 3; c++) p[c] += a * b[c];
  }
  double trace = p[0][0] + p[1][1] + p[2][2];
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++)
      out[3 * c + r] = scale * (e->lambda_Pa * p[c][r] + e->mu_Pa * (p[r][c] + (r == c ? trace : 0)));
}

CB_WIDE static void assemble_rows(sim_elastic *e, double scale, int first, int last) {
  for (int k = e->matrix.start[first]; k < e->matrix.start[last]; k++)
    assemble_block(e, k, scale, e->matrix.block[k]);
}

/* Adds a vertex's mass to the matrix, and makes its row of the right side. */
static void add_vertex(sim_elastic *e, int i, double h) {
  const sim_elastic_setup *s = &e->setup;
  int own = sim_blocks_find(&e->matrix, i, i);
  double sum[3];
  memcpy(sum, e->force[i], sizeof sum);
  for (int k = e->part_start[own]; k < e->part_start[own + 1]; k++)
    sim_add(sum, 1, e->element[e->part[k] / 16].force_N[e->part[k] % 4]);
  for (size_t k = 0; k < 3; k++) {
    e->matrix.block[own][4 * k] += e->mass[i] * (1 + h * s->drag_per_s);
    e->b[i][k] = e->mass[i] * e->v[i][k] + h * (sum[k] + e->mass[i] * s->gravity_m_per_s2[k]);
  }
}

static void assemble(sim_elastic *e, double h) {
  int n = e->setup.tets->n_vertices;
#pragma omp parallel for schedule(static)
  for (int first = 0; first < n; first += ROWS) {
    int last = first + ROWS < n ? first + ROWS : n;
    assemble_rows(e, h * h + h * e->setup.damping_s, first, last);
    for (int i = first; i < last; i++) add_vertex(e, i, h);
  }
}

cb_status sim_elastic_end(sim_elastic *e, double h, cb_err *err) {
  for (int i = 0; i < e->setup.tets->n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      e->x[i][k] += h * e->v[i][k];
      e->force[i][k] = 0;
      if (!isfinite(e->x[i][k]))
        return cb_fail(err, CB_E_NUM, "body: vertex %d: its position is not finite", i);
    }
  return CB_OK;
}

sim_elastic_system sim_elastic_begin(sim_elastic *e, double h, sim_elastic_report *report) {
  *report = (sim_elastic_report){0};
  update_elements(e);
  for (int i = 0; i < e->setup.tets->n_tets; i++) report->inverted += e->element[i].inverted;
  assemble(e, h);
  return (sim_elastic_system){&e->matrix, (const sim_vec3 *)e->b, e->setup.held};
}

cb_status sim_elastic_step(sim_elastic *e, double h, sim_elastic_report *report, cb_err *err) {
  sim_elastic_system s = sim_elastic_begin(e, h, report);
  sim_blocks_result r =
      sim_blocks_solve(s.matrix, s.held, s.b, e->v, e->setup.tolerance, e->setup.max_iterations);
  report->iterations = r.iterations;
  report->residual = r.residual;
  return sim_elastic_end(e, h, err);
}

sim_elastic_energy sim_elastic_energy_of(sim_elastic *e) {
  sim_elastic_energy out = {0, 0, 0};
  update_elements(e);
  for (int i = 0; i < e->setup.tets->n_tets; i++) out.elastic += e->element[i].energy_J;
  for (int i = 0; i < e->setup.tets->n_vertices; i++) {
    out.kinetic += e->mass[i] / 2 * sim_dot(e->v[i], e->v[i]);
    out.gravity -= e->mass[i] * sim_dot(e->x[i], e->setup.gravity_m_per_s2);
  }
  return out;
}

/* ---- the state ---- */

static size_t triples(const sim_elastic *e) { return (size_t)e->setup.tets->n_vertices * sizeof *e->x; }

size_t sim_elastic_state_bytes(const sim_elastic *e) { return 2 * triples(e); }

void sim_elastic_state_take(const sim_elastic *e, unsigned char *to) {
  memcpy(to, e->x, triples(e));
  memcpy(to + triples(e), e->v, triples(e));
}

void sim_elastic_state_give(sim_elastic *e, const unsigned char *from) {
  memcpy(e->x, from, triples(e));
  memcpy(e->v, from + triples(e), triples(e));
}
