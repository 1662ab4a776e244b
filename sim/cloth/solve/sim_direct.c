#include "sim_direct.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "sim_bending_friction.h"

static cb_status no_memory(const sim_direct *d, cb_err *err) {
  return cb_no_memory(err, "stiffness of %d vertices", d->mesh->n_vertices);
}

static void number_the_free(sim_direct *d, const bool *gripped) {
  for (int i = 0; i < d->mesh->n_vertices; i++) d->number[i] = gripped && gripped[i] ? -1 : d->n_free++;
}

/* The pattern is that of bending, which reaches at least as far as triangles. */
static cb_status find_pattern(sim_direct *d, const sim_bending *b, cb_err *err) {
  int n = d->mesh->n_vertices;
  const size_t most = sim_pairs_entries(&b->pairs) + 1, longest = (size_t)sim_pairs_longest_row(&b->pairs);
  d->start = calloc((size_t)d->n_free + 1, sizeof *d->start);
  d->row = calloc(most, sizeof *d->row);
  d->bending_N_per_m = calloc(most, sizeof *d->bending_N_per_m);
  int *column = calloc(longest + 1, sizeof *column);
  double *value = calloc(longest + 1, sizeof *value);
  const bool made = d->start && d->row && d->bending_N_per_m && column && value;
  for (int i = 0, count = 0; i < n && made; i++) {
    if (d->number[i] < 0) continue;
    const int length = sim_pairs_row(&b->pairs, i, column, value);
    for (int k = 0; k < length; k++) {
      if (d->number[column[k]] < d->number[i]) continue;
      d->row[count] = d->number[column[k]];
      d->bending_N_per_m[count++] = value[k];
    }
    d->start[d->number[i] + 1] = count;
  }
  free(column);
  free(value);
  return made ? CB_OK : no_memory(d, err);
}

/* Entries in a column of scalars. */
static int column_length(const sim_direct *d, int j) { return 3 * (d->start[j + 1] - d->start[j]); }

/* Row i >= column j. */
static int place_of(const sim_direct *d, int i, int j) {
  int low = d->start[j], high = d->start[j + 1] - 1;
  while (low < high) {
    int middle = (low + high) / 2;
    if (d->row[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return 9 * d->start[j] + 3 * (low - d->start[j]);
}

static cb_status find_places(sim_direct *d, cb_err *err) {
  d->place = calloc((size_t)d->mesh->n_triangles, sizeof *d->place);
  if (!d->place) return no_memory(d, err);
  for (int t = 0; t < d->mesh->n_triangles; t++)
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < 3; q++) {
        int i = d->number[d->mesh->triangle[t][p]], j = d->number[d->mesh->triangle[t][q]];
        d->place[t][p][q] = j >= 0 && i >= j ? place_of(d, i, j) : -1;
      }
  return CB_OK;
}

/* Makes CHOLMOD's matrix (the pattern in scalars), its ordering, and one right side. */
static cb_status analyse_pattern(sim_direct *d, cb_err *err) {
  size_t n = 3 * (size_t)d->n_free, entries = 9 * (size_t)d->start[d->n_free];
  d->matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, &d->common);
  d->right = cholmod_zeros(n, 1, CHOLMOD_REAL, &d->common);
  if (!d->matrix || !d->right) return no_memory(d, err);
  int *column = d->matrix->p, *row = d->matrix->i;
  for (int j = 0; j < d->n_free; j++)
    for (int b = 0; b < 3; b++) {
      int first = 9 * d->start[j] + b * column_length(d, j);
      column[3 * j + b] = first;
      for (int k = d->start[j]; k < d->start[j + 1]; k++)
        for (int a = 0; a < 3; a++) row[first++] = 3 * d->row[k] + a;
    }
  column[n] = (int)entries;
  /* METIS takes its random numbers from rand(): beside another thread it finds another order. */
#pragma omp critical(cholmod)
  d->factor = cholmod_analyze(d->matrix, &d->common);
  return d->factor ? CB_OK : no_memory(d, err);
}

cb_status sim_direct_init(const sim_bending *bending, const bool *gripped, sim_direct *out, cb_err *err) {
  *out = (sim_direct){.mesh = bending->mesh};
  cholmod_start(&out->common);
  out->common.print = 0;
  out->common.supernodal = CHOLMOD_SUPERNODAL; /* the kind of factor that notices a matrix that is not
                                                  positive definite */
  out->common.nmethods = 1;
  out->common.method[0].ordering = CHOLMOD_NESDIS;
  out->number = calloc((size_t)bending->mesh->n_vertices, sizeof *out->number);
  if (!out->number) return no_memory(out, err);
  number_the_free(out, gripped);
  CB_TRY(find_pattern(out, bending, err));
  CB_TRY(find_places(out, err));
  if (out->n_free == 0) return CB_OK;
  return analyse_pattern(out, err);
}

void sim_direct_clear(sim_direct *d) {
  if (!d->mesh) return;
  cholmod_free_sparse(&d->matrix, &d->common);
  cholmod_free_factor(&d->factor, &d->common);
  cholmod_free_dense(&d->right, &d->common);
  cholmod_finish(&d->common);
  free(d->number);
  free(d->start);
  free(d->row);
  free(d->bending_N_per_m);
  free(d->place);
  *d = (sim_direct){0};
}

static void put_bending(sim_direct *d) {
  double *value = d->matrix->x;
  memset(value, 0, 9 * (size_t)d->start[d->n_free] * sizeof *value);
  for (int j = 0; j < d->n_free; j++) {
    int length = column_length(d, j);
    for (int k = d->start[j]; k < d->start[j + 1]; k++)
      for (int a = 0; a < 3; a++)
        value[9 * d->start[j] + a * length + 3 * (k - d->start[j]) + a] = d->bending_N_per_m[k];
  }
}

static void add_triangle(sim_direct *d, int t, double k[3][3][3][3]) {
  double *value = d->matrix->x;
  for (int p = 0; p < 3; p++)
    for (int q = 0; q < 3; q++) {
      int at = d->place[t][p][q];
      if (at < 0) continue;
      int length = column_length(d, d->number[d->mesh->triangle[t][q]]);
      for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) value[at + b * length + a] += k[p][q][a][b];
    }
}

/* kappa_p kappa_q x the second derivatives of warp and weft. */
static void add_pair(sim_direct *d, int i, int j, const double kappa_i[3], const double kappa_j[3],
                     double k[2][3][3]) {
  double *value = (double *)d->matrix->x + place_of(d, i, j),
         weight[2] = {kappa_i[0] * kappa_j[0], kappa_i[1] * kappa_j[1]};
  int length = column_length(d, j);
  for (int b = 0; b < 3; b++)
    for (int a = 0; a < 3; a++) value[b * length + a] += weight[0] * k[0][a][b] + weight[1] * k[1][a][b];
}

static void add_bending_friction(sim_direct *d, const double (*x)[3]) {
  const sim_bending_friction *f = d->bending_friction;
  if (!f || !f->mesh) return;
  const sim_stencils *s = &f->stencils;
  double k[2][3][3];
  for (int t = 0; t < d->mesh->n_triangles; t++) {
    sim_bending_friction_tangent(f, x, t, k);
    for (int p = s->start[t]; p < s->start[t + 1]; p++)
      for (int q = s->start[t]; q < s->start[t + 1]; q++) {
        int i = d->number[s->vertex[p]], j = d->number[s->vertex[q]];
        if (j >= 0 && i >= j) add_pair(d, i, j, s->kappa[p], s->kappa[q], k);
      }
  }
}

static void add_inertia(sim_direct *d, const double *inertia) {
  double *value = d->matrix->x, sum = 0;
  for (int i = 0; i < d->mesh->n_vertices; i++) {
    int j = d->number[i];
    if (j < 0) continue;
    for (int a = 0; a < 3; a++) {
      double *diagonal = &value[9 * d->start[j] + a * column_length(d, j) + a];
      sum += *diagonal * *diagonal;
      *diagonal += inertia[i];
    }
  }
  d->diagonal_N_per_m = sqrt(sum);
}

/* CHOLMOD's dense parts are BLAS. Debian's OpenBLAS without threads gives wrong products where two threads
 * call it at once, as drapes do that run side by side. So one thread at a time factorises or solves.
 *
 * CHOLMOD asks for four threads, however many there are. They cost more than they save. */
static bool factorise_alone(sim_direct *d) {
  int done;
#pragma omp critical(cholmod)
  {
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
    done = cholmod_factorize(d->matrix, d->factor, &d->common);
    omp_set_max_active_levels(levels);
  }
  return done;
}

cb_status sim_direct_factorise(sim_direct *d, const sim_membrane *membrane, const double (*x)[3],
                               const double (*before)[3], double compression, const double *inertia,
                               bool *positive, cb_err *err) {
  *positive = true;
  if (d->n_free == 0) return CB_OK;
  put_bending(d);
  double k[3][3][3][3];
  for (int t = 0; t < d->mesh->n_triangles; t++) {
    sim_element_stiffness(membrane, t, x, before, compression, k);
    add_triangle(d, t, k);
  }
  add_bending_friction(d, x);
  add_inertia(d, inertia);
  if (!factorise_alone(d)) return no_memory(d, err);
  *positive = d->common.status != CHOLMOD_NOT_POSDEF;
  return CB_OK;
}

cb_status sim_direct_solve(sim_direct *d, const double (*force)[3], double (*change)[3], cb_err *err) {
  double *right = d->right->x;
  for (int i = 0; i < d->mesh->n_vertices; i++)
    if (d->number[i] >= 0) memcpy(right + 3 * (size_t)d->number[i], force[i], sizeof *force);
  cholmod_dense *answer;
#pragma omp critical(cholmod)
  answer = cholmod_solve(CHOLMOD_A, d->factor, d->right, &d->common);
  if (!answer) return no_memory(d, err);
  const double *value = answer->x;
  for (int i = 0; i < d->mesh->n_vertices; i++)
    for (int a = 0; a < 3; a++) change[i][a] = d->number[i] >= 0 ? value[3 * d->number[i] + a] : 0;
  cholmod_free_dense(&answer, &d->common);
  return CB_OK;
}
