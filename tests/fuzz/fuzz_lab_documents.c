/* Documents of a database that somebody edited: verdicts of friction laws, evaluations by a standard.
 * Whatever they hold, what was read is written again, and reads as the same document. */
#include <stdint.h>

#include "documents.h"
#include "lab_friction_parts.h"
#include "lab_standard_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cb_err err;

static void read_verdicts(const char *text, cb_friction_kind kind) {
  lab_friction *f = calloc(2, sizeof *f);
  if (f && lab_friction_verdicts_read(text, kind, &f[0], &err) == CB_OK) {
    char *first = text_of(lab_friction_verdicts_json(&f[0], kind));
    if (!first || lab_friction_verdicts_read(first, kind, &f[1], &err) != CB_OK) abort();
    expect_same(first, text_of(lab_friction_verdicts_json(&f[1], kind)));
    lab_friction_clear(&f[1]);
  }
  if (f) lab_friction_clear(&f[0]);
  free(f);
}

static void read_standard(const char *text) {
  lab_standard e[2];
  if (lab_standard_read(text, &e[0], &err) == CB_OK) {
    char *first = text_of(lab_standard_json(&e[0]));
    if (!first || lab_standard_read(first, &e[1], &err) != CB_OK) abort();
    expect_same(first, text_of(lab_standard_json(&e[1])));
    lab_standard_clear(&e[1]);
  }
  lab_standard_clear(&e[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  read_verdicts(text, CB_FRICTION_KINETIC);
  read_verdicts(text, CB_FRICTION_STATIC);
  read_standard(text);
  free(text);
  return 0;
}
