/* Scenes of the other models, for their tests. */
#ifndef SYSTEMTEST_H
#define SYSTEMTEST_H

#include "cbtest.h"
#include "sim_system.h"

static inline cb_status parse_system(const char *text, sim_system **out, cb_err *err) {
  return sim_system_parse(text, strlen(text), "t.yaml", out, err);
}

/* A sentence with `wanted` in it, and nothing made. */
static inline void refused(const char *text, const char *wanted) {
  sim_system *s;
  cb_err err = {""};
  if (parse_system(text, &s, &err) == CB_OK) fail_msg("'%s' was taken", text);
  assert_null(s);
  if (!strstr(err.msg, wanted)) fail_msg("'%s' was wanted in '%s'", wanted, err.msg);
}

#endif
