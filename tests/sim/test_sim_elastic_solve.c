/* A body's step against a dense system that is made and solved in another way; ill conditions; weight at any
 * speed; what product and preconditioner promise; threads. */
#include "cbtest.h"

#include <float.h>
#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_blocks.h"
#include "sim_blocks_apply.h"
#include "sim_elastic.h"
#include "turntest.h"

#define MOST 60 /* vertices of a dense system */

/* ---- the dense system ---- */

typedef struct dense {
  int n; /* numbers, three a vertex */
  double a[3 * MOST][3 * MOST], b[3 * MOST];
} dense;

/* Gradients of the corners' shape functions, from the inverse of the edges; returns the volume. */
static double gradients(const sim_tets *t, int tet, double g[4][3]) {
  const int *v = t->tet[tet];
  double edge[3][3];
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) edge[i][k] = t->position_m[v[k + 1]][i] - t->position_m[v[0]][i];
  double det = turntest_determinant((const sim_vec3 *)edge);
  memset(g, 0, 4 * sizeof *g);
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      g[k + 1][i] = (edge[i1][k1] * edge[i2][k2] - edge[i1][k2] * edge[i2][k1]) / det;
      g[0][i] -= g[k + 1][i];
    }
  return det / 6;
}

/* Strains (xx yy zz yz zx xy, shears in full) of the places turned back: by corner a's number k of the world.
 * Returns the volume. */
static double strains(const sim_tets *t, int tet, const double (*x)[3], double b[6][12]) {
  const int *v = t->tet[tet];
  double g[4][3], f[3][3] = {{0}}, r[3][3], volume = gradients(t, tet, g);
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 9; i++) f[i / 3][i % 3] += x[v[a]][i / 3] * g[a][i % 3];
  (void)turntest_nearest((const sim_vec3 *)f, r);
  for (int a = 0; a < 4; a++)
    for (int k = 0; k < 3; k++)
      for (int e = 0; e < 3; e++) {
        int p = (e + 1) % 3, q = (e + 2) % 3;
        b[e][3 * a + k] = r[k][e] * g[a][e];
        b[e + 3][3 * a + k] = r[k][p] * g[a][q] + r[k][q] * g[a][p];
      }
  return volume;
}

/* K = V B' D B, force -V B' D (B x - 1). */
static void add_element(dense *d, const sim_elastic_setup *s, int tet, const double (*x)[3], double h) {
  const int *v = s->tets->tet[tet];
  double mu = s->young_Pa / (2 * (1 + s->poisson)),
         lambda = s->young_Pa * s->poisson / ((1 + s->poisson) * (1 - 2 * s->poisson));
  double b[6][12], db[6][12] = {{0}}, strain[6], volume = strains(s->tets, tet, x, b);
  for (int e = 0; e < 6; e++) {
    strain[e] = e < 3 ? -1 : 0;
    for (int k = 0; k < 12; k++) {
      strain[e] += b[e][k] * x[v[k / 3]][k % 3];
      for (int c = 0; c < 6; c++)
        db[e][k] += ((e == c ? e < 3 ? 2 * mu : mu : 0) + (e < 3 && c < 3 ? lambda : 0)) * b[c][k];
    }
  }
  for (int i = 0; i < 12; i++)
    for (int e = 0; e < 6; e++) {
      d->b[3 * v[i / 3] + i % 3] -= h * volume * db[e][i] * strain[e];
      for (int k = 0; k < 12; k++)
        d->a[3 * v[i / 3] + i % 3][3 * v[k / 3] + k % 3] +=
            (h * h + h * s->damping_s) * volume * b[e][i] * db[e][k];
    }
}

/* Cholesky's factor in place; held numbers keep what they have. */
static void dense_solve(dense *d, const bool *held, double (*v)[3]) {
  for (int i = 0; i < d->n; i++)
    for (int k = 0; held && held[i / 3] && k < d->n; k++) {
      if (!held[k / 3]) d->b[k] -= d->a[k][i] * v[i / 3][i % 3];
      d->a[i][k] = d->a[k][i] = i == k;
      d->b[i] = v[i / 3][i % 3];
    }
  for (int i = 0; i < d->n; i++)
    for (int k = 0; k <= i; k++) {
      double sum = d->a[i][k];
      for (int j = 0; j < k; j++) sum -= d->a[i][j] * d->a[k][j];
      d->a[i][k] = i == k ? sqrt(sum) : sum / d->a[k][k];
    }
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; k < i; k++) d->b[i] -= d->a[i][k] * d->b[k];
    d->b[i] /= d->a[i][i];
  }
  for (int i = d->n - 1; i >= 0; i--) {
    for (int k = i + 1; k < d->n; k++) d->b[i] -= d->a[k][i] * d->b[k];
    d->b[i] /= d->a[i][i];
    v[i / 3][i % 3] = d->b[i];
  }
}

static void dense_step(const sim_elastic_setup *s, const double (*x)[3], const double (*force)[3],
                       const double *mass, double h, double (*v)[3]) {
  static dense d;
  memset(&d, 0, sizeof d);
  d.n = 3 * s->tets->n_vertices;
  for (int t = 0; t < s->tets->n_tets; t++) add_element(&d, s, t, x, h);
  for (int i = 0; i < d.n; i++) {
    d.a[i][i] += mass[i / 3] * (1 + h * s->drag_per_s);
    d.b[i] += mass[i / 3] * (v[i / 3][i % 3] + h * s->gravity_m_per_s2[i % 3]) + h * force[i / 3][i % 3];
  }
  dense_solve(&d, s->held, v);
}

/* A body in any deformation and motion, pushed: a step's velocities are the dense system's. flat: of its
 * height, which makes slivers. */
static void against_dense(double poisson, double young, double damping, double flat, bool hold, double h) {
  const sim_block block = {{0, 0, 0}, {0.3, 0.2, 0.2 * flat}, {3, 2, 2}};
  bool held[MOST] = {false};
  double v[MOST][3], force[MOST][3], x[MOST][3], most = 0;
  sim_tets t;
  sim_elastic *e;
  sim_elastic_report report;
  cb_rng rng;
  cb_rng_init(&rng, 7, 0);
  assert_ok(sim_tets_block(&block, &t, err));
  assert_true(t.n_vertices <= MOST);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  s.poisson = poisson, s.young_Pa = young, s.damping_s = damping, s.drag_per_s = 0.5;
  s.tolerance = 1e-12, s.max_iterations = 20000;
  for (int i = 0; i < t.n_vertices; i++) held[i] = t.position_m[i][0] < 1e-9;
  if (hold) s.held = held;
  assert_ok(sim_elastic_new(&s, &e, err));
  for (int i = 0; i < 3 * t.n_vertices; i++) {
    int c = i % 3;
    x[i / 3][c] = t.position_m[i / 3][c] + 0.02 * (c == 2 ? flat : 1) * cb_rng_normal(&rng);
    v[i / 3][c] = cb_rng_normal(&rng);
    force[i / 3][c] = cb_rng_normal(&rng);
  }
  size_t bytes = (size_t)t.n_vertices * sizeof *x;
  memcpy(sim_elastic_position(e), x, bytes);
  memcpy(sim_elastic_velocity(e), v, bytes);
  memcpy(sim_elastic_force(e), force, bytes);
  assert_ok(sim_elastic_step(e, h, &report, err));
  dense_step(&s, (const sim_vec3 *)x, (const sim_vec3 *)force, sim_elastic_mass(e), h, v);
  for (int i = 0; i < 3 * t.n_vertices; i++) most = fmax(most, fabs(v[i / 3][i % 3]));
  for (int i = 0; i < 3 * t.n_vertices; i++)
    assert_near(sim_elastic_velocity(e)[i / 3][i % 3], v[i / 3][i % 3], 1e-7 * most);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

static void solution(void **state) {
  (void)state;
  static const double steps[] = {1e-4, 1e-3, 1e-2, 1e-1};
  for (int k = 0; k < 4; k++)
    for (int hold = 0; hold < 2; hold++) {
      against_dense(0.3, 3e4, 0, 1, hold, steps[k]);
      against_dense(0.3, 3e4, 0.01, 1, hold, steps[k]);
      against_dense(0.49, 3e4, 0.01, 1, hold, steps[k]);
      against_dense(0.2, 3e7, 0, 1, hold, steps[k]);
      against_dense(0.3, 3e4, 0, 0.05, hold, steps[k]);
    }
}

/* However fast it falls, and however short the step: the solver answers to what the step changes, not to what
 * is there. */
static void falls(void **state) {
  (void)state;
  const sim_block block = {{0, 0, 0}, {0.5, 0.3, 0.2}, {10, 6, 4}};
  sim_tets t;
  sim_elastic *e;
  sim_elastic_report report;
  assert_ok(sim_tets_block(&block, &t, err));
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  s.damping_s = 0.01;
  assert_ok(sim_elastic_new(&s, &e, err));
  for (int i = 0; i < t.n_vertices; i++) sim_elastic_velocity(e)[i][2] = -50;
  for (int n = 0; n < 100; n++) assert_ok(sim_elastic_step(e, 1e-5, &report, err));
  for (int i = 0; i < t.n_vertices; i++)
    assert_near((sim_elastic_velocity(e)[i][2] + 50) / (100 * 1e-5 * s.gravity_m_per_s2[2]), 1, 1e-3);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

/* ---- the matrix by itself ---- */

/* M^-1 is symmetric, positive definite where free, 0 where held; A is symmetric; both return what they
 * say. */
static void parts(void **state) {
  (void)state;
  const sim_block block = {{0, 0, 0}, {1, 0.5, 0.5}, {8, 4, 4}};
  enum { N = 9 * 5 * 5 };
  static double u[N][3], w[N][3], au[N][3], aw[N][3];
  bool held[N];
  sim_tets t;
  sim_elastic *e;
  sim_elastic_report report;
  cb_rng rng;
  cb_rng_init(&rng, 8, 0);
  assert_ok(sim_tets_block(&block, &t, err));
  assert_int_equal(t.n_vertices, N);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  assert_ok(sim_elastic_new(&s, &e, err));
  for (int i = 0; i < 3 * N; i++) {
    sim_elastic_position(e)[i / 3][i % 3] += 0.05 * cb_rng_normal(&rng);
    u[i / 3][i % 3] = cb_rng_normal(&rng), w[i / 3][i % 3] = cb_rng_normal(&rng);
    held[i / 3] = i / 3 % 7 == 0;
  }
  sim_blocks *a = sim_elastic_begin(e, 1e-2, &report).matrix;
  double got[4] = {0}, said[4];
  said[0] = sim_blocks_product(a, (const sim_vec3 *)u, au);
  said[1] = sim_blocks_product(a, (const sim_vec3 *)w, aw);
  for (int i = 0; i < 3 * N; i++) {
    got[0] += u[i / 3][i % 3] * au[i / 3][i % 3];
    got[1] += w[i / 3][i % 3] * aw[i / 3][i % 3];
    got[2] += u[i / 3][i % 3] * aw[i / 3][i % 3];
    got[3] += w[i / 3][i % 3] * au[i / 3][i % 3];
  }
  for (int k = 0; k < 2; k++) assert_near(said[k] / got[k], 1, 1e-12);
  assert_true(said[0] > 0);
  assert_near(got[2], got[3], 1e-12 * said[0]);
  sim_blocks_prepare(a, held);
  said[0] = sim_blocks_precondition(a, (const sim_vec3 *)u, au);
  said[1] = sim_blocks_precondition(a, (const sim_vec3 *)w, aw);
  memset(got, 0, sizeof got);
  for (int i = 0; i < 3 * N; i++) {
    got[0] += u[i / 3][i % 3] * au[i / 3][i % 3];
    got[2] += u[i / 3][i % 3] * aw[i / 3][i % 3];
    got[3] += w[i / 3][i % 3] * au[i / 3][i % 3];
    if (held[i / 3]) assert_true(au[i / 3][i % 3] == 0);
  }
  assert_near(said[0] / got[0], 1, 1e-12);
  assert_true(said[0] > 0 && said[1] > 0);
  assert_near(got[2], got[3], 1e-12 * said[0]);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

typedef double (*preconditioner)(sim_blocks *a, const double (*r)[3], double (*z)[3]);
static double diagonal_blocks(sim_blocks *a, const double (*r)[3], double (*z)[3]) {
  return sim_blocks_precondition(a, r, z);
}

/* Iterations of conjugate gradients from 0 to a residual of 1e-6 in the preconditioner's norm. */
static int iterations_of(sim_blocks *a, preconditioner m, const double (*b)[3]) {
  const int n = a->n;
  double(*v)[3] = calloc(4 * (size_t)n, sizeof *v), (*r)[3] = v + n, (*p)[3] = v + 2 * (size_t)n,
  (*q)[3] = v + 3 * (size_t)n;
  memcpy(r, b, (size_t)n * sizeof *r);
  double rz = m(a, (const sim_vec3 *)r, v), whole = rz;
  memcpy(p, v, (size_t)n * sizeof *p);
  int k = 0;
  for (; rz > 1e-12 * whole && k < 1000; k++) {
    const double alpha = rz / sim_blocks_product(a, (const sim_vec3 *)p, q);
    for (int i = 0; i < 3 * n; i++) r[i / 3][i % 3] -= alpha * q[i / 3][i % 3];
    const double now = m(a, (const sim_vec3 *)r, v);
    for (int i = 0; i < 3 * n; i++) p[i / 3][i % 3] = v[i / 3][i % 3] + now / rz * p[i / 3][i % 3];
    rz = now;
  }
  free(v);
  return k;
}

/* The polynomial is symmetric and positive definite, 0 where held, adds what it is told to the diagonal, and
 * saves nearly half of the iterations. */
static void polynomial(void **state) {
  (void)state;
  const sim_block block = {{0, 0, 0}, {1, 0.4, 0.2}, {20, 8, 4}};
  sim_tets t;
  sim_elastic_report report;
  cb_rng rng;
  cb_rng_init(&rng, 9, 0);
  assert_ok(sim_tets_block(&block, &t, err));
  const size_t n = (size_t)t.n_vertices;
  bool *held = calloc(n, sizeof *held);
  double(*u)[3] = calloc(n, sizeof *u), (*w)[3] = calloc(n, sizeof *w), (*mu)[3] = calloc(n, sizeof *mu),
  (*mw)[3] = calloc(n, sizeof *mw), (*added)[9] = calloc(n, sizeof *added);
  sim_elastic_setup s = sim_elastic_setup_default(&t);
  sim_elastic *e;
  assert_ok(sim_elastic_new(&s, &e, err));
  for (size_t i = 0; i < n; i++) {
    held[i] = i % 7 == 0;
    for (int k = 0; k < 3; k++) u[i][k] = cb_rng_normal(&rng), w[i][k] = cb_rng_normal(&rng);
  }
  sim_blocks *a = sim_elastic_begin(e, 1e-2, &report).matrix;
  sim_blocks_polynomial_prepare(a, (const double(*)[9])added, held);
  const double uu = sim_blocks_polynomial(a, (const sim_vec3 *)u, mu),
               ww = sim_blocks_polynomial(a, (const sim_vec3 *)w, mw);
  double got = 0, uw = 0, wu = 0;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      got += u[i][k] * mu[i][k], uw += u[i][k] * mw[i][k], wu += w[i][k] * mu[i][k];
      if (held[i]) assert_true(mu[i][k] == 0);
    }
  assert_near(uu / got, 1, 1e-12);
  assert_true(uu > 0 && ww > 0);
  assert_near(uw, wu, 1e-6 * sqrt(uu * ww));
  sim_blocks_polynomial_prepare(a, (const double(*)[9])added, NULL);
  sim_blocks_prepare(a, NULL);
  const int alone = iterations_of(a, diagonal_blocks, (const sim_vec3 *)u),
            with = iterations_of(a, sim_blocks_polynomial, (const sim_vec3 *)u);
  if (!(with < 0.55 * alone)) fail_msg("%d iterations with the polynomial, %d without", with, alone);
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) added[i][4 * k] = 1e13; /* as good as all of the matrix */
  sim_blocks_polynomial_prepare(a, (const double(*)[9])added, NULL);
  (void)sim_blocks_polynomial(a, (const sim_vec3 *)u, mu);
  (void)sim_blocks_polynomial(a, (const sim_vec3 *)w, mw);
  for (size_t i = 1; i < n; i++)
    assert_near(mu[i][0] / u[i][0], mw[0][0] / w[0][0], 1e-5 * fabs(mw[0][0] / w[0][0]));
  sim_elastic_free(e);
  sim_tets_clear(&t);
  free(held);
  free(u);
  free(w);
  free(mu);
  free(mw);
  free(added);
}

/* The same bits for 1, 2 and 3 threads, all of a body's state, with vertices that are held. */
static void threads(void **state) {
  (void)state;
  const sim_block block = {{0, 0, 0}, {1, 0.4, 0.2}, {30, 12, 6}};
  unsigned char *seen[3];
  size_t bytes = 0;
  sim_tets t;
  assert_ok(sim_tets_block(&block, &t, err));
  bool *held = calloc((size_t)t.n_vertices, sizeof *held);
  for (int i = 0; i < t.n_vertices; i++) held[i] = t.position_m[i][0] < 1e-9;
  for (int k = 0; k < 3; k++) {
    sim_elastic *e;
    sim_elastic_report report;
    omp_set_num_threads(1 + k);
    sim_elastic_setup s = sim_elastic_setup_default(&t);
    s.held = held;
    assert_ok(sim_elastic_new(&s, &e, err));
    for (int i = 0; i < t.n_vertices; i += 7) sim_elastic_velocity(e)[i][1] = held[i] ? 0 : 1;
    for (int n = 0; n < 5; n++) assert_ok(sim_elastic_step(e, 1e-3, &report, err));
    bytes = sim_elastic_state_bytes(e);
    seen[k] = malloc(bytes);
    assert_non_null(seen[k]);
    sim_elastic_state_take(e, seen[k]);
    sim_elastic_free(e);
  }
  omp_set_num_threads(1);
  assert_memory_equal(seen[0], seen[1], bytes);
  assert_memory_equal(seen[0], seen[2], bytes);
  for (int k = 0; k < 3; k++) free(seen[k]);
  free(held);
  sim_tets_clear(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(solution), cmocka_unit_test(falls),
                                     cmocka_unit_test(parts), cmocka_unit_test(polynomial),
                                     cmocka_unit_test(threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
