/* What tests of a command share: files in the folder, a run with its exact exit code and both streams, its
 * JSON document. */
#ifndef CLITEST_H
#define CLITEST_H

#include "jsonpage.h"

/* Of the last run. */
static cbt_result clit_last;

static inline void clit_put(const char *name, const char *text) {
  char path[400];
  cbt_write(cbt_path(name, path), text);
}

/* Caller frees. */
static inline char *clit_get(const char *name) {
  char path[400];
  return cbt_read(cbt_path(name, path));
}

static inline void clit_run(const char *args, int code) {
  cbt_run(&clit_last, cbt_folder, args);
  if (clit_last.code != code)
    fail_msg("%s: exit %d, %d was wanted: %s", args, clit_last.code, code, clit_last.err);
}

static inline void clit_says(const char *args, const char *stream, const char *got, const char *wanted) {
  if (wanted[0] ? !strstr(got, wanted) : got[0])
    fail_msg("%s: %s is '%s', '%s' was wanted", args, stream, got, wanted);
}

/* out, err: what the streams contain; "": they are empty. */
static inline void clit_expect(const char *args, int code, const char *out, const char *err) {
  clit_run(args, code);
  clit_says(args, "stdout", clit_last.out, out);
  clit_says(args, "stderr", clit_last.err, err);
}

/* The document of a run that ends with the code; section: of docs/reference/json, with which it must
 * agree; NULL: none. Caller: json_decref. */
static inline json_t *clit_json(const char *args, int code, const char *section) {
  char path[400]; /* a document may be longer than what cbt_result holds */
  clit_run(args, code);
  json_t *doc = json_load_file(cbt_path(".out", path), JSON_REJECT_DUPLICATES, NULL);
  if (!doc) fail_msg("%s: not one JSON document: %s", args, clit_last.out);
  if (section) jp_expect(section, doc);
  return doc;
}

static inline double clit_number(const json_t *doc, const char *key) {
  const json_t *v = json_object_get(doc, key);
  if (!json_is_number(v)) fail_msg("%s is no number", key);
  return json_number_value(v);
}

#endif
