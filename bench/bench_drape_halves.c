/* Real drapes by halves: what `fit drape` makes of every second drape of a fabric predicts the mean of the
 * others, and the other way round.
 *   ./run bench drape_halves FILES...         pictures or scans (18 and 30 cm); each folder is a fabric
 * Figures stand in docs/method/drape-inverse-checks.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_drape_data.h"
#include "val_drape_lattice.h"
#include "val_drape_table_impl.h"

#define TABLE CB_SOURCE_DIR "/materials/drape_table.csv"
#define FILES_MAX 100

#define TRY(call)                                                 \
  do {                                                            \
    cb_err why = {""}, *err = &why;                               \
    if ((call) != CB_OK) {                                        \
      (void)fprintf(stderr, "bench_drape_halves: %s\n", why.msg); \
      exit(1);                                                    \
    }                                                             \
  } while (0)

typedef struct tally {
  int n, inside[VAL_DRAPE_SIGNS];
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
                               .u_mass_rel = NAN};
  lab_drape_data d;
  TRY(lab_drape_gather(&q, NULL, m, &d, err));
  const val_drape_group g = d.group[0];
  lab_drape_data_clear(&d);
  return g;
}

static void predict(const val_drape_lattice *l, const val_drape_group *from, const val_drape_group *others,
                    tally *t) {
  const val_drape_prior q = val_drape_prior_default();
  val_drape_belief b;
  val_drape_check c[VAL_DRAPE_SIGNS];
  TRY(val_drape_believe(l, from, 1, &q, &b, err));
  val_drape_check_signs(l, &b, others, c);
  val_drape_belief_clear(&b);
  t->n++;
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
    t->inside[s] += c[s].inside;
    printf(" %.3g in %.3g .. %.3g%s |", c[s].measured, c[s].lo95, c[s].hi95, c[s].inside ? "" : " **no**");
  }
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

int main(int argc, char **argv) {
  val_drape_table table;
  static val_drape_model m;
  val_drape_lattice *l;
  tally t = {.n = 0};
  TRY(val_drape_table_read(TABLE, &table, err));
  TRY(val_drape_model_make(&table, TABLE, &m, err));
  TRY(val_drape_lattice_make(&m, &l, err));
  printf("| fabric |");
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) printf(" %s |", val_drape_sign_names[s]);
  printf("\n");
  for (int i = 1, n; i < argc; i += n) {
    const int length = folder_length(argv[i]);
    for (n = 1; i + n < argc && n < FILES_MAX && folder_length(argv[i + n]) == length &&
                strncmp(argv[i], argv[i + n], (size_t)length) == 0;)
      n++;
    if (n > 1) halve(&m, l, &argv[i], n, &t);
  }
  printf("inside 95 %%, of %d:", t.n);
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++)
    printf(" %s %d%s", val_drape_sign_names[s], t.inside[s], s + 1 < VAL_DRAPE_SIGNS ? "," : "\n");
  val_drape_lattice_free(l);
  val_drape_table_clear(&table);
  return 0;
}
