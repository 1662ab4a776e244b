/* Any text as a table of drapes: it is read and drapes are expected from it, with finite numbers, or one
 * sentence tells why not. */
#include <math.h>
#include <stdint.h>

#include "val_drape_table_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(const val_drape_model *m) {
  for (int s = 0; s < m->n; s++) {
    val_drape_expected e;
    const val_drape_cloth c = {sqrt(m->low.bending_m * m->high.bending_m), 0.5 * (1 + m->high.ratio),
                               m->low.shear_m, 1.2, m->high.stretch_m};
    val_drape_expect(m, s, &c, &e);
    for (int k = 0; k < VAL_DRAPE_SIGNS; k++)
      if (!isfinite(e.mean[k]) || !(e.sd[k] > 0) || !(e.doubt[k] >= 0)) __builtin_trap();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static val_drape_model m;
  val_drape_table t;
  cb_err err = {""};
  cb_status st = val_drape_table_parse((const char *)data, size, "fuzz", &t, &err);
  if (st == CB_OK && t.n < 400) {
    st = val_drape_model_make(&t, "fuzz", &m, &err);
    if (st == CB_OK) expect(&m);
  }
  if (st != CB_OK && !err.msg[0]) __builtin_trap();
  val_drape_table_clear(&t);
  return 0;
}
