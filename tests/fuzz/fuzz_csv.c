/* The CSV reader: whatever comes in, it answers with a table whose every cell can be read, or with one
 * sentence. */
#include <stdint.h>
#include <string.h>

#include "cb_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cb_csv_options opt = cb_csv_options_default();
  if (size == 0) return 0;
  /* The first byte chooses the options, so that all of them are reached. */
  opt.separator = ",;\t\0"[data[0] & 3];
  opt.has_header = data[0] & 4;
  cb_csv *csv;
  cb_err err = {""};
  if (cb_csv_parse((const char *)data + 1, size - 1, "fuzz", &opt, &csv, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
    return 0;
  }
  for (size_t row = 0; row < cb_csv_rows(csv); row++)
    for (size_t column = 0; cb_csv_header(csv, column); column++) {
      double v;
      bool missing;
      if (strlen(cb_csv_cell(csv, row, column)) > size) __builtin_trap();
      if (cb_csv_number(csv, row, column, -1e300, 1e300, &v, &missing, &err) == CB_OK && !(v - v == 0))
        __builtin_trap();
    }
  cb_csv_free(csv);
  return 0;
}
