/* A mapping and a table, parted by the first NUL byte: a table whose every value can be read, or one
 * sentence. The same as inclines: runs and points that the store takes, or one sentence. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "fit_import_impl.h"
#include "fit_table.h"
#include "fit_table_raw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_incline(fit_incline_kind kind, fit_table_file mapping, fit_table_file csv) {
  fit_import im;
  cb_err err = {""};
  const cb_status st = fit_incline_parse(kind, mapping, csv, &im, &err);
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  for (size_t i = 0; st == CB_OK && i < im.n_rows; i++) {
    const fit_import_row *row = &im.rows[i];
    const double force_N = isnan(row->point.static_N) ? row->point.kinetic_N : row->point.static_N;
    if (!(row->run.normal_force_N > 0) || !(force_N > 0) || !(row->run.incline_deg < 90)) __builtin_trap();
  }
  fit_import_clear(&im);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fit_table_field fields[] = {{"name", CB_DIM_NONE, true, 0, 0},
                                           {"pressure", CB_DIM_PRESSURE, true, 1e-3, 1e5},
                                           {"speed", CB_DIM_SPEED, false, 0, 0},
                                           {"repeat", CB_DIM_COUNT, false, 1, 1e6}};
  const uint8_t *cut = memchr(data, '\0', size);
  if (!cut) return 0;
  const char *csv = (const char *)cut + 1;
  size_t n_mapping = (size_t)(cut - data), n_csv = size - n_mapping - 1;
  fit_table *t;
  cb_err err = {""};
  for (int kind = 0; kind < 2; kind++)
    read_incline((fit_incline_kind)kind, (fit_table_file){"m", (const char *)data, n_mapping},
                 (fit_table_file){"t", csv, n_csv});
  if (fit_table_parse((fit_table_file){"m", (const char *)data, n_mapping}, (fit_table_file){"t", csv, n_csv},
                      "air", fields, 4, &t, &err) != CB_OK) {
    if (!err.msg[0] || t) __builtin_trap();
    return 0;
  }
  for (size_t row = 0; row < fit_table_rows(t); row++) {
    if (strlen(fit_table_text(t, 0, row)) > size) __builtin_trap();
    for (size_t field = 1; field < 4; field++)
      if (isinf(fit_table_number(t, field, row))) __builtin_trap();
  }
  fit_table_free(t);
  return 0;
}
