/* Any bytes as a table whose mapping is guessed: one sentence, or two mappings that are YAML, of which the
 * trial has nothing to fill in. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_yaml.h"
#include "fit_guess.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want_yaml(const char *text) {
  cb_yaml *doc;
  cb_err err = {""};
  if (cb_yaml_parse(text, strlen(text), "guess", &doc, &err) != CB_OK) abort();
  cb_yaml_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fit_guess g;
  cb_err err = {""};
  if (fit_guess_mapping((const char *)data, size, "fuzz", NULL, NULL, &g, &err) != CB_OK) {
    if (!err.msg[0]) abort();
  } else {
    want_yaml(g.mapping);
    want_yaml(g.trial);
    if (strstr(g.trial, ": \"?\"")) abort();
  }
  fit_guess_clear(&g);
  return 0;
}
