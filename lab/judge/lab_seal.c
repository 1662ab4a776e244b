#include "lab_seal_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_json.h"
#include "cb_time.h"
#include "cb_version.h"
#include "lab_fields.h"
#include "lab_sha256.h"

#define SEAL_BYTES_MAX (16u << 20)
#define PATH_MAX_BYTES 4096

static const lab_field seal_fields[] = {
    LAB_KEY_TEXT(lab_seal, kind, "kind"),
    LAB_KEY_TEXT(lab_seal, version, "clothbench"),
    LAB_KEY_TEXT(lab_seal, sealed_at, "sealed_at"),
};

static cb_status sum_path(const char *path, char out[PATH_MAX_BYTES], cb_err *err) {
  if ((size_t)snprintf(out, PATH_MAX_BYTES, "%s.sha256", path) < PATH_MAX_BYTES) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%.60s...: the path is too long", path);
}

static cb_status check_absent(const char *path, cb_err *err) {
  if (access(path, F_OK) != 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: exists, and a sealed prediction is never replaced", path);
}

cb_status lab_seal_check_new(const char *path, cb_err *err) {
  char sum[PATH_MAX_BYTES];
  CB_TRY(sum_path(path, sum, err));
  CB_TRY(check_absent(path, err));
  return check_absent(sum, err);
}

/* ---- write ---- */

static char *document_text(const lab_seal *s) {
  json_t *doc = lab_fields_json(seal_fields, LAB_N(seal_fields), s);
  char *text = NULL;
  if (doc && json_object_set(doc, "prediction", s->prediction) == 0)
    text = json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  json_decref(doc);
  return text;
}

static cb_status write_sum(const char *path, const char *file, const char sha256[65], cb_err *err) {
  const char *slash = strrchr(file, '/');
  char line[PATH_MAX_BYTES + 80];
  const int n = snprintf(line, sizeof line, "%s  %s\n", sha256, slash ? slash + 1 : file);
  return cb_file_write(path, line, (size_t)n, err);
}

cb_status lab_seal_write(const char *path, const char *kind, json_t *prediction, lab_seal *out, cb_err *err) {
  char sum[PATH_MAX_BYTES];
  *out = (lab_seal){.prediction = json_incref(prediction)};
  (void)snprintf(out->kind, sizeof out->kind, "%s", kind);
  (void)snprintf(out->version, sizeof out->version, "%s", cb_version());
  cb_now_iso8601(out->sealed_at);
  CB_TRY(lab_seal_check_new(path, err));
  CB_TRY(sum_path(path, sum, err));
  char *text = document_text(out);
  if (!text) return cb_no_memory(err, "%s", path);
  lab_sha256(text, strlen(text), out->sha256);
  cb_status st = cb_file_write(path, text, strlen(text), err);
  free(text);
  return st == CB_OK ? write_sum(sum, path, out->sha256, err) : st;
}

/* ---- read ---- */

static cb_status check_sum(const char *path, const char sha256[65], cb_err *err) {
  char sum[PATH_MAX_BYTES], *line;
  size_t n;
  CB_TRY(sum_path(path, sum, err));
  CB_TRY(cb_file_read(sum, PATH_MAX_BYTES, &line, &n, err));
  const bool same = n >= 64 && strncmp(line, sha256, 64) == 0;
  free(line);
  if (same) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: it was changed after it was sealed: its SHA-256 is %s, not that of %s",
                 path, sha256, sum);
}

static cb_status parse(const char *path, const char *text, lab_seal *out, cb_err *err) {
  json_error_t at;
  cb_err why = {""};
  json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &at);
  if (!doc)
    return cb_fail(err, CB_E_PARSE, "%s:%d: %s: a sealed prediction was wanted", path, at.line, at.text);
  cb_status st =
      json_is_object(doc) ? lab_fields_read(seal_fields, LAB_N(seal_fields), doc, out, &why) : CB_E_DB;
  out->prediction = json_incref(json_object_get(doc, "prediction"));
  if (st != CB_OK || !json_is_object(out->prediction) || !out->sealed_at[0])
    st = cb_fail(err, CB_E_PARSE, "%s: no sealed prediction%s%s", path, why.msg[0] ? ": " : "", why.msg);
  json_decref(doc);
  return st;
}

cb_status lab_seal_read(const char *path, const char *kind, lab_seal *out, cb_err *err) {
  char *text;
  size_t n;
  *out = (lab_seal){.prediction = NULL};
  CB_TRY(cb_file_read(path, SEAL_BYTES_MAX, &text, &n, err));
  lab_sha256(text, n, out->sha256);
  cb_status st = parse(path, text, out, err);
  free(text);
  if (st != CB_OK) return st;
  if (strcmp(out->kind, kind) != 0)
    return cb_fail(err, CB_E_RANGE, "%s: a sealed prediction of a %s: one of a %s was wanted", path,
                   out->kind, kind);
  return check_sum(path, out->sha256, err);
}

void lab_seal_clear(lab_seal *s) {
  json_decref(s->prediction);
  s->prediction = NULL;
}

json_t *lab_seal_json(const lab_seal *s) {
  return json_pack("{s:s, s:s, s:s}", "sealed_at", s->sealed_at, "version", s->version, "sha256", s->sha256);
}
