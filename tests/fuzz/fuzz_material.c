/* clothbench's own material file: what is read, is written and read again to the same text, or there is one
 * sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "exch_material.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  exch_material m, back;
  cb_err err = {""};
  char *text, *again;
  if (exch_material_read((const char *)data, size, "f", &m, &err) != CB_OK) {
    if (!err.msg[0] || m.friction) __builtin_trap();
    return 0;
  }
  if (exch_material_write(&m, &text, &err) != CB_OK ||
      exch_material_read(text, strlen(text), "f", &back, &err) != CB_OK)
    __builtin_trap();
  if (exch_material_write(&back, &again, &err) != CB_OK || strcmp(text, again) != 0) __builtin_trap();
  free(text);
  free(again);
  exch_material_clear(&m);
  exch_material_clear(&back);
  return 0;
}
