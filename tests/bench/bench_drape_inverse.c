/* What `fit drape` is worth: ./run bench drape_inverse [CAMPAIGNS [SIMULATED [DRAPES [VERTICES [TABLE]]]]].
 *   how well the table predicts the rows that are left out of it;
 *   coverage: cloths drawn from the prior, drapes drawn from what the table expects of them (CAMPAIGNS,
 *   1000); truth: other cloths, simulated anew with other seeds and finer meshes (SIMULATED, 0; each DRAPES,
 *   5, of VERTICES, 5000).
 * Figures stand in docs/method/drape-inverse.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "cb_time.h"
#include "val_drape_inverse.h"
#include "val_drape_impl.h"
#include "val_drape_table_impl.h"

#define MASS 0.19

typedef struct truth {
  double ln[VAL_DRAPE_FREE]; /* of B, ratio, G */
  val_drape_cloth cloth;
} truth;

/* From the prior, within the table. */
static truth draw(cb_rng *rng, const val_drape_model *m, const val_drape_prior *q) {
  truth t;
  double w = log(q->mass_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2);
  do {
    t.ln[0] = log(q->B_Nm) + q->sd_ln_B * cb_rng_normal(rng);
    t.ln[1] = fabs(q->sd_ln_ratio * cb_rng_normal(rng));
    t.ln[2] = log(q->G_N_per_m) + q->sd_ln_G * cb_rng_normal(rng);
    double mass = w + q->sd_ln_mass * cb_rng_normal(rng);
    t.cloth = (val_drape_cloth){exp((t.ln[0] - mass) / 3), exp(t.ln[1]), exp(t.ln[2] - mass), 0,
                                VAL_DRAPE_STRETCH_M};
    if (m->stretches)
      t.cloth.stretch_m = exp(log(q->stretch_N_per_m) + q->sd_ln_stretch * cb_rng_normal(rng) - mass);
    const val_drape_many of = val_drape_of_cloth(&t.cloth, MASS);
    t.cloth.softening =
        val_drape_softening_drawn(&of, t.cloth.bending_m, cb_rng_normal(rng), cb_rng_normal(rng));
  } while (t.cloth.bending_m < m->low.bending_m || t.cloth.bending_m > m->high.bending_m ||
           t.cloth.ratio > m->high.ratio || t.cloth.shear_m < m->low.shear_m ||
           t.cloth.shear_m > m->high.shear_m);
  return t;
}

/* ---- how well the table predicts ---- */

static void print_model(const val_drape_model *m) {
  printf("bending length %.1f .. %.1f mm, ratio 1 .. %.2f, shear length %.2f .. %.0f m\n\n",
         1e3 * m->low.bending_m, 1e3 * m->high.bending_m, m->high.ratio, m->low.shear_m, m->high.shear_m);
  printf(
      "| specimen cm | rows | sign | degree | terms | left out, rms (even scale) | over what was expected "
      "|\n|---|---|---|---|---|---|---|\n");
  for (int s = 0; s < m->n; s++)
    for (int k = 0; k < VAL_DRAPE_SIGNS; k++) {
      const val_drape_response *r = &m->specimen[s].response[k];
      printf("| %g | %zu | %s | %d | %d | %.3g | %.2f |\n", 100 * m->specimen[s].specimen_m,
             m->specimen[s].rows, val_drape_sign_names[k], r->degree, r->terms, r->left_out_rms,
             r->left_out_ratio);
    }
  printf("\n");
}

/* ---- tallies ---- */

typedef struct tally {
  int n, inside[VAL_DRAPE_UNKNOWNS], outcome[VAL_DRAPE_OUTCOMES];
  double sd[VAL_DRAPE_UNKNOWNS], prior[VAL_DRAPE_UNKNOWNS], error[VAL_DRAPE_UNKNOWNS];
} tally;

static void count(tally *t, const truth *of, const val_drape_inverse *v) {
  const double ln[] = {of->ln[0], of->ln[1], of->ln[2], log(of->cloth.bending_m), log(of->cloth.shear_m)};
  t->outcome[v->outcome]++;
  if (v->outcome == VAL_DRAPE_TOO_LIMP || v->outcome == VAL_DRAPE_TOO_STIFF) return;
  t->n++;
  for (int u = 0; u < VAL_DRAPE_UNKNOWNS; u++) {
    const val_drape_estimate *e = &v->estimate[u];
    /* The ratio has no other side: what lies below the middle of the first cell lies at 1. */
    t->inside[u] += ln[u] >= log(e->lo95) && ln[u] <= log(e->hi95);
    t->sd[u] += e->sd_ln, t->prior[u] += e->prior_sd_ln;
    t->error[u] += pow(ln[u] - e->mean_ln, 2);
  }
}

static void print_tally(const char *what, const tally *t) {
  printf("%s: %d told, %d too limp, %d too stiff, %d contradicted\n\n", what, t->outcome[0], t->outcome[1],
         t->outcome[2], t->outcome[3]);
  printf(
      "| unknown | truth within 95 %% | rms error of ln | sd of ln, mean | over prior's "
      "|\n|---|---|---|---|---|\n");
  for (int u = 0; u < VAL_DRAPE_UNKNOWNS && t->n > 0; u++)
    printf("| %s | %.1f %% | %.3f | %.3f | %.2f |\n", val_drape_unknown_names[u], 100.0 * t->inside[u] / t->n,
           sqrt(t->error[u] / t->n), t->sd[u] / t->n, t->sd[u] / t->prior[u]);
  printf("\n");
}

/* ---- campaigns drawn from the table ---- */

/* What all layings share: the table's own error, and the simulation's. */
static void offset(cb_rng *rng, const val_drape_model *m, int specimen, const val_drape_cloth *c,
                   double off[VAL_DRAPE_SIGNS]) {
  val_drape_expected e;
  val_drape_expect(m, specimen, c, &e);
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++)
    off[s] = hypot(e.doubt[s], val_drape_u_simulation((val_drape_sign)s, e.mean[s])) * cb_rng_normal(rng);
}

/* One laying: correlated normals through Cholesky's factor of the correlation. */
static void lay(cb_rng *rng, const val_drape_model *m, int specimen, const val_drape_cloth *c,
                double even[VAL_DRAPE_SIGNS]) {
  val_drape_expected e;
  double l[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS], z[VAL_DRAPE_SIGNS];
  val_drape_expect(m, specimen, c, &e);
  for (int i = 0; i < VAL_DRAPE_SIGNS; i++) {
    z[i] = cb_rng_normal(rng);
    for (int j = 0; j <= i; j++) {
      double sum = m->specimen[specimen].correlation[i][j];
      for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
      l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
    }
  }
  for (int i = 0; i < VAL_DRAPE_SIGNS; i++) {
    even[i] = e.mean[i];
    for (int k = 0; k <= i; k++) even[i] += e.sd[i] * l[i][k] * z[k];
  }
}

/* What is looked at. */
typedef struct variant {
  const char *what;
  bool sign[VAL_DRAPE_SIGNS];
  int sizes;
  double specimen_m[3];
} variant;

static const variant variants[] = {
    {"30 cm: coefficient alone", {true, false, false, false}, 1, {0.30}},
    {"30 cm: coefficient, nodes, amplitude", {true, true, true, false}, 1, {0.30}},
    {"30 cm: all signs", {true, true, true, true}, 1, {0.30}},
    {"24, 30 and 36 cm: all signs", {true, true, true, true}, 3, {0.24, 0.30, 0.36}},
};
#define VARIANTS (sizeof variants / sizeof variants[0])

static val_drape_group campaign(cb_rng *rng, const val_drape_model *m, const variant *v, int size,
                                const val_drape_cloth *c, int drapes) {
  val_drape_group g = {.specimen = val_drape_model_find(m, 0.18, v->specimen_m[size]), .n = drapes};
  double even[VAL_DRAPE_SIGNS], off[VAL_DRAPE_SIGNS], squares[VAL_DRAPE_SIGNS] = {0};
  offset(rng, m, g.specimen, c, off);
  for (int d = 0; d < drapes; d++) {
    lay(rng, m, g.specimen, c, even);
    for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
      double step = even[s] - g.mean[s];
      g.mean[s] += step / (d + 1);
      squares[s] += step * (even[s] - g.mean[s]);
    }
  }
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
    g.sd[s] = drapes > 1 ? sqrt(squares[s] / (drapes - 1)) : NAN;
    g.mean[s] = v->sign[s] ? g.mean[s] + off[s] : NAN;
  }
  return g;
}

static int campaigns(int n, int drapes, const val_drape_model *m, const val_drape_lattice *l,
                     const val_drape_prior *q, const variant *what) {
  tally t = {.n = 0};
  cb_rng rng;
  cb_err err;
  cb_rng_init(&rng, 5, 1);
  for (int i = 0; i < n; i++) {
    truth of = draw(&rng, m, q);
    val_drape_group g[3];
    val_drape_inverse v;
    for (int k = 0; k < what->sizes; k++) g[k] = campaign(&rng, m, what, k, &of.cloth, drapes);
    if (val_drape_infer(l, g, what->sizes, q, &v, &err) != CB_OK)
      return fprintf(stderr, "drape_inverse: %s\n", err.msg), 1;
    count(&t, &of, &v);
  }
  print_tally(what->what, &t);
  return 0;
}

/* ---- simulated anew ---- */

/* All layings of a cloth have the same friction, drawn once. Its moment at VAL_DRAPE_BEND / c stays. */
static val_drape_many one_friction(int cloth, const val_drape_cloth *c) {
  val_drape_many e = val_drape_of_cloth(c, MASS);
  e.one.seed = 1;
  e.one.material = val_drape_drawn(&e, cloth).material;
  e.doubt = (val_drape_doubt){.mass = 0};
  return e;
}

static int simulated(int n, int drapes, int vertices, const val_drape_model *m, const val_drape_lattice *l,
                     const val_drape_prior *q) {
  tally t = {.n = 0};
  cb_rng rng;
  cb_err err;
  cb_rng_init(&rng, 6, 1);
  printf("| B uN m | found | ratio | found | G N/m | found | p |\n|---|---|---|---|---|---|---|\n");
  for (int i = 0; i < n; i++) {
    truth of = draw(&rng, m, q);
    val_drape_seen seen[100];
    val_drape_group g[VAL_DRAPE_SPECIMENS_MAX];
    val_drape_inverse v;
    int groups;
    val_drape_many e = one_friction(i, &of.cloth);
    val_drape_statistics all;
    e.one.vertices = vertices;
    e.one.seed = 7000000 + 1000 * (unsigned)i;
    e.seeds = drapes;
    if (val_drape_many_run(&e, &all, &err) != CB_OK)
      return fprintf(stderr, "drape_inverse: %s\n", err.msg), 1;
    for (int d = 0; d < drapes; d++) {
      seen[d] = (val_drape_seen){.support_m = e.one.size.support_m, .specimen_m = e.one.size.specimen_m};
      val_drape_signs_of(&all, d, seen[d].sign);
    }
    val_drape_statistics_clear(&all);
    if (val_drape_gather(m, seen, (size_t)drapes, g, &groups, &err) != CB_OK ||
        val_drape_infer(l, g, groups, q, &v, &err) != CB_OK)
      return fprintf(stderr, "drape_inverse: %s\n", err.msg), 1;
    count(&t, &of, &v);
    const val_drape_estimate *B = &v.estimate[VAL_DRAPE_B], *R = &v.estimate[VAL_DRAPE_RATIO],
                             *G = &v.estimate[VAL_DRAPE_G];
    printf(
        "| %.3g | %.3g (%.3g .. %.3g) | %.2f | %.2f (%.2f .. %.2f) | %.3g | %.3g (%.3g .. %.3g) | %.2f |\n",
        1e6 * exp(of.ln[0]), 1e6 * B->median, 1e6 * B->lo95, 1e6 * B->hi95, exp(of.ln[1]), R->median, R->lo95,
        R->hi95, exp(of.ln[2]), G->median, G->lo95, G->hi95, v.p);
    fflush(stdout);
  }
  printf("\n");
  print_tally("simulated anew", &t);
  return 0;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, real = argc > 2 ? atoi(argv[2]) : 0,
      drapes = argc > 3 ? atoi(argv[3]) : 5;
  int vertices = argc > 4 ? atoi(argv[4]) : 5000;
  const char *file = argc > 5 ? argv[5] : CB_SOURCE_DIR "/materials/drape_table.csv";
  val_drape_table table;
  static val_drape_model m;
  val_drape_lattice *l = NULL;
  val_drape_prior q = val_drape_prior_default();
  cb_err err;
  q.mass_kg_per_m2 = MASS, q.sd_ln_mass = 0.01;
  if (val_drape_table_read(file, &table, &err) != CB_OK ||
      val_drape_model_make(&table, file, &m, &err) != CB_OK ||
      val_drape_lattice_make(&m, &q, NULL, 0, &l, &err) != CB_OK)
    return fprintf(stderr, "drape_inverse: %s\n", err.msg), 1;
  print_model(&m);
  double from = cb_now_monotonic_s();
  int failed = 0;
  for (size_t k = 0; k < VARIANTS && n > 0 && !failed; k++)
    failed = campaigns(n, drapes, &m, l, &q, &variants[k]);
  if (n > 0) printf("%.3f s per campaign\n\n", (cb_now_monotonic_s() - from) / ((double)n * VARIANTS));
  if (!failed && real) failed = simulated(real, drapes < 100 ? drapes : 100, vertices, &m, l, &q);
  val_drape_lattice_free(l);
  val_drape_table_clear(&table);
  return failed;
}
