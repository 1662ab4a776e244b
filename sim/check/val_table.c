#include "val_table_impl.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

const val_experiment val_experiments[VAL_EXPERIMENTS] = {{"cantilever", val_table_cantilever},
                                                         {"lateral-buckling", val_table_buckling},
                                                         {"stick-slip", val_table_stick_slip},
                                                         {"loops", val_table_loops},
                                                         {"strips", val_table_of_strips},
                                                         {"strip-tension", val_table_tension},
                                                         {"picture-frame", val_table_frame},
                                                         {"incline", val_table_incline},
                                                         {"sled", val_table_sled},
                                                         {"capstan", val_table_capstan},
                                                         {"stress-tests", val_table_stress_tests},
                                                         {"balloon", val_table_balloon},
                                                         {"leak", val_table_leak},
                                                         {"chambers", val_table_chambers},
                                                         {"wind", val_table_wind},
                                                         {"bounce", val_table_bounce},
                                                         {"sheet-slide", val_table_sheet_slide},
                                                         {"sag-particles", val_table_sag_particles},
                                                         {"limit-swap", val_table_limit_swap}};

void val_table_add(val_table *t, val_row row, const char *fmt, ...) {
  assert(t->n < VAL_TABLE_MAX);
  va_list args;
  va_start(args, fmt);
  (void)vsnprintf(row.what, sizeof row.what, fmt, args);
  va_end(args);
  t->row[t->n++] = row;
}

void val_table_append(val_table *t, const val_table *more) {
  assert(t->n + more->n <= VAL_TABLE_MAX);
  for (int k = 0; k < more->n; k++) t->row[t->n++] = more->row[k];
}

bool val_table_passes(const val_table *t) {
  for (int k = 0; k < t->n; k++)
    if (!t->row[k].pass) return false;
  return true;
}

double val_table_seconds(const val_table *t) {
  double sum = 0;
  for (int k = 0; k < t->n; k++) sum += t->row[k].seconds;
  return sum;
}
