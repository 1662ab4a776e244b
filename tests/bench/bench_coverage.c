/* bench_coverage [CAMPAIGNS [outside]]: of how many virtual campaigns does the fit's 95 % band hold the
 * truth? Four laws, eight designs, 1000 campaigns each, in memory (tests/kit/coverage.h;
 * docs/method/uncertainty.md has the table and what it says). Rows: shares in percent, and in brackets how
 * wide the bands are (mean half width, percent of the force). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/kit/coverage_outside.h"
#include "cb_time.h"

static void print_row(const char *name, const cov_design *d, cb_friction_model m, size_t campaigns) {
  cov_tally t;
  size_t failed = cov_run(m, d, &cov_usual, campaigns, 2026, &t);
  printf("%-24s %-8s", name, cb_friction_model_names[m]);
  for (int p = 0; p < COV_PLACES; p++) {
    if (t.cells[p] > 0)
      printf(" %5.1f (%5.2f)", 100 * t.inside[p] / t.cells[p], 100 * t.width[p] / t.cells[p]);
    else
      printf(" %13s", "-");
  }
  printf(failed ? " %zu not fitted\n" : "\n", failed);
}

/* The designs that cannot tell what a laying changes, where no other pair does. */
static void print_blind(size_t campaigns) {
  for (size_t i = 0; i < COV_DESIGNS; i++) {
    cov_design d = cov_designs[i];
    if (!(d.others_dof > 0)) continue;
    d.others_dof = 0;
    for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++)
      print_row("  and nobody knows", &d, (cb_friction_model)m, campaigns);
  }
}

/* Truths outside of the form. */
static void print_outside(size_t campaigns) {
  for (size_t g = 0; g < COV_GRIDS; g++)
    for (int kind = 0; kind < COV_OUTSIDES; kind++) {
      cov_tally t;
      const size_t refused = cov_run_strange((cov_outside)kind, &cov_grids[g], campaigns, 2026, &t);
      printf("%-27s %-17s", cov_grids[g].name, cov_outside_names[kind]);
      for (int p = COV_MEASURED; p <= COV_BETWEEN; p++)
        printf(" %5.1f (%5.2f)", 100 * t.inside[p] / t.cells[p], 100 * t.width[p] / t.cells[p]);
      printf(" %zu refused\n", refused);
    }
}

int main(int argc, char **argv) {
  size_t campaigns = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
  const bool outside = argc > 2 && strcmp(argv[2], "outside") == 0;
  double start = cb_now_monotonic_s();
  printf("%-24s %-8s %13s %13s %13s %13s %13s\n", "design", "law", "measured", "between", "other angles",
         "both", "outside");
  for (size_t d = 0; d < COV_DESIGNS && !outside; d++)
    for (int m = CB_MODEL_CURVE; m <= CB_MODEL_OFFSET; m++)
      print_row(cov_designs[d].name, &cov_designs[d], (cb_friction_model)m, campaigns);
  if (!outside) print_blind(campaigns);
  print_outside(campaigns);
  printf("%zu campaigns each: %.1f s\n", campaigns, cb_now_monotonic_s() - start);
  return 0;
}
