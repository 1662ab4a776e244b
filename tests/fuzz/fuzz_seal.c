/* Any text as the prediction of drapes in a sealed file: refused in one sentence, or a band to compare with.
 * (That of a slide is read by fuzz_lab_verdicts.) The sum is not part of it: it would refuse every input. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab_drape_prediction.h"
#include "lab_fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want(bool ok) {
  if (!ok) __builtin_trap();
}

static void read_drape(json_t *prediction, cb_err *err) {
  const lab_seal seal = {.kind = "drape", .sealed_at = "2026", .prediction = prediction};
  lab_drape_prediction p;
  if (lab_drape_unseal(&seal, &p, err) != CB_OK) {
    want(err->msg[0] != '\0');
    return;
  }
  want(p.predicted.n >= 2 && isfinite(p.predicted.drape_coefficient.mean));
  lab_drape_compare_number(0.5, &p.predicted, &p.measured);
  json_t *doc = lab_drape_prediction_json(&p);
  want(doc && json_is_object(json_object_get(doc, "sealed")));
  json_decref(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cb_err err = {""};
  json_t *doc;
  if (size < 1) return 0;
  char *text = malloc(size);
  if (!text) return 0;
  memcpy(text, data, size - 1);
  text[size - 1] = '\0';
  if (lab_fields_document(text, &doc, &err) == CB_OK) {
    read_drape(doc, &err);
    json_decref(doc);
  }
  free(text);
  return 0;
}
