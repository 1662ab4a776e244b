#include "cli_budget.h"

#include <math.h>
#include <stdio.h>

#include "cb_num.h"

static void print_dof(double dof) {
  if (isfinite(dof))
    printf("%8.1f", dof);
  else
    printf("%8s", "inf");
}

void cli_budget_print(const fit_budget_entry *e, size_t n, const fit_budget *sum) {
  printf("    %-25s %-4s %-12s %10s %-8s %8s %12s %10s %8s\n", "entry", "type", "distribution", "value",
         "unit", "divisor", "sensitivity", "u [N]", "dof");
  for (size_t i = 0; i < n; i++) {
    const char type[] = {e[i].type, '\0'};
    printf("    %-25s %-4s %-12s %10.3g %-8s %8.3g %12.4g %10.3g ", e[i].name, type, e[i].distribution,
           e[i].value, e[i].unit, e[i].divisor, e[i].sensitivity, e[i].u_N);
    print_dof(e[i].dof);
    putchar('\n');
  }
  printf("    combined: u = %.3g N, effective degrees of freedom", sum->u);
  print_dof(sum->dof);
  printf(", k = %.3f, U = %.3g N (95 %%)\n", sum->k, sum->U);
}

static void print_force(const char *what, const fit_force_budget *b) {
  printf("  %s: %.5f N at %g deg under %.4g N\n", what, b->force_N, b->angle_rad / CB_DEG, b->normal_force_N);
  cli_budget_print(b->entry, b->n_entries, &b->total);
}

void cli_budget_force_print(const lab_force_budget *b) {
  print_force("budget of the predicted force", &b->predicted);
  if (b->has_run) print_force("budget of the nearest run", &b->run);
  for (size_t i = 0; i < b->n_not_assessed; i++) printf("  not assessed: %s\n", b->not_assessed[i]);
}
