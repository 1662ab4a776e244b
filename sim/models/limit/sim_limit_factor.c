#include "sim_limit_impl.h"

#include <omp.h>
#include <string.h>

static cb_status no_memory(const sim_limit_factor *f, cb_err *err) {
  return cb_no_memory(err, "limit of %d vertices", f->blocks->n);
}

/* Column j of blocks, row >= j. */
static int first_below(const sim_blocks *a, int j) { return sim_blocks_find(a, j, j); }

/* Three columns of scalars for each of blocks; above the diagonal nothing is stored. */
static void find_pattern(sim_limit_factor *f) {
  const sim_blocks *a = f->blocks;
  int *column = f->matrix->p, *row = f->matrix->i, count = 0;
  *column++ = 0;
  for (int j = 0; j < a->n; j++)
    for (int b = 0; b < 3; b++) {
      for (int k = first_below(a, j); k < a->start[j + 1]; k++)
        for (int r = a->column[k] == j ? b : 0; r < 3; r++) row[count++] = 3 * a->column[k] + r;
      *column++ = count;
    }
}

cb_status sim_limit_factor_init(const sim_blocks *blocks, sim_limit_factor *out, cb_err *err) {
  const size_t n = 3 * (size_t)blocks->n, entries = 9 * (size_t)blocks->start[blocks->n];
  *out = (sim_limit_factor){.blocks = blocks};
  cholmod_start(&out->common);
  out->common.print = 0;
  out->common.supernodal = CHOLMOD_SUPERNODAL; /* the kind that notices a matrix that is not positive
                                                  definite */
  out->common.nmethods = 1;
  out->common.method[0].ordering = CHOLMOD_NESDIS;
  out->matrix = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_REAL, &out->common);
  out->right = cholmod_zeros(n, 1, CHOLMOD_REAL, &out->common);
  if (!out->matrix || !out->right) return no_memory(out, err);
  find_pattern(out);
  /* One at a time, as in sim_direct.c: METIS. */
#pragma omp critical(cholmod)
  out->factor = cholmod_analyze(out->matrix, &out->common);
  return out->factor ? CB_OK : no_memory(out, err);
}

void sim_limit_factor_clear(sim_limit_factor *f) {
  if (!f->blocks) return;
  cholmod_free_sparse(&f->matrix, &f->common);
  cholmod_free_factor(&f->factor, &f->common);
  cholmod_free_dense(&f->right, &f->common);
  cholmod_finish(&f->common);
  *f = (sim_limit_factor){0};
}

/* The matrix is symmetric: rows of its blocks are the columns. What is held has 1 on the diagonal, and
 * nothing else. */
static void fill_matrix(sim_limit_factor *f, const bool *held) {
  const sim_blocks *a = f->blocks;
  double *value = f->matrix->x;
  for (int j = 0; j < a->n; j++)
    for (int b = 0; b < 3; b++)
      for (int k = first_below(a, j); k < a->start[j + 1]; k++) {
        const int i = a->column[k];
        const bool fixed = held && (held[i] || held[j]);
        for (int r = i == j ? b : 0; r < 3; r++) *value++ = fixed ? i == j && r == b : a->block[k][3 * r + b];
      }
}

static cb_status solve_factored(sim_limit_factor *f, const bool *held, const double (*b)[3],
                                double (*change)[3], bool *positive, cb_err *err) {
  const int n = f->blocks->n;
  double(*right)[3] = f->right->x;
  if (!cholmod_factorize(f->matrix, f->factor, &f->common)) return no_memory(f, err);
  *positive = f->common.status != CHOLMOD_NOT_POSDEF;
  if (!*positive) return CB_OK;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) right[i][k] = held && held[i] ? 0 : b[i][k];
  cholmod_dense *answer = cholmod_solve(CHOLMOD_A, f->factor, f->right, &f->common);
  if (!answer) return no_memory(f, err);
  memcpy(change, answer->x, (size_t)n * sizeof *change);
  cholmod_free_dense(&answer, &f->common);
  return CB_OK;
}

cb_status sim_limit_factor_solve(sim_limit_factor *f, const bool *held, const double (*b)[3],
                                 double (*change)[3], bool *positive, cb_err *err) {
  memset(change, 0, (size_t)f->blocks->n * sizeof *change);
  fill_matrix(f, held);
  cb_status st;
  /* One at a time, as in sim_direct.c: BLAS. CHOLMOD asks for four threads, however many there are; they cost
   * more than they bring. */
#pragma omp critical(cholmod)
  {
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
    st = solve_factored(f, held, b, change, positive, err);
    omp_set_max_active_levels(levels);
  }
  return st;
}
