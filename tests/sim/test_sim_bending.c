/* The bending operator against closed forms: patch tests, plates, and the cantilever at large deflection. */
#include <omp.h>

#include <gsl/gsl_eigen.h>

#include "cbtest.h"

#include "bendlab.h"
#include "cb_bending_law.h"
#include "cb_num.h"
#include "fit_elastica.h"
#include "sim_mesh.h"

static const double ISOTROPIC[3][3] = {{1, 0.3, 0}, {0.3, 1, 0}, {0, 0, 0.35}};
static const double BEAMS[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}};
static const double GENERAL[3][3] = {{2, -0.3, 0.2}, {-0.3, 0.7, 0.1}, {0.2, 0.1, 0.5}};

typedef struct sheet {
  sim_mesh mesh;
  sim_bending b;
  bool *gripped;
  double (*x)[3], (*f)[3], (*k)[3];
} sheet;

static void sheet_start(sheet *s) {
  s->x = lab_get((size_t)s->mesh.n_vertices, sizeof *s->x),
  s->f = lab_get((size_t)s->mesh.n_vertices, sizeof *s->f);
  s->k = lab_get((size_t)s->mesh.n_triangles, sizeof *s->k);
  memcpy(s->x, s->mesh.position_m, (size_t)s->mesh.n_vertices * sizeof *s->x);
}

static void sheet_make(sheet *s, const lab_strip *strip, const double D[3][3], const double (*rest)[3]) {
  *s = (sheet){.mesh = lab_mesh(strip)};
  s->gripped = lab_clamp(&s->mesh);
  assert_ok(sim_bending_init(&s->mesh, D, strip->clamp_columns ? s->gripped : NULL, rest, &s->b, err));
  assert_ok(sim_bending_prepare(&s->b, err));
  sheet_start(s);
}

static void sheet_free(sheet *s) {
  free(s->x), free(s->f), free(s->k), free(s->gripped);
  sim_bending_clear(&s->b), sim_mesh_clear(&s->mesh);
}

#define X(s) ((const sim_vec3 *)(s)->x)

static lab_strip plate(int pattern, int cells, uint64_t seed) {
  return (lab_strip){.pattern = (lab_pattern)pattern,
                     .length = 1,
                     .width = 1,
                     .columns = cells,
                     .rows = cells,
                     .seed = seed};
}

static int free_sides(const sim_mesh *m, int t) {
  int n = 0;
  for (int k = 0; k < 3; k++) n += m->edge[m->triangle_edge[t][k]].triangle[1] < 0;
  return n;
}

/* So flat that its normals are upright to rounding. */
#define FLAT 1e-6

static void lift(sheet *s, const double q[3]) {
  for (int v = 0; v < s->mesh.n_vertices; v++) {
    double *x = s->x[v];
    x[2] = FLAT * (0.5 * q[0] * x[0] * x[0] + 0.5 * q[1] * x[1] * x[1] + q[2] * x[0] * x[1] + 0.4 * x[0] -
                   0.3 * x[1] + 2);
  }
}

/* ---- patch tests ---- */

static void quadratics_have_their_curvature(void **state) {
  (void)state;
  const double q[3] = {1.3, -0.7, 0.4};
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++)
    for (uint64_t seed = 1; seed <= (pattern == LAB_IRREGULAR ? 5 : 1); seed++) {
      lab_strip strip = plate(pattern, 8, seed);
      sheet s;
      sheet_make(&s, &strip, ISOTROPIC, NULL);
      lift(&s, q);
      sim_bending_curvature(&s.b, X(&s), s.k);
      for (int t = 0; t < s.mesh.n_triangles; t++)
        for (int i = 0; i < 3 && !free_sides(&s.mesh, t); i++) assert_near(s.k[t][i] / FLAT, q[i], 1e-9);
      assert_int_equal(s.b.n_uncorrected, 0);
      sheet_free(&s);
    }
}

/* The disc of a drape test as the program makes it: clamped inside, irregular, graded. A tilted plane on it,
 * and a quadratic without the clamp. */
static void the_programs_own_meshes_have_it_too(void **state) {
  (void)state;
  const double q[3] = {1.3, -0.7, 0.4};
  for (int pattern = SIM_PATTERN_EQUILATERAL; pattern <= SIM_PATTERN_IRREGULAR; pattern++)
    for (int clamped = 0; clamped < 2; clamped++) {
      sim_disc d = {.n_circles = 3,
                    .circle = {{0, 0.2}, {0.6, 0.1}, {1, 0.1}},
                    .pattern = (sim_pattern)pattern,
                    .warp_rad = 0.3};
      sheet s = {0};
      assert_ok(sim_mesh_disc(&d, &s.mesh, err));
      s.gripped = lab_get((size_t)s.mesh.n_vertices, sizeof *s.gripped);
      for (int v = 0; v < s.mesh.n_vertices; v++) {
        const double *p = s.mesh.position_m[v];
        s.gripped[v] = clamped && hypot(p[0], p[1]) < 0.6 + 1e-9;
      }
      assert_ok(sim_bending_init(&s.mesh, ISOTROPIC, s.gripped, NULL, &s.b, err));
      assert_ok(sim_bending_prepare(&s.b, err));
      assert_int_equal(s.b.n_uncorrected, 0);
      sheet_start(&s);
      lift(&s, clamped ? (double[3]){0} : q);
      sim_bending_curvature(&s.b, X(&s), s.k);
      double c = cos(0.3), n = sin(0.3), wanted[3] = {0};
      if (!clamped) { /* the material is turned by 0.3 */
        wanted[0] = c * c * q[0] + n * n * q[1] + 2 * c * n * q[2];
        wanted[1] = n * n * q[0] + c * c * q[1] - 2 * c * n * q[2];
        wanted[2] = c * n * (q[1] - q[0]) + (c * c - n * n) * q[2];
      }
      for (int t = 0; t < s.mesh.n_triangles; t++)
        for (int i = 0; i < 3 && !free_sides(&s.mesh, t); i++) assert_near(s.k[t][i] / FLAT, wanted[i], 1e-9);
      sheet_free(&s);
    }
}

static void constant_moments_are_in_equilibrium(void **state) {
  (void)state;
  const double q[3] = {1.3, -0.7, 0.4};
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++) {
    lab_strip strip = plate(pattern, 14, 3);
    sheet s;
    sheet_make(&s, &strip, GENERAL, NULL);
    lift(&s, q);
    /* Each co-ordinate counts for itself. */
    for (int v = 0; v < s.mesh.n_vertices; v++) s.x[v][0] = s.x[v][1] = 0, s.x[v][2] /= FLAT;
    sim_bending_add_force(&s.b, X(&s), s.f);
    int inner = 0;
    double h = 1.0 / 14, worst_border = 0;
    for (int v = 0; v < s.mesh.n_vertices; v++) worst_border = fmax(worst_border, fabs(s.f[v][2]));
    for (int v = 0; v < s.mesh.n_vertices; v++) {
      const double *p = s.mesh.position_m[v];
      double depth = fmin(fmin(p[0], 1 - p[0]), fmin(p[1], 1 - p[1])) / h;
      if (depth <= 4.5) continue;
      assert_near(s.f[v][2], 0, 1e-12 * worst_border);
      inner++;
    }
    assert_true(inner > 20);
    assert_true(worst_border > 0.1);
    sheet_free(&s);
  }
}

/* Without Poisson's effect a cylinder leaves its long sides free of moments, and relaxes at its ends. */
static void free_borders_carry_no_moment(void **state) {
  (void)state;
  const double q[3] = {1, 0, 0};
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++) {
    lab_strip strip = plate(pattern, 8, 2);
    sheet s;
    sheet_make(&s, &strip, BEAMS, NULL);
    lift(&s, q);
    sim_bending_curvature(&s.b, X(&s), s.k);
    for (int t = 0; t < s.mesh.n_triangles; t++) {
      bool end = false;
      for (int k = 0; k < 3; k++) {
        const sim_edge *e = &s.mesh.edge[s.mesh.triangle_edge[t][k]];
        double a = s.mesh.position_m[e->vertex[0]][0], b = s.mesh.position_m[e->vertex[1]][0];
        end |= e->triangle[1] < 0 && fabs(a - b) < 1e-9;
      }
      for (int i = 0; i < 3; i++) assert_near(s.k[t][i] / FLAT, i == 0 && !end, 1e-9);
    }
    sheet_free(&s);
  }
}

static void a_clamp_gives_its_slope(void **state) {
  (void)state;
  const double q[3] = {1, 0, 0};
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++) {
    lab_strip strip = plate(pattern, 8, 2);
    strip.clamp_columns = 2;
    sheet s;
    sheet_make(&s, &strip, BEAMS, NULL);
    for (int v = 0; v < s.mesh.n_vertices; v++) {
      double *x = s.x[v];
      x[2] = FLAT * (0.5 * q[0] * (x[0] > 0 ? x[0] * x[0] : 0) + 0.4 * x[0] - 0.3 * x[1]);
    }
    sim_bending_curvature(&s.b, X(&s), s.k);
    for (int t = 0; t < s.mesh.n_triangles; t++)
      if (!free_sides(&s.mesh, t)) assert_near(s.k[t][0] / FLAT, s.b.rigid[t] ? 0 : q[0], 1e-9);
    sheet_free(&s);
  }
}

/* ---- the matrix ---- */

static void eigenvalues(const sim_bending *b, const double *mass, double *out) {
  int n = b->mesh->n_vertices;
  gsl_matrix *K = gsl_matrix_calloc((size_t)n, (size_t)n);
  gsl_vector *w = gsl_vector_alloc((size_t)n);
  gsl_eigen_symm_workspace *space = gsl_eigen_symm_alloc((size_t)n);
  for (int v = 0; v < n; v++) {
    int column[LAB_ROW_MAX];
    double value[LAB_ROW_MAX];
    const int entries = sim_pairs_row(&b->pairs, v, column, value);
    for (int i = 0; i < entries; i++) {
      double scale = mass ? sqrt(mass[v] * mass[column[i]]) : 1;
      gsl_matrix_set(K, (size_t)v, (size_t)column[i], value[i] / scale);
    }
  }
  gsl_eigen_symm(K, w, space);
  for (int i = 0; i < n; i++) out[i] = gsl_vector_get(w, (size_t)i);
  gsl_eigen_symm_free(space), gsl_vector_free(w), gsl_matrix_free(K);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Planes cost nothing, everything else does; the stiffest motion grows as h^-4 per area, whatever the
 * mesh. */
static void only_planes_are_free(void **state) {
  (void)state;
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++)
    for (int cells = 3; cells <= 9; cells += 3)
      for (uint64_t seed = 1; seed <= (pattern == LAB_IRREGULAR ? 4 : 1); seed++) {
        lab_strip strip = plate(pattern, cells, seed);
        sheet s;
        sheet_make(&s, &strip, GENERAL, NULL);
        double w[256], h = 1.0 / cells;
        eigenvalues(&s.b, NULL, w);
        qsort(w, (size_t)s.mesh.n_vertices, sizeof *w, ascending);
        double top = w[s.mesh.n_vertices - 1];
        for (int i = 0; i < 3; i++) assert_near(w[i], 0, 1e-12 * top);
        assert_true(w[3] > 0.5 * h * h);
        if (getenv("BEND_SHOW"))
          printf("%s %d: top %.0f, softest %.3f\n", lab_pattern_text[pattern], cells, top * h * h,
                 w[3] / (h * h));
        assert_in_range((long)(top * h * h), 20, 2000);
        sheet_free(&s);
      }
}

static void the_matrix_is_symmetric(void **state) {
  (void)state;
  lab_strip strip = plate(LAB_IRREGULAR, 9, 5);
  sheet s;
  sheet_make(&s, &strip, GENERAL, NULL);
  assert_in_range(sim_pairs_longest_row(&s.b.pairs), 20, LAB_ROW_MAX);
  size_t entries = 0;
  for (int v = 0; v < s.mesh.n_vertices; v++) {
    int column[LAB_ROW_MAX], back[LAB_ROW_MAX], j;
    double value[LAB_ROW_MAX], other[LAB_ROW_MAX];
    const int n = sim_pairs_row(&s.b.pairs, v, column, value);
    entries += (size_t)n;
    assert_int_equal(s.b.pairs.far_start[v + 1] % SIM_PAIRS_FAR, 0);
    for (int i = 0; i < n; i++) {
      assert_true(i == 0 || column[i] > column[i - 1]);
      (void)sim_pairs_row(&s.b.pairs, column[i], back, other);
      for (j = 0; back[j] != v;) j++;
      assert_true(value[i] == other[j]);
    }
  }
  assert_int_equal(entries, sim_pairs_entries(&s.b.pairs));
  sheet_free(&s);
}

/* Frequencies of the free square plate, omega a^2 sqrt(rho h / D), nu = 0.3: 13.468, 19.596, 24.270, 34.801
 * twice. */
static void a_free_plate_vibrates_as_known(void **state) {
  (void)state;
  const double known[5] = {13.468, 19.596, 24.270, 34.801, 34.801};
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++) {
    double w[2][1000];
    for (int fine = 0; fine < 2; fine++) {
      lab_strip strip = plate(pattern, fine ? 20 : 10, 4);
      sheet s;
      sheet_make(&s, &strip, ISOTROPIC, NULL);
      eigenvalues(&s.b, s.mesh.vertex_area_m2, w[fine]);
      qsort(w[fine], (size_t)s.mesh.n_vertices, sizeof *w[fine], ascending);
      sheet_free(&s);
    }
    for (int i = 0; i < 5; i++) {
      double coarse = sqrt(w[0][3 + i]) / known[i] - 1, fine = sqrt(w[1][3 + i]) / known[i] - 1,
             limit = (4 * fine - coarse) / 3;
      if (getenv("BEND_SHOW"))
        printf("%s %d: %+.2f %% %+.2f %%, limit %+.3f %%\n", lab_pattern_text[pattern], i, 100 * coarse,
               100 * fine, 100 * limit);
      assert_near(fine, 0, 0.02);
      assert_near(limit, 0, 0.01);
    }
  }
}

/* ---- energy and forces ---- */

static void shake(sheet *s, uint64_t seed) {
  cb_rng rng;
  cb_rng_init(&rng, seed, 0);
  for (int v = 0; v < s->mesh.n_vertices; v++)
    for (int c = 0; c < 3; c++) s->x[v][c] += 0.2 * (cb_rng_uniform(&rng) - 0.5);
}

static void forces_are_the_slope_of_the_energy(void **state) {
  (void)state;
  lab_strip strip = plate(LAB_IRREGULAR, 6, 5);
  strip.clamp_columns = 1;
  sheet s;
  sheet_make(&s, &strip, GENERAL, NULL);
  shake(&s, 3);
  sim_bending_add_force(&s.b, X(&s), s.f);
  double scale = 0, total[3] = {0};
  for (int v = 0; v < s.mesh.n_vertices; v++)
    for (int c = 0; c < 3; c++) scale = fmax(scale, fabs(s.f[v][c])), total[c] += s.f[v][c];
  for (int c = 0; c < 3; c++) assert_near(total[c], 0, 1e-11 * scale);
  for (int v = 0; v < s.mesh.n_vertices; v++)
    for (int c = 0; c < 3; c++) {
      double at = s.x[v][c], step = 0.1, e[2]; /* quadratic: any step */
      for (int k = 0; k < 2; k++)
        s.x[v][c] = at + (k ? step : -step), e[k] = sim_bending_energy_J(&s.b, X(&s));
      s.x[v][c] = at;
      assert_near(s.f[v][c], (e[0] - e[1]) / (2 * step), 1e-9 * scale);
    }
  sheet_free(&s);
}

static void a_rigid_motion_changes_nothing(void **state) {
  (void)state;
  lab_strip strip = plate(LAB_IRREGULAR, 6, 5);
  sheet s;
  sheet_make(&s, &strip, GENERAL, NULL);
  shake(&s, 4);
  double before = sim_bending_energy_J(&s.b, X(&s)), c = cos(0.7), n = sin(0.7);
  for (int v = 0; v < s.mesh.n_vertices; v++) {
    double *x = s.x[v], y[3] = {c * x[0] - n * x[1] + 3, n * x[0] + c * x[1] - 2, x[2] + 5};
    x[0] = y[2], x[1] = c * y[0] - n * y[1], x[2] = n * y[0] + c * y[1];
  }
  assert_near(sim_bending_energy_J(&s.b, X(&s)) / before, 1, 1e-12);
  sheet_free(&s);
}

/* Energy per area of curvature kappa in a triangle with free sides: least over the curvatures across them. */
static double relaxed(const sim_mesh *m, int t, const double (*D)[3], const double kappa[3]) {
  double v[2][3], w[3], Dv[3], vDv = 0, vDk = 0, kDk = 0;
  int n = 0;
  for (int k = 0; k < 3; k++)
    if (m->edge[m->triangle_edge[t][k]].triangle[1] < 0) {
      const double *a = m->corner_m[t][(k + 1) % 3], *b = m->corner_m[t][(k + 2) % 3];
      double d[2] = {b[1] - a[1], a[0] - b[0]}, l2 = d[0] * d[0] + d[1] * d[1];
      v[n][0] = d[0] * d[0] / l2, v[n][1] = d[1] * d[1] / l2, v[n][2] = 2 * d[0] * d[1] / l2, n++;
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) kDk += kappa[i] * D[i][j] * kappa[j];
  if (n == 0) return 0.5 * kDk;
  for (int i = 0; i < 3; i++) {
    Dv[i] = D[i][0] * v[0][0] + D[i][1] * v[0][1] + D[i][2] * v[0][2];
    vDv += v[0][i] * Dv[i], vDk += kappa[i] * Dv[i];
  }
  if (n == 1) return 0.5 * (kDk - vDk * vDk / vDv);
  /* One curvature w is left: its moment m w is orthogonal to both v, and D^-1 (m w) the curvature. By
   * Cramer. */
  for (int i = 0; i < 3; i++)
    w[i] = v[0][(i + 1) % 3] * v[1][(i + 2) % 3] - v[0][(i + 2) % 3] * v[1][(i + 1) % 3];
  double inv[3][3], det = 0, wk = 0, wCw = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inv[j][i] = D[(i + 1) % 3][(j + 1) % 3] * D[(i + 2) % 3][(j + 2) % 3] -
                  D[(i + 1) % 3][(j + 2) % 3] * D[(i + 2) % 3][(j + 1) % 3];
  for (int j = 0; j < 3; j++) det += D[0][j] * inv[j][0];
  for (int i = 0; i < 3; i++) wk += w[i] * kappa[i];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) wCw += w[i] * inv[i][j] / det * w[j];
  return 0.5 * wk * wk / wCw;
}

/* Cut at any angle, cloth rolled into a cylinder has the energy B(angle) / 2 of its law. */
static void strips_bend_with_the_law_of_their_direction(void **state) {
  (void)state;
  cb_bending_law law = {.form = CB_BENDING_ORTHOTROPIC,
                        .B_Nm = {4e-6, 1.5e-6, 9e-6},
                        .dof = 10,
                        .curvature_per_m = 1,
                        .curvature_min_per_m = 1,
                        .curvature_max_per_m = 1};
  double D[3][3];
  cb_bending_shell(&law, D);
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++)
    for (double deg = 0; deg <= 90; deg += 22.5) {
      lab_strip strip = {.pattern = (lab_pattern)pattern,
                         .length = 1,
                         .width = 0.4,
                         .columns = 15,
                         .rows = 6,
                         .warp_rad = deg * CB_DEG,
                         .seed = 2};
      sheet s;
      sheet_make(&s, &strip, (const sim_vec3 *)D, NULL);
      double c = cos(deg * CB_DEG), n = sin(deg * CB_DEG),
             B = cb_bending_form_B(CB_BENDING_ORTHOTROPIC, law.B_Nm, deg * CB_DEG, NULL);
      for (int v = 0; v < s.mesh.n_vertices; v++) /* each co-ordinate counts for itself */
        memcpy(s.x[v], ((double[3]){0, 0, 0.5 * s.x[v][0] * s.x[v][0]}), sizeof s.x[v]);
      double expected = 0, kappa[3] = {c * c, n * n, -2 * c * n};
      for (int t = 0; t < s.mesh.n_triangles; t++)
        expected += s.mesh.area_m2[t] *
                    (free_sides(&s.mesh, t) ? relaxed(&s.mesh, t, (const sim_vec3 *)D, kappa) : 0.5 * B);
      assert_near(sim_bending_energy_J(&s.b, X(&s)) / expected, 1, 1e-11);
      assert_near(sim_bending_energy_of_pairs_J(&s.b, X(&s)) / expected, 1, 1e-9);
      sheet_free(&s);
    }
}

/* u.K w, of half of the pairs, is the sum over all rows of the product. */
static void between_is_the_product(void **state) {
  (void)state;
  lab_strip strip = plate(LAB_IRREGULAR, 24, 5);
  sheet s;
  sheet_make(&s, &strip, GENERAL, NULL);
  shake(&s, 9);
  const int n = s.mesh.n_vertices;
  double(*w)[3] = lab_get((size_t)n, sizeof *w), expected = 0, scale = 0;
  for (int i = 0; i < 3 * n; i++) w[i / 3][i % 3] = sin(0.7 * i);
  memset(s.f, 0, (size_t)n * sizeof *s.f);
  sim_bending_product(&s.b, 1, (const sim_vec3 *)w, s.f);
  for (int i = 0; i < 3 * n; i++) {
    expected += s.x[i / 3][i % 3] * s.f[i / 3][i % 3];
    scale += fabs(s.x[i / 3][i % 3] * s.f[i / 3][i % 3]);
  }
  assert_near(sim_bending_between(&s.b, X(&s), (const sim_vec3 *)w), expected, 1e-12 * scale);
  assert_near(sim_bending_between(&s.b, (const sim_vec3 *)w, X(&s)), expected, 1e-12 * scale);
  free(w);
  sheet_free(&s);
}

static void threads_do_not_change_a_bit(void **state) {
  (void)state;
  lab_strip strip = plate(LAB_IRREGULAR, 48, 5);
  strip.clamp_columns = 2;
  sheet s;
  sheet_make(&s, &strip, GENERAL, NULL);
  shake(&s, 9);
  size_t size = (size_t)s.mesh.n_vertices * sizeof *s.f;
  double(*f)[3] = lab_get((size_t)s.mesh.n_vertices, sizeof *f), e = 0;
  for (int threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    memset(s.f, 0, size);
    sim_bending_add_force(&s.b, X(&s), s.f);
    double energy = sim_bending_energy_of_pairs_J(&s.b, X(&s));
    assert_near(sim_bending_energy_J(&s.b, X(&s)) / energy, 1, 1e-9);
    if (threads == 1) memcpy(f, s.f, size), e = energy;
    assert_memory_equal(f, s.f, size);
    assert_true(e == energy);
  }
  free(f);
  sheet_free(&s);
}

/* ---- rest curvature ---- */

static void roll(sheet *s, double curvature) {
  for (int v = 0; v < s->mesh.n_vertices; v++) {
    double *x = s->x[v], angle = curvature * x[0];
    x[0] = sin(angle) / curvature, x[2] = (1 - cos(angle)) / curvature;
  }
}

static double largest(const sheet *s) {
  double f = 0;
  for (int v = 0; v < s->mesh.n_vertices; v++)
    for (int c = 0; c < 3; c++) f = fmax(f, fabs(s->f[v][c]));
  return f;
}

static void a_roll_rests_rolled(void **state) {
  (void)state;
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++) {
    lab_strip strip = {
        .pattern = (lab_pattern)pattern, .length = 1, .width = 0.2, .columns = 40, .rows = 8, .seed = 3};
    sheet flat;
    sheet_make(&flat, &strip, ISOTROPIC, NULL);
    double(*rest)[3] = lab_get((size_t)flat.mesh.n_triangles, sizeof *rest);
    for (int t = 0; t < flat.mesh.n_triangles; t++) rest[t][0] = 3;
    sheet s;
    sheet_make(&s, &strip, ISOTROPIC, (const sim_vec3 *)rest);
    roll(&flat, 3), roll(&s, 3);
    sim_bending_add_force(&flat.b, X(&flat), flat.f), sim_bending_add_force(&s.b, X(&s), s.f);
    sim_bending_curvature(&s.b, X(&s), s.k);
    for (int t = 0; t < s.mesh.n_triangles; t++)
      for (int i = 0; i < 3; i++) assert_near(s.k[t][i], rest[t][i], 0.05);
    if (getenv("BEND_SHOW"))
      printf("%s: energy %g, force %g of the flat one's\n", lab_pattern_text[pattern],
             sim_bending_energy_J(&s.b, X(&s)) / sim_bending_energy_J(&flat.b, X(&flat)),
             largest(&s) / largest(&flat));
    assert_true(sim_bending_energy_J(&s.b, X(&s)) < 5e-3 * sim_bending_energy_J(&flat.b, X(&flat)));
    /* Without rows, forces vanish in the mean of some vertices only. */
    assert_true(largest(&s) < (pattern == LAB_IRREGULAR ? 0.25 : 0.06) * largest(&flat));
    free(rest);
    sheet_free(&flat), sheet_free(&s);
  }
}

/* Rolled tighter than at rest - as cloth rolls, without stretch - the force is the energy's slope though the
 * turn of the normals is left out. */
static void the_lagged_normal_costs_nothing(void **state) {
  (void)state;
  double miss[2];
  for (int fine = 0; fine < 2; fine++) {
    lab_strip strip = {
        .pattern = LAB_RIGHT, .length = 1, .width = 0.2, .columns = fine ? 40 : 20, .rows = fine ? 8 : 4};
    sim_mesh m = lab_mesh(&strip);
    double(*rest)[3] = lab_get((size_t)m.n_triangles, sizeof *rest);
    for (int t = 0; t < m.n_triangles; t++) rest[t][0] = 1;
    sheet s;
    sheet_make(&s, &strip, BEAMS, (const sim_vec3 *)rest);
    roll(&s, 2);
    sim_bending_add_force(&s.b, X(&s), s.f);
    /* The power of unrolling further. */
    double power = 0, e[2];
    for (int v = 0; v < m.n_vertices; v++) {
      double u = m.position_m[v][0], k = 2, a = k * u;
      power += s.f[v][0] * (u * cos(a) / k - sin(a) / (k * k)) +
               s.f[v][2] * (u * sin(a) / k - (1 - cos(a)) / (k * k));
    }
    for (int i = 0; i < 2; i++) {
      memcpy(s.x, m.position_m, (size_t)m.n_vertices * sizeof *s.x);
      roll(&s, 2 + (i ? 1e-4 : -1e-4));
      e[i] = sim_bending_energy_J(&s.b, X(&s));
    }
    miss[fine] = fabs(power / ((e[0] - e[1]) / 2e-4) - 1);
    free(rest);
    sheet_free(&s), sim_mesh_clear(&m);
  }
  assert_true(miss[1] < 2e-3 && miss[1] < 0.35 * miss[0]);
}

/* ---- odd input ---- */

static void odd_stiffness_is_refused_or_nothing(void **state) {
  (void)state;
  lab_strip strip = plate(LAB_IRREGULAR, 4, 1);
  sim_mesh m = lab_mesh(&strip);
  sim_bending b;
  assert_fails(
      CB_E_RANGE, "symmetric",
      sim_bending_init(&m, (const double[3][3]){{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}, NULL, NULL, &b, err));
  assert_fails(
      CB_E_RANGE, "finite",
      sim_bending_init(&m, (const double[3][3]){{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}, NULL, NULL, &b, err));
  assert_fails(
      CB_E_RANGE, "semi-definite",
      sim_bending_init(&m, (const double[3][3]){{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}, NULL, NULL, &b, err));
  double(*rest)[3] = lab_get((size_t)m.n_triangles, sizeof *rest);
  rest[5][1] = NAN;
  assert_fails(CB_E_NUM, "triangle 5", sim_bending_init(&m, BEAMS, NULL, (const sim_vec3 *)rest, &b, err));
  free(rest);
  static const double none[3][3], one[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  assert_ok(sim_bending_init(&m, none, NULL, NULL, &b, err));
  for (int e = 0; e < m.n_edges; e++) assert_true(b.pairs.edge_high[e] == 0 && b.pairs.edge_low[e] == 0);
  for (int i = 0; i < b.pairs.far_start[m.n_vertices]; i++) assert_true(b.pairs.far_high[i] == 0);
  sim_bending_clear(&b);
  assert_ok(sim_bending_init(&m, one, NULL, NULL, &b, err));
  for (int e = 0; e < m.n_edges; e++) assert_true(isfinite(b.pairs.edge_high[e] + b.pairs.edge_low[e]));
  for (int i = 0; i < b.pairs.far_start[m.n_vertices]; i++) assert_true(isfinite(b.pairs.far_high[i]));
  sim_bending_clear(&b);
  sim_mesh_clear(&m);
}

static void a_lone_triangle_cannot_bend(void **state) {
  (void)state;
  const double x[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, corner[1][3][2] = {{{0, 0}, {1, 0}, {0, 1}}};
  const int t[1][3] = {{0, 1, 2}};
  sim_mesh m;
  sim_bending b;
  assert_ok(sim_mesh_build(x, 3, t, corner, 1, &m, err));
  assert_ok(sim_bending_init(&m, GENERAL, NULL, NULL, &b, err));
  double f[3][3] = {{0}};
  sim_bending_add_force(&b, (const double[3][3]){{0, 0, 1}, {1, 0, 0}, {0, 1, -3}}, f);
  for (int v = 0; v < 3; v++)
    for (int c = 0; c < 3; c++) assert_true(f[v][c] == 0);
  sim_bending_clear(&b), sim_mesh_clear(&m);
}

/* ---- the heavy cantilever ---- */

/* Second order on every mesh: a quarter of the error on twice as many cells. */
static void cantilevers_hang_as_the_elastica(void **state) {
  (void)state;
  const double load[] = {0.1, 1, 5, 20, 100, 500}, bound_20[] = {0.3, 0.3, 0.4, 0.8, 3, 15},
               bound_40[] = {0.08, 0.08, 0.1, 0.25, 0.9, 3.7};
  for (int pattern = 0; pattern < LAB_PATTERNS; pattern++) {
    lab_droop out[2][6];
    for (int fine = 0; fine < 2; fine++) {
      lab_strip strip = {.pattern = (lab_pattern)pattern,
                         .length = 1,
                         .width = 0.2,
                         .columns = fine ? 40 : 20,
                         .rows = fine ? 8 : 4,
                         .clamp_columns = 2,
                         .seed = 7};
      lab_cantilever(&strip, 1e5, 6, load, out[fine]);
    }
    for (int i = 0; i < 6; i++) {
      fit_elastica e = fit_elastica_of_load(load[i]);
      double exact = e.drop / e.reach, coarse = 100 * (out[0][i].h_over_w / exact - 1),
             fine = 100 * (out[1][i].h_over_w / exact - 1);
      if (getenv("BEND_SHOW"))
        printf("%s Gamma %g: %.3f %% %.3f %%\n", lab_pattern_text[pattern], load[i], coarse, fine);
      assert_near(coarse, 0, bound_20[i]);
      assert_near(fine, 0, bound_40[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quadratics_have_their_curvature),
      cmocka_unit_test(the_programs_own_meshes_have_it_too),
      cmocka_unit_test(constant_moments_are_in_equilibrium),
      cmocka_unit_test(free_borders_carry_no_moment),
      cmocka_unit_test(a_clamp_gives_its_slope),
      cmocka_unit_test(only_planes_are_free),
      cmocka_unit_test(the_matrix_is_symmetric),
      cmocka_unit_test(a_free_plate_vibrates_as_known),
      cmocka_unit_test(forces_are_the_slope_of_the_energy),
      cmocka_unit_test(a_rigid_motion_changes_nothing),
      cmocka_unit_test(strips_bend_with_the_law_of_their_direction),
      cmocka_unit_test(between_is_the_product),
      cmocka_unit_test(threads_do_not_change_a_bit),
      cmocka_unit_test(a_roll_rests_rolled),
      cmocka_unit_test(the_lagged_normal_costs_nothing),
      cmocka_unit_test(odd_stiffness_is_refused_or_nothing),
      cmocka_unit_test(a_lone_triangle_cannot_bend),
      cmocka_unit_test(cantilevers_hang_as_the_elastica),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
