/* A body's step against truth: the frames of its elements against the largest eigenvalue of Davenport's matrix, the linear system against
 * a dense one made and solved in another way; ill conditions; what the preconditioner promises; threads. */
#include "cbtest.h"

#include <float.h>
#include <omp.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "sim_blocks.h"
#include "sim_elastic.h"

#define MOST 60 /* vertices of a dense system */

/* ---- the nearest turn, in another way ---- */

/* Cyclic Jacobi rotations: eigenvalues on the diagonal, vectors in the columns of v. */
static void eigen(double m[4][4], double v[4][4]) {
  for (int i = 0; i < 16; i++) v[i / 4][i % 4] = i / 4 == i % 4;
  for (int sweep = 0; sweep < 30; sweep++)
    for (int p = 0; p < 4; p++)
      for (int q = p + 1; q < 4; q++) {
        double angle = 0.5 * atan2(2 * m[p][q], m[q][q] - m[p][p]), c = cos(angle), s = sin(angle);
        for (int k = 0; k < 4; k++) {
          double a = m[k][p], b = m[k][q], x = v[k][p], y = v[k][q];
          m[k][p] = c * a - s * b, m[k][q] = s * a + c * b;
          v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
        }
        for (int k = 0; k < 4; k++) {
          double a = m[p][k], b = m[q][k];
          m[p][k] = c * a - s * b, m[q][k] = s * a + c * b;
        }
      }
}

/* The turn with the most tr(R' F), which is returned: the largest eigenvalue, its vector the quaternion (P. Davenport, NASA TN D-4696,
 * 1968). */
static double nearest_turn(const double f[3][3], double r[3][3]) {
  double m[4][4], v[4][4];
  m[0][0] = f[0][0] + f[1][1] + f[2][2];
  for (int k = 0; k < 3; k++) {
    m[0][k + 1] = m[k + 1][0] = f[(k + 2) % 3][(k + 1) % 3] - f[(k + 1) % 3][(k + 2) % 3];
    for (int l = 0; l < 3; l++) m[k + 1][l + 1] = f[k][l] + f[l][k] - (k == l ? m[0][0] : 0);
  }
  eigen(m, v);
  int best = 0;
  for (int k = 1; k < 4; k++)
    if (m[k][k] > m[best][best]) best = k;
  double w = v[0][best], x = v[1][best], y = v[2][best], z = v[3][best];
  const double out[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  memcpy(r, out, sizeof out);
  return m[best][best];
}

static double determinant(const double f[3][3]) {
  return f[0][0] * (f[1][1] * f[2][2] - f[1][2] * f[2][1]) - f[0][1] * (f[1][0] * f[2][2] - f[1][2] * f[2][0]) +
         f[0][2] * (f[1][0] * f[2][1] - f[1][1] * f[2][0]);
}

/* ---- the energy of one element ---- */

typedef struct single {
  sim_tets tets;
  sim_elastic *body;
  double lambda, mu;
} single;

static void single_make(single *s) {
  const double rest[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int corner[1][4] = {{0, 1, 2, 3}};
  assert_ok(sim_tets_build(rest, 4, corner, 1, &s->tets, err));
  sim_elastic_setup setup = sim_elastic_setup_default(&s->tets);
  assert_ok(sim_elastic_new(&setup, &s->body, err));
  s->mu = setup.young_Pa / (2 * (1 + setup.poisson));
  s->lambda = setup.young_Pa * setup.poisson / ((1 + setup.poisson) * (1 - 2 * setup.poisson));
}

static void single_clear(single *s) {
  sim_elastic_free(s->body);
  sim_tets_clear(&s->tets);
}

/* By what it must be: it follows from |F| and the most of tr(R' F) alone. */
static double energy_ratio(single *s, const double f[3][3]) {
  double r[3][3], square = 0, most = nearest_turn(f, r);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      sim_elastic_position(s->body)[k + 1][i] = f[i][k];
      square += f[i][k] * f[i][k];
    }
  double wanted = sim_tets_volume_m3(&s->tets) * (s->mu * (square - 2 * most + 3) + s->lambda / 2 * (most - 3) * (most - 3));
  return sim_elastic_energy_of(s->body).elastic / wanted;
}

/* Any deformation, inside out as well. */
static void frames(void **state) {
  (void)state;
  single s;
  cb_rng rng;
  cb_rng_init(&rng, 5, 0);
  single_make(&s);
  int inverted = 0;
  for (int n = 0; n < 20000; n++) {
    double f[3][3], small = n % 3 == 0 ? 0.1 : n % 3 == 1 ? 1 : 1e3;
    for (int i = 0; i < 9; i++) f[i / 3][i % 3] = small * cb_rng_normal(&rng) + (n % 3 == 0 && i % 4 == 0);
    inverted += determinant((const double(*)[3])f) < 0;
    assert_near(energy_ratio(&s, (const double(*)[3])f), 1, 1e-9);
  }
  assert_true(inverted > 5000);
  single_clear(&s);
}

/* On a plane, a line, a point; mirrored; where two turns are as good, and nearly so: one of them is taken. */
static void frames_at_the_edge(void **state) {
  (void)state;
  static const double diagonal[][3] = {{1, 1, 0},        {1, 0, 0},        {0, 0, 0},          {1, 1, -1},
                                       {-1, -1, -1},     {1, 0.5, -0.5},   {1, 0.5, -0.5001},  {1, 0.5, -0.4999},
                                       {1, 1e-5, -2e-5}, {1, 1e-9, -1e-9}, {1e-6, 1e-6, 1e-6}, {2, 1, -1 + 1e-9}};
  single s;
  cb_rng rng;
  cb_rng_init(&rng, 6, 0);
  single_make(&s);
  for (int n = 0; n < 12 * 100; n++) {
    double f[3][3], any[2][3][3], turn[2][3][3];
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 9; i++) any[k][i / 3][i % 3] = cb_rng_normal(&rng);
      (void)nearest_turn((const double(*)[3])any[k], turn[k]);
    }
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) {
        f[i][k] = 0;
        for (int a = 0; a < 3; a++) f[i][k] += turn[0][i][a] * diagonal[n % 12][a] * turn[1][k][a];
      }
    assert_near(energy_ratio(&s, (const double(*)[3])f), 1, 1e-6);
  }
  single_clear(&s);
}

/* ---- the dense system ---- */

typedef struct dense {
  int n; /* numbers, three a vertex */
  double a[3 * MOST][3 * MOST], b[3 * MOST];
} dense;

/* Of one element: gradients from the inverse of its edges, K = V B' D B with B the six strains of the turned corners. */
static void add_element(dense *d, const sim_elastic_setup *s, int tet, const double (*x)[3], double h) {
  const sim_tets *t = s->tets;
  const int *v = t->tet[tet];
  double edge[3][3], g[4][3] = {{0}}, f[3][3] = {{0}}, r[3][3], b[6][12] = {{0}}, stiff[6][6] = {{0}};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) edge[i][k] = t->position_m[v[k + 1]][i] - t->position_m[v[0]][i];
  double det = determinant((const double(*)[3])edge), volume = det / 6;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
      g[k + 1][i] = (edge[i1][k1] * edge[i2][k2] - edge[i1][k2] * edge[i2][k1]) / det;
      g[0][i] -= g[k + 1][i];
    }
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 9; i++) f[i / 3][i % 3] += x[v[a]][i / 3] * g[a][i % 3];
  (void)nearest_turn((const double(*)[3])f, r);
  /* strains of the turned-back places: rows xx yy zz yz zx xy, of corner a's number k of the world */
  for (int a = 0; a < 4; a++)
    for (int k = 0; k < 3; k++)
      for (int e = 0; e < 3; e++) {
        int p = (e + 1) % 3, q = (e + 2) % 3;
        b[e][3 * a + k] = r[k][e] * g[a][e];
        b[e + 3][3 * a + k] = r[k][p] * g[a][q] + r[k][q] * g[a][p];
      }
  double mu = s->young_Pa / (2 * (1 + s->poisson)), lambda = s->young_Pa * s->poisson / ((1 + s->poisson) * (1 - 2 * s->poisson));
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) stiff[i][k] = (i == k ? i < 3 ? 2 * mu : mu : 0) + (i < 3 && k < 3 ? lambda : 0);
  for (int i = 0; i < 12; i++) {
    double force = 0;
    for (int e = 0; e < 6; e++)
      for (int c = 0; c < 6; c++) {
        double strain = 0;
        for (int k = 0; k < 12; k++) strain += b[c][k] * x[v[k / 3]][k % 3];
        force -= volume * b[e][i] * stiff[e][c] * (strain - (c < 3));
      }
    d->b[3 * v[i / 3] + i % 3] += h * force;
    for (int k = 0; k < 12; k++) {
      double sum = 0;
      for (int e = 0; e < 6; e++)
        for (int c = 0; c < 6; c++) sum += b[e][i] * stiff[e][c] * b[c][k];
      d->a[3 * v[i / 3] + i % 3][3 * v[k / 3] + k % 3] += (h * h + h * s->damping_s) * volume * sum;
    }
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

static void dense_step(const sim_elastic_setup *s, const double (*x)[3], const double (*force)[3], const double *mass, double h,
                       double (*v)[3]) {
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

/* A body in any deformation and motion, pushed: a step's velocities are the dense system's. flat: of its height, which makes slivers. */
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
  dense_step(&s, (const double(*)[3])x, (const double(*)[3])force, sim_elastic_mass(e), h, v);
  for (int i = 0; i < 3 * t.n_vertices; i++) most = fmax(most, fabs(v[i / 3][i % 3]));
  for (int i = 0; i < 3 * t.n_vertices; i++) assert_near(sim_elastic_velocity(e)[i / 3][i % 3], v[i / 3][i % 3], 1e-7 * most);
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

/* However fast it falls, and however short the step: the solver answers to what the step changes, not to what is there. */
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
  for (int i = 0; i < t.n_vertices; i++) assert_near((sim_elastic_velocity(e)[i][2] + 50) / (100 * 1e-5 * s.gravity_m_per_s2[2]), 1, 1e-3);
  sim_elastic_free(e);
  sim_tets_clear(&t);
}

/* ---- the matrix by itself ---- */

/* M^-1 is symmetric, positive definite where free, 0 where held; A is symmetric; both return what they say. */
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
  said[0] = sim_blocks_product(a, (const double(*)[3])u, au);
  said[1] = sim_blocks_product(a, (const double(*)[3])w, aw);
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
  said[0] = sim_blocks_precondition(a, (const double(*)[3])u, au);
  said[1] = sim_blocks_precondition(a, (const double(*)[3])w, aw);
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(frames),   cmocka_unit_test(frames_at_the_edge),
                                     cmocka_unit_test(solution), cmocka_unit_test(falls),
                                     cmocka_unit_test(parts),    cmocka_unit_test(threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
