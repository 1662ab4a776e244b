/* Real drapes by halves: what `fit drape` makes of every second drape of a fabric predicts the mean of the
 * others, and the other way round.
 *   ./run bench drape_halves [--table FILE] FILES...   pictures or scans (18 and 30 cm); each folder is a
 * fabric For each sign: measured in a band of 95 %. Then how many lie inside, the mean of z (measured less
 * expected, over a quarter of the band, on the even scale) and the mean width of the bands, on the sign's own
 * scale. Figures stand in docs/method/drape-measured.md and docs/method/folds.md. */
#include "bench_lab.h"
#include "lab_drape_impl.h"
#include "val_drape_lattice.h"
#include "val_drape_table_impl.h"

#define FILES_MAX 100
#define SDS_OF_BAND (2 * 1.959964)

typedef struct tally {
  int n, inside[VAL_DRAPE_SIGNS], above[VAL_DRAPE_SIGNS], below[VAL_DRAPE_SIGNS];
  double z[VAL_DRAPE_SIGNS], width[VAL_DRAPE_SIGNS];
} tally;

static int folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (int)(slash - path) : 0;
}

static val_drape_group gather(const val_drape_model *m, const char *const *file, size_t n) {
  const lab_drape_request q = {.files = file,
                               .n_files = n,
                               .origin = LAB_ANY_ORIGIN,
                               .measured = NAN,
                               .specimen_m = 0.3,
                               .support_m = 0.18,
                               .scale_m_per_px = 0,
                               .areal_mass_kg_per_m2 = NAN,
                               .u_mass_rel = NAN,
                               .stretch_N_per_m = NAN};
  lab_drape_data d;
  LAB_TRY(lab_drape_gather(&q, NULL, m, &d, err));
  const val_drape_group g = d.group[0];
  lab_drape_data_clear(&d);
  return g;
}

static void count(tally *t, val_drape_sign s, const val_drape_check *c) {
  const double low = val_drape_even(s, c->lo95), high = val_drape_even(s, c->hi95),
               z = (val_drape_even(s, c->measured) - val_drape_even(s, c->mean)) /
                   ((high - low) / SDS_OF_BAND);
  t->inside[s] += c->inside;
  t->above[s] += c->measured > c->hi95, t->below[s] += c->measured < c->lo95;
  t->z[s] += z, t->width[s] += c->hi95 - c->lo95;
  printf(" %.3g in %.3g .. %.3g%s (%+.1f) |", c->measured, c->lo95, c->hi95, c->inside ? "" : " **no**", z);
}

static void predict(const val_drape_lattice *l, const val_drape_group *from, const val_drape_group *others,
                    tally *t) {
  const val_drape_prior q = val_drape_prior_default();
  val_drape_belief b;
  val_drape_check c[VAL_DRAPE_SIGNS];
  LAB_TRY(val_drape_believe(l, from, 1, &q, &b, err));
  val_drape_check_signs(l, &b, others, c);
  val_drape_belief_clear(&b);
  t->n++;
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) count(t, (val_drape_sign)s, &c[s]);
  printf("\n");
}

static void halve(const val_drape_model *m, const val_drape_lattice *l, char **file, int n, tally *t) {
  const char *half[2][FILES_MAX];
  val_drape_group g[2];
  for (int i = 0; i < n; i++) half[i % 2][i / 2] = file[i];
  for (int k = 0; k < 2; k++) g[k] = gather(m, half[k], (size_t)(n + 1 - k) / 2);
  for (int k = 0; k < 2; k++) {
    printf("| %.*s, %d from %d |", folder_length(file[0]), file[0], g[1 - k].n, g[k].n);
    predict(l, &g[k], &g[1 - k], t);
  }
}

static void sum_up(const tally *t) {
  printf(
      "\n| of %d | inside | above | below | mean z | mean width of the band |\n|---|---|---|---|---|---|\n",
      t->n);
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++)
    printf("| %s | %d | %d | %d | %+.2f | %.3g |\n", val_drape_sign_names[s], t->inside[s], t->above[s],
           t->below[s], t->z[s] / t->n, t->width[s] / t->n);
}

static int same_folder(int n, char **file) {
  const int length = folder_length(file[0]);
  int k = 1;
  while (k < n && k < FILES_MAX && folder_length(file[k]) == length &&
         strncmp(file[0], file[k], (size_t)length) == 0)
    k++;
  return k;
}

int main(int argc, char **argv) {
  const val_drape_prior q = val_drape_prior_default();
  const bool other = argc > 2 && strcmp(argv[1], "--table") == 0;
  const char *path = other ? argv[2] : CB_SOURCE_DIR "/materials/drape_table.csv";
  val_drape_table table;
  static val_drape_model m;
  val_drape_lattice *l;
  tally t = {.n = 0};
  LAB_TRY(val_drape_table_read(path, &table, err));
  LAB_TRY(val_drape_model_make(&table, path, &m, err));
  LAB_TRY(val_drape_lattice_make(&m, &q, NULL, 0, &l, err));
  printf("| fabric |");
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) printf(" %s |", val_drape_sign_names[s]);
  printf("\n|---|---|---|---|---|\n");
  for (int i = other ? 3 : 1, n; i < argc; i += n) {
    n = same_folder(argc - i, argv + i);
    if (n > 1) halve(&m, l, &argv[i], n, &t);
  }
  if (t.n > 0) sum_up(&t);
  val_drape_lattice_free(l);
  val_drape_table_clear(&table);
  return 0;
}
