/* Documents of fits of a material's laws that somebody edited. Whatever they hold, what was read is written
 * again, and reads as the same document. */
#include <stdint.h>

#include "documents.h"
#include "lab_bending_impl.h"
#include "lab_drape_impl.h"
#include "lab_stretch_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static cb_err err;

static void read_bending(const char *text) {
  lab_bending a, b;
  if (lab_bending_read(text, &a, &err) != CB_OK) return;
  char *first = text_of(lab_bending_json(&a));
  if (!first || lab_bending_read(first, &b, &err) != CB_OK) abort();
  expect_same(first, text_of(lab_bending_json(&b)));
}

static void read_stretch(const char *text) {
  lab_stretch a, b;
  char *first = lab_stretch_read(text, &a, &err) == CB_OK ? text_of(lab_stretch_json(&a)) : NULL;
  if (first) {
    if (lab_stretch_read(first, &b, &err) != CB_OK) abort();
    expect_same(first, text_of(lab_stretch_json(&b)));
    lab_stretch_clear(&b);
  }
  lab_stretch_clear(&a);
}

static void read_drape(const char *text) {
  lab_drape a, b;
  if (lab_drape_read(text, &a, &err) == CB_OK) {
    char *first = text_of(lab_drape_json(&a));
    if (!first || lab_drape_read(first, &b, &err) != CB_OK) abort();
    expect_same(first, text_of(lab_drape_json(&b)));
    lab_drape_clear(&b);
  }
  lab_drape_clear(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  read_bending(text);
  read_stretch(text);
  read_drape(text);
  free(text);
  return 0;
}
