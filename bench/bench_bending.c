/* Which bending operator: hinges, averaged slopes (EBT/BST), Morley's element with an unknown per edge, and
 * sim_bending, on four patterns of mesh. The table stands in docs/method/bending-operator.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/bendlab.h"
#include "cb_bending_law.h"
#include "cb_time.h"
#include "fit_elastica.h"
#include "sim_bending_edge.h"
#include "sim_bending_slopes.h"

typedef enum kind { HINGE, AVERAGE, MORLEY, PRODUCT, KINDS } kind;
static const char *const kind_text[] = {"hinges", "averaged", "Morley", "sim_bending"};

#define ROW_MAX 128

/* Energy 1/2 area kappa D kappa, kappa = sum k u. */
typedef struct term {
  double area, D[3][3];
  int n, unknown[ROW_MAX];
  double k[ROW_MAX][3];
} term;

typedef struct model {
  const sim_mesh *mesh;
  kind kind;
  const bool *rigid;
  double D[3][3];
} model;

static void add(term *t, int unknown, double factor, const double k[3]) {
  int i = 0;
  while (i < t->n && t->unknown[i] != unknown) i++;
  if (i == t->n) {
    if (t->n == ROW_MAX) abort();
    t->unknown[i] = unknown, t->n++;
    memset(t->k[i], 0, sizeof t->k[i]);
  }
  for (int c = 0; c < 3; c++) t->k[i][c] += factor * k[c];
}

/* d/dn of the flat triangle on one side of an edge, n out of triangle[0]. */
static void flat_slope(const sim_mesh *m, const sim_edge *e, int side, double factor, term *t,
                       const double k[3]) {
  double b[3][2];
  int tri = e->triangle[side], c = e->opposite[side];
  const double *p = m->corner_m[tri][(c + 1) % 3], *q = m->corner_m[tri][(c + 2) % 3];
  double d[2] = {q[0] - p[0], q[1] - p[1]}, l = hypot(d[0], d[1]), sign = side ? -1 : 1,
         n[2] = {sign * d[1] / l, -sign * d[0] / l};
  lab_gradients(m, tri, b);
  for (int i = 0; i < 3; i++) add(t, m->triangle[tri][i], factor * (b[i][0] * n[0] + b[i][1] * n[1]), k);
}

static void slope(const model *o, int edge, double factor, term *t, const double k[3]) {
  const sim_edge *e = &o->mesh->edge[edge];
  if (o->kind == MORLEY && !(o->rigid[e->triangle[0]] || (e->triangle[1] >= 0 && o->rigid[e->triangle[1]]))) {
    add(t, o->mesh->n_vertices + edge, factor, k);
    return;
  }
  if (e->triangle[1] < 0) return;
  if (o->kind == AVERAGE && !o->rigid[e->triangle[0]] && !o->rigid[e->triangle[1]]) {
    for (int side = 0; side < 2; side++) flat_slope(o->mesh, e, side, 0.5 * factor, t, k);
    return;
  }
  sim_slope s;
  sim_slope_of_edge(o->mesh, o->rigid, edge, &s);
  for (int i = 0; i < s.n; i++) add(t, s.vertex[i], factor * s.weight_per_m[i], k);
}

static void condense(const double v[3], double D[3][3]) {
  double Dv[3], vDv = 0;
  for (int i = 0; i < 3; i++) {
    Dv[i] = 0;
    for (int j = 0; j < 3; j++) Dv[i] += D[i][j] * v[j];
    vDv += v[i] * Dv[i];
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3 && vDv > 1e-12; j++) D[i][j] -= Dv[i] * Dv[j] / vDv;
}

static void triangle_term(const model *o, int tri, bool relax, term *t) {
  const sim_mesh *m = o->mesh;
  t->n = 0, t->area = m->area_m2[tri];
  memcpy(t->D, o->D, sizeof t->D);
  for (int c = 0; c < 3; c++) {
    const double *p = m->corner_m[tri][(c + 1) % 3], *q = m->corner_m[tri][(c + 2) % 3];
    double d[2] = {q[0] - p[0], q[1] - p[1]}, l = hypot(d[0], d[1]), tt[2] = {d[0] / l, d[1] / l},
           n[2] = {tt[1], -tt[0]};
    double along[3] = {n[0] * tt[0], n[1] * tt[1], n[0] * tt[1] + n[1] * tt[0]},
           nn[3] = {n[0] * n[0], n[1] * n[1], 2 * n[0] * n[1]};
    int e = m->triangle_edge[tri][c];
    add(t, m->triangle[tri][(c + 1) % 3], -1 / t->area, along),
        add(t, m->triangle[tri][(c + 2) % 3], 1 / t->area, along);
    slope(o, e, (m->edge[e].triangle[0] == tri ? 1 : -1) * l / t->area, t, nn);
    if (relax && m->edge[e].triangle[1] < 0 && o->kind != MORLEY) condense(nn, t->D);
  }
}

/* Stiffness of a hinge of which a regular mesh bends as the sheet does: energy = stiffness theta^2 / 2. area:
 * of both triangles. */
static double hinge_Nm(double B_Nm, double edge_m, double area_m2) {
  return B_Nm * edge_m * edge_m / area_m2;
}

static void hinge_term(const model *o, int edge, term *t) {
  const sim_mesh *m = o->mesh;
  const sim_edge *e = &m->edge[edge];
  const double one[3] = {1, 0, 0}, *p = m->position_m[e->vertex[0]], *q = m->position_m[e->vertex[1]];
  t->n = 0, t->area = 1;
  memset(t->D, 0, sizeof t->D);
  t->D[0][0] = hinge_Nm(o->D[0][0], hypot(p[0] - q[0], p[1] - q[1]),
                        m->area_m2[e->triangle[0]] + m->area_m2[e->triangle[1]]);
  flat_slope(m, e, 1, 1, t, one), flat_slope(m, e, 0, -1, t, one);
}

static int n_terms(const model *o) { return o->kind == HINGE ? o->mesh->n_edges : o->mesh->n_triangles; }

static bool get_term(const model *o, int i, bool relax, term *t) {
  if (o->kind == HINGE) {
    const sim_edge *e = &o->mesh->edge[i];
    if (e->triangle[1] < 0 || (o->rigid[e->triangle[0]] && o->rigid[e->triangle[1]])) return false;
    hinge_term(o, i, t);
    return true;
  }
  if (o->rigid[i]) return false;
  triangle_term(o, i, relax, t);
  return true;
}

/* ---- energies of quadratics ---- */

static bool deep(const sim_mesh *m, int t) {
  for (int k = 0; k < 3; k++) {
    const double *x = m->position_m[m->triangle[t][k]];
    if (fmin(fmin(x[0], 1 - x[0]), fmin(x[1], 1 - x[1])) < 0.2) return false;
  }
  return true;
}

static double quadratic_energy(const model *o, const double q[3]) {
  const sim_mesh *m = o->mesh;
  double energy = 0, area = 0;
  term t;
  for (int i = 0; i < m->n_triangles; i++) area += deep(m, i) ? m->area_m2[i] : 0;
  for (int i = 0; i < n_terms(o); i++) {
    double share = 1, k[3] = {0};
    if (o->kind == HINGE) {
      const sim_edge *e = &m->edge[i];
      share = e->triangle[1] < 0 ? 0 : 0.5 * deep(m, e->triangle[0]) + 0.5 * deep(m, e->triangle[1]);
    } else if (!deep(m, i)) {
      continue;
    }
    if (share == 0 || !get_term(o, i, false, &t)) continue;
    for (int j = 0; j < t.n; j++) {
      const double *x = m->position_m[t.unknown[j]];
      double u = 0.5 * q[0] * x[0] * x[0] + 0.5 * q[1] * x[1] * x[1] + q[2] * x[0] * x[1];
      for (int c = 0; c < 3; c++) k[c] += t.k[j][c] * u;
    }
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) energy += 0.5 * share * t.area * k[r] * t.D[r][c] * k[c];
  }
  return energy / area;
}

/* ---- linear plates ---- */

typedef struct plate_result {
  double value, nnz;
} plate_result;

typedef struct key {
  double x;
  int unknown;
} key;

static int by_x(const void *a, const void *b) {
  const key *p = a, *q = b;
  return p->x < q->x ? -1 : p->x > q->x ? 1 : (p->unknown > q->unknown) - (p->unknown < q->unknown);
}

/* Places in the banded matrix, from left to right; -1: fixed. */
static int *number(const model *o, const bool *fixed, int *n) {
  const sim_mesh *m = o->mesh;
  int total = m->n_vertices + m->n_edges;
  key *k = lab_get((size_t)total, sizeof *k);
  int *place = lab_get((size_t)total, sizeof *place), count = 0;
  for (int u = 0; u < total; u++) {
    place[u] = -1;
    if (u < m->n_vertices) {
      if (!fixed[u]) k[count++] = (key){m->position_m[u][0], u};
      continue;
    }
    const sim_edge *e = &m->edge[u - m->n_vertices];
    bool clamped = o->rigid[e->triangle[0]] || (e->triangle[1] >= 0 && o->rigid[e->triangle[1]]);
    if (o->kind == MORLEY && !clamped)
      k[count++] = (key){0.5 * (m->position_m[e->vertex[0]][0] + m->position_m[e->vertex[1]][0]), u};
  }
  qsort(k, (size_t)count, sizeof *k, by_x);
  for (int i = 0; i < count; i++) place[k[i].unknown] = i;
  free(k);
  *n = count;
  return place;
}

/* Deflections under unit load per area, by unknown; their number is returned in nnz as entries per row of the
 * matrix. */
static void solve(const model *o, const bool *fixed, double *w, double *nnz) {
  const sim_mesh *m = o->mesh;
  int n, half = 0, *place = number(o, fixed, &n);
  term t;
  for (int i = 0; i < n_terms(o); i++) {
    if (!get_term(o, i, true, &t)) continue;
    for (int a = 0; a < t.n; a++)
      for (int b = 0; b < t.n; b++)
        if (place[t.unknown[a]] >= 0 && place[t.unknown[b]] >= 0 &&
            place[t.unknown[a]] - place[t.unknown[b]] > half)
          half = place[t.unknown[a]] - place[t.unknown[b]];
  }
  lab_band K = lab_band_new(n, half);
  for (int i = 0; i < n_terms(o); i++) {
    if (!get_term(o, i, true, &t)) continue;
    for (int a = 0; a < t.n; a++)
      for (int b = 0; b < t.n; b++) {
        double sum = 0;
        for (int r = 0; r < 3; r++)
          for (int c = 0; c < 3; c++) sum += t.area * t.k[a][r] * t.D[r][c] * t.k[b][c];
        if (place[t.unknown[a]] >= 0 && place[t.unknown[b]] >= 0)
          lab_add(&K, place[t.unknown[a]], place[t.unknown[b]], sum);
      }
  }
  size_t used = 0;
  for (size_t i = 0; i < (size_t)n * (size_t)(half + 1); i++) used += K.a[i] != 0;
  *nnz = (2.0 * (double)used - n) / n;
  double *x = lab_get((size_t)n, sizeof *x);
  for (int v = 0; v < m->n_vertices; v++)
    if (place[v] >= 0) x[place[v]] = m->vertex_area_m2[v];
  if (!lab_factor(&K)) {
    x[0] = NAN; /* a motion without energy */
  } else {
    lab_solve(&K, x);
  }
  for (int v = 0; v < m->n_vertices; v++) w[v] = place[v] >= 0 ? x[place[v]] : 0;
  free(place), free(x), free(K.a);
}

/* Tip of a cantilever strip, relative to q L^4 / 8 B; nu = 0. */
static plate_result cantilever(lab_pattern pattern, kind operator, int columns) {
  lab_strip strip = {.pattern = pattern,
                     .length = 1,
                     .width = 0.25,
                     .columns = columns,
                     .rows = columns / 4,
                     .clamp_columns = 2,
                     .seed = 3};
  sim_mesh m = lab_mesh(&strip);
  bool *gripped = lab_clamp(&m), *rigid = lab_get((size_t)m.n_triangles, sizeof *rigid);
  for (int t = 0; t < m.n_triangles; t++)
    rigid[t] = gripped[m.triangle[t][0]] && gripped[m.triangle[t][1]] && gripped[m.triangle[t][2]];
  model o = {.mesh = &m, .kind = operator, .rigid = rigid, .D = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}};
  double *w = lab_get((size_t)m.n_vertices, sizeof *w), tip = 0;
  int count = 0;
  plate_result r;
  solve(&o, gripped, w, &r.nnz);
  for (int v = 0; v < m.n_vertices; v++)
    if (m.position_m[v][0] > 1 - 1e-9) tip += w[v], count++;
  r.value = tip / count * 8;
  free(w), free(gripped), free(rigid), sim_mesh_clear(&m);
  return r;
}

/* Mean deflection of a simply supported square, relative to Navier's series; nu = 0.3. */
static plate_result square(lab_pattern pattern, kind operator, int cells) {
  lab_strip strip = {.pattern = pattern, .length = 1, .width = 1, .columns = cells, .rows = cells, .seed = 3};
  sim_mesh m = lab_mesh(&strip);
  bool *fixed = lab_get((size_t)m.n_vertices, sizeof *fixed),
       *rigid = lab_get((size_t)m.n_triangles, sizeof *rigid);
  for (int v = 0; v < m.n_vertices; v++) {
    const double *x = m.position_m[v];
    fixed[v] = fmin(fmin(x[0], 1 - x[0]), fmin(x[1], 1 - x[1])) < 1e-9;
  }
  model o = {.mesh = &m, .kind = operator, .rigid = rigid, .D = {{1, 0.3, 0}, {0.3, 1, 0}, {0, 0, 0.35}}};
  double *w = lab_get((size_t)m.n_vertices, sizeof *w), mean = 0, series = 0;
  plate_result r;
  solve(&o, fixed, w, &r.nnz);
  for (int v = 0; v < m.n_vertices; v++) mean += m.vertex_area_m2[v] * w[v];
  for (int i = 1; i < 60; i += 2)
    for (int j = 1; j < 60; j += 2) series += 64 / pow(acos(-1), 8) / (i * i * j * j * pow(i * i + j * j, 2));
  r.value = mean / series;
  free(w), free(fixed), free(rigid), sim_mesh_clear(&m);
  return r;
}

static void print_plates(const char *title, plate_result (*run)(lab_pattern, kind, int)) {
  printf("\n%s: error in %% at 8, 16, 32 cells, order of the last halving, entries per row at 32\n\n", title);
  printf("| mesh | operator | 8 | 16 | 32 | order | entries |\n|---|---|---|---|---|---|---|\n");
  for (int p = 0; p < LAB_PATTERNS; p++)
    for (int s = 0; s < KINDS; s++) {
      plate_result r[3];
      for (int i = 0; i < 3; i++) r[i] = run((lab_pattern)p, (kind)s, 8 << i);
      printf("| %s | %s | %+.2f | %+.2f | %+.2f | %.1f | %.1f |\n", lab_pattern_text[p], kind_text[s],
             100 * (r[0].value - 1), 100 * (r[1].value - 1), 100 * (r[2].value - 1),
             log2(fabs((r[1].value - 1) / (r[2].value - 1))), r[2].nnz);
    }
}

static void print_energies(void) {
  static const double q[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {1, 1, 0}, {1, -1, 0}};
  printf("\nEnergy of quadratics, error in %%, nu = 0, inner triangles of 20 x 20 cells\n\n");
  printf("| mesh | operator | cylinder | cylinder at 45 deg | cap | saddle |\n|---|---|---|---|---|---|\n");
  for (int p = 0; p < LAB_PATTERNS; p++)
    for (int s = 0; s < KINDS; s++) {
      if (s == MORLEY) continue;
      lab_strip strip = {
          .pattern = (lab_pattern)p, .length = 1, .width = 1, .columns = 20, .rows = 20, .seed = 3};
      if (p == LAB_EQUILATERAL) strip.columns = 23;
      sim_mesh m = lab_mesh(&strip);
      bool *rigid = lab_get((size_t)m.n_triangles, sizeof *rigid);
      model o = {.mesh = &m, .kind = (kind)s, .rigid = rigid, .D = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}};
      printf("| %s | %s", lab_pattern_text[p], kind_text[s]);
      for (int i = 0; i < 4; i++) {
        double exact = 0.5 * (q[i][0] * q[i][0] + q[i][1] * q[i][1] + 2 * q[i][2] * q[i][2]);
        printf(" | %+.2f", 100 * (quadratic_energy(&o, q[i]) / exact - 1));
      }
      printf(" |\n");
      free(rigid), sim_mesh_clear(&m);
    }
}

static void print_elastica(void) {
  static const double load[] = {0.1, 1, 5, 20, 100, 500};
  printf(
      "\nHeavy cantilever, H/W, error in %% against the elastica; strip 5 : 1, stretch stiffness 1e5 B / "
      "L^2\n\n");
  printf("| mesh | cells | 0.1 | 1 | 5 | 20 | 100 | 500 |\n|---|---|---|---|---|---|---|---|\n");
  for (int p = 0; p < LAB_PATTERNS; p++)
    for (int columns = 20; columns <= 80; columns *= 2) {
      lab_strip strip = {.pattern = (lab_pattern)p,
                         .length = 1,
                         .width = 0.2,
                         .columns = columns,
                         .rows = columns / 5,
                         .clamp_columns = 2,
                         .seed = 7};
      lab_droop d[6];
      lab_cantilever(&strip, 1e5, 6, load, d);
      printf("| %s | %d", lab_pattern_text[p], columns);
      for (int i = 0; i < 6; i++) {
        fit_elastica e = fit_elastica_of_load(load[i]);
        printf(" | %+.3f", 100 * (d[i].h_over_w / (e.drop / e.reach) - 1));
      }
      printf(" |\n");
      fflush(stdout);
    }
}

/* Least of ten. */
static void print_cost(void) {
  printf(
      "\nCost of a square sheet, all threads: entries per row, bytes per vertex of the matrix (12 B) and its "
      "float copy (4 B) and of the "
      "slopes, ms\n\n");
  printf(
      "| mesh | vertices | entries | matrix B | slopes B | make | force | energy "
      "|\n|---|---|---|---|---|---|---|---|\n");
  for (int p = 0; p < LAB_PATTERNS; p++) {
    lab_strip strip = {
        .pattern = (lab_pattern)p, .length = 1, .width = 1, .columns = 282, .rows = 282, .seed = 3};
    sim_mesh m = lab_mesh(&strip);
    sim_bending b;
    double start = cb_now_monotonic_s(), made, force = INFINITY, energy = INFINITY,
           (*f)[3] = lab_get((size_t)m.n_vertices, sizeof *f);
    if (sim_bending_init(&m, (const double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}, NULL, NULL, &b, NULL) !=
        CB_OK)
      abort();
    made = cb_now_monotonic_s() - start;
    if (sim_bending_prepare(&b, NULL) != CB_OK) abort();
    for (int i = 0; i < 10; i++) {
      start = cb_now_monotonic_s();
      sim_bending_add_force(&b, (const sim_vec3 *)m.position_m, f);
      force = fmin(force, cb_now_monotonic_s() - start), start = cb_now_monotonic_s();
      if (!isfinite(sim_bending_energy_J(&b, (const sim_vec3 *)m.position_m))) abort();
      energy = fmin(energy, cb_now_monotonic_s() - start);
    }
    const double n = m.n_vertices, entries = (double)sim_pairs_entries(&b.pairs) / n,
                 bytes = (8.0 * m.n_edges + 12.0 * b.pairs.far_start[m.n_vertices]) / n + 8;
    printf("| %s | %d | %.1f | %.0f | %.0f | %.0f | %.2f | %.1f |\n", lab_pattern_text[p], m.n_vertices,
           entries, bytes, (12.0 * b.slopes->start[m.n_edges] + 4.0 * m.n_edges) / n, 1e3 * made, 1e3 * force,
           1e3 * energy);
    free(f), sim_bending_clear(&b), sim_mesh_clear(&m);
  }
}

static void print_strip(void) {
  print_plates("Cantilever strip 4 : 1 under its weight, small deflection, tip", cantilever);
}
static void print_square(void) { print_plates("Simply supported square, mean deflection, nu = 0.3", square); }

/* bench_bending [PART]: one part, or all. */
int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(void);
  } parts[] = {{"energies", print_energies},
               {"strip", print_strip},
               {"square", print_square},
               {"elastica", print_elastica},
               {"cost", print_cost}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (argc < 2 || !strcmp(argv[1], parts[i].name)) parts[i].print();
  return 0;
}
