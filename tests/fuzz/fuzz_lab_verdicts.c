/* Any text as a stored verdict of a slide, of an incline or of drapes, and as the budget of a calibration: it
 * is refused in one sentence, or what is read comes out as a document that reads as the same (of drapes: is
 * numbers, or not known). First byte: which of them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "lab_calibration_impl.h"
#include "lab_drape_prediction.h"
#include "lab_incline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want(bool ok) {
  if (!ok) __builtin_trap();
}

static char *text_of(json_t *doc) {
  char *text = cb_json_text(doc);
  json_decref(doc);
  want(text != NULL);
  return text;
}

static void read_verdict(const char *text, cb_err *err) {
  static lab_slide_verdict v, back;
  if (lab_slide_read(text, &v, err) != CB_OK) {
    want(err->msg[0] != '\0');
    return;
  }
  char *once = text_of(lab_slide_json(&v));
  want(lab_slide_read(once, &back, err) == CB_OK);
  char *twice = text_of(lab_slide_json(&back));
  want(strcmp(once, twice) == 0);
  free(once);
  free(twice);
}

static void read_incline(const char *text, cb_err *err) {
  lab_incline_verdict v, back;
  if (lab_incline_read(text, &v, err) != CB_OK) {
    want(err->msg[0] != '\0');
    return;
  }
  char *once = text_of(lab_incline_json(&v));
  want(lab_incline_read(once, &back, err) == CB_OK);
  char *twice = text_of(lab_incline_json(&back));
  want(strcmp(once, twice) == 0);
  free(once);
  free(twice);
}

static void read_budget(const char *text, cb_err *err) {
  lab_calibration_budget b, back;
  if (lab_calibration_budget_read(text, &b, err) != CB_OK) {
    want(err->msg[0] != '\0');
  } else if (b.n_entries > 0) {
    char *once = text_of(lab_calibration_budget_json(&b));
    want(lab_calibration_budget_read(once, &back, err) == CB_OK);
    char *twice = text_of(lab_calibration_budget_json(&back));
    want(strcmp(once, twice) == 0);
    lab_calibration_budget_clear(&back);
    free(once);
    free(twice);
  }
  lab_calibration_budget_clear(&b);
}

static void want_spread(const val_spread *s) {
  want(!isinf(s->mean) && !isinf(s->sd) && !isinf(s->lo95) && !isinf(s->hi95));
}

static void read_drapes(const char *text, cb_err *err) {
  lab_drape_predicted p;
  if (lab_drape_predicted_read(text, &p, err) != CB_OK) {
    want(err->msg[0] != '\0');
    return;
  }
  want_spread(&p.drape_coefficient);
  want_spread(&p.nodes);
  want_spread(&p.amplitude_m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cb_err err = {""};
  if (size < 1) return 0;
  char *text = malloc(size);
  if (!text) return 0;
  memcpy(text, data + 1, size - 1);
  text[size - 1] = '\0';
  static void (*const readers[])(const char *, cb_err *) = {read_verdict, read_budget, read_drapes,
                                                            read_incline};
  readers[data[0] & 3](text, &err);
  free(text);
  return 0;
}
