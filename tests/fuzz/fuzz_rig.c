/* The YAML reader through the rig file, its largest user: a checked rig or one sentence, never a crash. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  cb_rig rig;
  cb_err err = {""};
  if (cb_rig_parse(text, "fuzz", &rig, &err) != CB_OK && !err.msg[0]) __builtin_trap();
  cb_rig_clear(&rig);
  free(text);
  return 0;
}
