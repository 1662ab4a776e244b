#include "cli_seal.h"

cb_status cli_seal_write(const char *path, const char *kind, json_t *doc, cb_err *err) {
  lab_seal seal = {.prediction = NULL};
  cb_status st = doc ? lab_seal_write(path, kind, doc, &seal, err) : cb_no_memory(err, "%s", path);
  json_decref(doc);
  if (st == CB_OK) cli_say("predict", "sealed in %s, %s: SHA-256 %s", path, seal.sealed_at, seal.sha256);
  lab_seal_clear(&seal);
  return st;
}
