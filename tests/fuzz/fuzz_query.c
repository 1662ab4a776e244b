/* A question in words: SQL with as many values as question marks, or one sentence. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lab_query.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static lab_query q;
  cb_err err = {""};
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  if (lab_query_parse(text, &q, &err) == CB_OK) {
    size_t marks = 0;
    for (const char *p = q.sql; *p; p++) marks += *p == '?';
    if (marks != q.n_values) __builtin_trap();
  } else if (!err.msg[0]) {
    __builtin_trap();
  }
  free(text);
  return 0;
}
