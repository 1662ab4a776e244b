/* The end of the demo: hidden truth against fitted laws, and the verdicts of the database. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_store.h"
#include "cli_demo.h"

/* A law is wrong if its truth lies this many bands off. Its cells share their calibration: one law in twenty
 * has its truth outside. */
#define WRONG 3.0

/* All verdicts of one kind. */
typedef struct judged {
  const char *experiment, *words;
  int n, passed;
  double worst_en;
} judged;

static void print_truth(const cli_demo *d) {
  static const char *const names[CLI_DEMO_PROPERTIES] = {"friction", "stretch", "bending", "air",
                                                         "weight, thickness"};
  printf("\n%-22s %18s %12s\n", "hidden truth", "inside its 95 % band", "worst");
  for (int k = 0; k < CLI_DEMO_PROPERTIES; k++)
    if (d->tally[k].cells > 0)
      printf("%-22s %13d of %-3d %12.2f\n", names[k], d->tally[k].inside, d->tally[k].cells,
             d->tally[k].worst);
}

static cb_status read_verdicts(const cli_demo *d, judged *kinds, size_t n_kinds, cb_err *err) {
  cb_store *s;
  cb_validation *list;
  size_t n;
  CB_TRY(cb_store_open(d->db, CB_STORE_READ, &s, err));
  cb_status st = cb_store_validations(s, 0, &list, &n, err);
  for (size_t i = 0; st == CB_OK && i < n; i++)
    for (size_t k = 0; k < n_kinds; k++) {
      if (strcmp(list[i].experiment, kinds[k].experiment) != 0) continue;
      kinds[k].n++;
      kinds[k].passed += list[i].pass;
      kinds[k].worst_en = fmax(kinds[k].worst_en, list[i].worst_en);
    }
  if (st == CB_OK) cb_validations_free(list, n);
  return cb_store_close_after(s, st, err);
}

int cli_demo_summary(const cli_demo *d) {
  cb_err err = {""};
  judged kinds[] = {{.experiment = "slide", .words = "slide on foam"},
                    {.experiment = "stack", .words = "air, two layers"},
                    {.experiment = "stretch", .words = "oblique strips"},
                    {.experiment = "drape", .words = "drape"}};
  const size_t n = sizeof kinds / sizeof kinds[0];
  print_truth(d);
  const cb_status st = read_verdicts(d, kinds, n, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  printf("\n%-22s %20s %12s\n", "predicted, measured", "passed", "worst |E_n|");
  for (size_t k = 0; k < n; k++)
    printf("%-22s %13d of %-3d %12.2f\n", kinds[k].words, kinds[k].passed, kinds[k].n, kinds[k].worst_en);
  (void)fflush(stdout);
  for (int k = 0; k < CLI_DEMO_PROPERTIES; k++)
    if (d->tally[k].worst > WRONG) return CLI_NEGATIVE;
  return CLI_DONE;
}
