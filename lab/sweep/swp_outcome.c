/* What became of a case: from what it printed. */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cb_text.h"
#include "swp_run_impl.h"

static void fail(swp_outcome *out, const char *sentence) {
  out->failed = true;
  (void)cb_text_show(sentence, out->sentence, sizeof out->sentence);
  for (int i = 0; i < SWP_FIGURES_MAX; i++) out->figure[i] = NAN;
}

void swp_sentence_read(const char *said, char *out, size_t size) {
  const char *end = said + strlen(said), *from, *hint;
  while (end > said && isspace((unsigned char)end[-1])) end--;
  for (from = end; from > said && from[-1] != '\n' && from[-1] != '\r';) from--;
  (void)snprintf(out, size, "%.*s", (int)(end - from), from);
  if ((hint = strstr(out, " ('clothbench "))) out[hint - out] = '\0';
  if (strncmp(out, "clothbench ", 11) == 0 && (from = strstr(out, ": ")))
    memmove(out, from + 2, strlen(from + 2) + 1);
}

/* ---- figures ---- */

static json_t *at_key(json_t *node, const char *key) {
  char *end;
  const unsigned long i = strtoul(key, &end, 10);
  if (json_is_array(node)) return *end == '\0' && end != key ? json_array_get(node, i) : NULL;
  return json_object_get(node, key); /* NULL for what is no object */
}

static json_t *at_path(json_t *doc, const char *path) {
  char keys[SWP_PATH_BYTES], *rest = NULL;
  (void)snprintf(keys, sizeof keys, "%s", path);
  for (char *key = strtok_r(keys, ".", &rest); key && doc; key = strtok_r(NULL, ".", &rest))
    doc = at_key(doc, key);
  return doc;
}

static void list_keys(json_t *doc, char *out, size_t size) {
  const char *key;
  json_t *value;
  out[0] = '\0';
  json_object_foreach(doc, key, value) cb_text_add(out, size, ", ", "%s", key);
}

/* Returns false, with the outcome failed, if the figure is not there. */
static bool read_figure(const swp_plan *p, size_t i, json_t *doc, swp_outcome *out) {
  char sentence[600], keys[300];
  json_t *v = at_path(doc, p->figure[i].path);
  if (json_is_number(v) || json_is_boolean(v) || json_is_null(v)) {
    out->figure[i] = json_is_number(v) ? json_number_value(v) : json_is_boolean(v) ? json_is_true(v) : NAN;
    return true;
  }
  list_keys(doc, keys, sizeof keys);
  (void)snprintf(sentence, sizeof sentence, "keep: no number '%s' in the result, which has: %s",
                 p->figure[i].path, keys);
  fail(out, sentence);
  return false;
}

static void read_figures(const swp_plan *p, const char *printed, swp_outcome *out) {
  json_error_t why;
  json_t *doc = json_loads(printed, 0, &why);
  if (!doc) {
    fail(out, "its result is no JSON document");
    return;
  }
  for (size_t i = 0; i < p->n_figures && read_figure(p, i, doc, out); i++) continue;
  json_decref(doc);
}

void swp_outcome_read(const swp_plan *p, int status, const char *printed, const char *said,
                      swp_outcome *out) {
  char sentence[600];
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  out->failed = false;
  out->sentence[0] = '\0';
  out->exit_code = signal ? 128 + signal : WEXITSTATUS(status);
  if (signal) {
    (void)snprintf(sentence, sizeof sentence, "its process was ended by signal %d (%s)", signal,
                   strsignal(signal));
    fail(out, sentence);
  } else if (out->exit_code == 0 || out->exit_code == 3) {
    read_figures(p, printed, out);
  } else {
    swp_sentence_read(said, sentence, sizeof sentence);
    fail(out, sentence[0] ? sentence : "it failed without a sentence");
  }
}
