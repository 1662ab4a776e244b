/* The end of the demo: hidden truth against fitted laws, and the verdicts of the database. */
#include <math.h>
#include <stdio.h>

#include "cli_demo.h"
#include "lab_judged.h"

/* A law is wrong if its truth lies this many bands off. Its cells share their calibration: one law in twenty
 * has its truth outside. */
#define WRONG 3.0

static void print_truth(const cli_demo *d) {
  static const char *const names[CLI_DEMO_PROPERTIES] = {"friction", "stretch", "bending", "air",
                                                         "weight, thickness"};
  printf("\n%-22s %18s %12s\n", "hidden truth", "inside its 95 % band", "worst");
  for (int k = 0; k < CLI_DEMO_PROPERTIES; k++)
    if (d->tally[k].cells > 0)
      printf("%-22s %13d of %-3d %12.2f\n", names[k], d->tally[k].inside, d->tally[k].cells,
             d->tally[k].worst);
}

static cb_status read_verdicts(const cli_demo *d, lab_judged kinds[LAB_JUDGED_KINDS], cb_err *err) {
  cb_store *s;
  cb_validation *list;
  size_t n;
  CB_TRY(cb_store_open(d->db, CB_STORE_READ, &s, err));
  const cb_status st = cb_store_validations(s, 0, &list, &n, err);
  if (st == CB_OK) {
    lab_judged_of(list, n, 0, CB_VIRTUAL, kinds);
    cb_validations_free(list, n);
  }
  return cb_store_close_after(s, st, err);
}

int cli_demo_summary(const cli_demo *d) {
  cb_err err = {""};
  lab_judged kinds[LAB_JUDGED_KINDS];
  int code = d->friction_wrong ? CLI_NEGATIVE : CLI_DONE;
  print_truth(d);
  const cb_status st = read_verdicts(d, kinds, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  printf("\n%-22s %8s %8s %12s\n", "predicted, measured", "judged", "passed", "worst |E_n|");
  for (const lab_judged *k = kinds; k < kinds + LAB_JUDGED_KINDS; k++) {
    if (k->n == 0 && k->told) continue;
    printf("%-22s %8zu %8zu %12.2f%s%s\n", k->words, k->n, k->passed, k->worst_en, k->note[0] ? "  " : "",
           k->note);
    if (!k->told && (k->n == 0 || !k->holds)) code = CLI_NEGATIVE;
  }
  (void)fflush(stdout);
  for (int k = 0; k < CLI_DEMO_PROPERTIES; k++)
    if (d->tally[k].worst > WRONG) code = CLI_NEGATIVE;
  return code;
}
