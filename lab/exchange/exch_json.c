#include "exch_json.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_column.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "cb_text.h"

/* Brackets and commas outside of texts: how deep and how many. Jansson's own limit is 2048 levels; every
 * value costs it 100 bytes. */
#define MAX_DEPTH 64
#define MAX_VALUES 1000000

static cb_status check_size(const char *text, size_t n, const char *name, cb_err *err) {
  bool quoted = false;
  int depth = 0, line = 1;
  size_t values = 0;
  for (size_t i = 0; i < n; i++) {
    char c = text[i];
    line += c == '\n';
    if (quoted && c == '\\')
      i++;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted) {
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
      values += c == '[' || c == '{' || c == ',';
    }
    if (depth > MAX_DEPTH)
      return cb_fail(err, CB_E_RANGE, "%s:%d: lists and objects more than %d deep", name, line, MAX_DEPTH);
    if (values > MAX_VALUES)
      return cb_fail(err, CB_E_RANGE, "%s:%d: more than %d values", name, line, MAX_VALUES);
  }
  return CB_OK;
}

cb_status exch_json_parse(const char *text, size_t n, const char *name, json_t **doc, exch_at *root,
                          cb_err *err) {
  json_error_t e;
  *doc = NULL;
  CB_TRY(check_size(text, n, name, err));
  *doc = json_loadb(text, n, JSON_REJECT_DUPLICATES, &e);
  if (!*doc) return cb_fail(err, CB_E_PARSE, "%s:%d: no JSON: %s", name, e.line, e.text);
  root->value = *doc;
  (void)snprintf(root->where, sizeof root->where, "%s", name);
  return CB_OK;
}

static const char *kind_of(const json_t *v) {
  static const char *const names[] = {"an object", "a list", "a text", "a number",
                                      "a number",  "true",   "false",  "null"};
  return names[json_typeof(v)];
}

cb_status exch_json_object(const exch_at *at, const char *const keys[], cb_err *err) {
  const char *key;
  json_t *value;
  if (!json_is_object(at->value))
    return cb_fail(err, CB_E_PARSE, "%s is %s: an object was wanted", at->where, kind_of(at->value));
  json_object_foreach((json_t *)(uintptr_t)at->value, key, value) {
    char list[220] = "";
    bool known = false;
    for (size_t i = 0; keys[i]; i++) {
      known |= strcmp(keys[i], key) == 0;
      cb_text_add(list, sizeof list, ", ", "%s", keys[i]);
    }
    if (!known)
      return cb_fail(err, CB_E_PARSE, "%s: unknown key '%.60s': the keys are %s", at->where, key, list);
  }
  return CB_OK;
}

static exch_at member_at(const exch_at *at, const char *key, const json_t *value) {
  exch_at out = {.value = value};
  /* Between the file's name and the first key stands a colon, between keys a point. */
  (void)snprintf(out.where, sizeof out.where, "%s%s%s", at->where, strstr(at->where, ": ") ? "." : ": ", key);
  return out;
}

cb_status exch_json_member(const exch_at *at, const char *key, exch_at *out, cb_err *err) {
  const json_t *value = json_object_get(at->value, key);
  if (!value) return cb_fail(err, CB_E_PARSE, "%s: the key '%s' is missing", at->where, key);
  *out = member_at(at, key, value);
  return CB_OK;
}

cb_status exch_json_list(const exch_at *at, size_t min, size_t max, cb_err *err) {
  if (!json_is_array(at->value))
    return cb_fail(err, CB_E_PARSE, "%s is %s: a list was wanted", at->where, kind_of(at->value));
  size_t n = json_array_size(at->value);
  if (n >= min && n <= max) return CB_OK;
  if (min == max)
    return cb_fail(err, CB_E_PARSE, "%s has %zu item%s: %zu were wanted", at->where, n, CB_S(n), min);
  return cb_fail(err, CB_E_PARSE, "%s has %zu item%s: %zu to %zu were wanted", at->where, n, CB_S(n), min,
                 max);
}

exch_at exch_json_item(const exch_at *at, size_t index) {
  exch_at out = {.value = json_array_get(at->value, index)};
  (void)snprintf(out.where, sizeof out.where, "%s[%zu]", at->where, index);
  return out;
}

cb_status exch_json_number(const exch_at *at, double min, double max, double *out, cb_err *err) {
  if (!json_is_number(at->value))
    return cb_fail(err, CB_E_PARSE, "%s is %s: a number was wanted", at->where, kind_of(at->value));
  *out = json_number_value(at->value) + 0.0; /* minus zero is zero: JSON's whole numbers have no such thing */
  return cb_check_range(*out, min, max, at->where, "", err);
}

cb_status exch_json_quoted(const exch_at *at, double min, double max, double *out, cb_err *err) {
  const char *text = json_string_value(at->value);
  if (!text) return exch_json_number(at, min, max, out, err);
  CB_TRY(cb_parse_double(text, at->where, out, err));
  *out += 0.0;
  return cb_check_range(*out, min, max, at->where, "", err);
}

cb_status exch_json_cell(const exch_at *at, const char *table, const char *column, double *out, cb_err *err) {
  const cb_column *c = cb_column_find(table, column);
  if (!c) return cb_fail(err, CB_E_ARG, "%s: there is no column %s.%s", at->where, table, column);
  CB_TRY(exch_json_number(at, -INFINITY, INFINITY, out, err));
  return cb_column_check(c, *out, at->where, err);
}

cb_status exch_json_string(const exch_at *at, const char **out, cb_err *err) {
  if (!json_is_string(at->value))
    return cb_fail(err, CB_E_PARSE, "%s is %s: a text was wanted", at->where, kind_of(at->value));
  *out = json_string_value(at->value);
  return cb_check_line(*out, at->where, err);
}

cb_status exch_json_text(const exch_at *at, char *out, size_t size, cb_err *err) {
  const char *text;
  CB_TRY(exch_json_string(at, &text, err));
  size_t n = strlen(text);
  if (n >= size)
    return cb_fail(err, CB_E_RANGE, "%s has %zu bytes: fewer than %zu were wanted", at->where, n, size);
  memcpy(out, text, n + 1);
  return CB_OK;
}

/* Not deeper than check_size allows. */
static cb_status check_strings(const exch_at *at, cb_err *err) {
  const char *key;
  json_t *value;
  size_t i;
  exch_at below;
  if (json_is_string(at->value)) return exch_json_string(at, &key, err);
  json_object_foreach((json_t *)(uintptr_t)at->value, key, value) {
    CB_TRY(cb_check_line(key, at->where, err));
    below = member_at(at, key, value);
    CB_TRY(check_strings(&below, err));
  }
  json_array_foreach(at->value, i, value) {
    below = exch_json_item(at, i);
    CB_TRY(check_strings(&below, err));
  }
  return CB_OK;
}

cb_status exch_json_verbatim(const exch_at *at, char **text, cb_err *err) {
  if (!json_is_object(at->value)) return cb_fail(err, CB_E_PARSE, "%s: an object was wanted", at->where);
  CB_TRY(check_strings(at, err));
  *text = json_dumps(at->value, JSON_COMPACT | JSON_REAL_PRECISION(17));
  return *text ? CB_OK : cb_no_memory(err, "%s", at->where);
}

cb_status exch_json_choice(const exch_at *at, const char *const names[], int *out, cb_err *err) {
  char word[64], list[200] = "";
  CB_TRY(exch_json_text(at, word, sizeof word, err));
  for (int i = 0; names[i]; i++) {
    *out = i;
    if (strcmp(word, names[i]) == 0) return CB_OK;
    cb_text_add(list, sizeof list, ", ", "%s", names[i]);
  }
  return cb_fail(err, CB_E_PARSE, "%s is '%s': one of %s was wanted", at->where, word, list);
}

cb_status exch_json_dump(json_t *doc, char **text, cb_err *err) {
  char *dumped = doc ? json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  char *body = dumped ? cb_text_json(dumped) : NULL;
  free(dumped);
  json_decref(doc);
  size_t n = body ? strlen(body) : 0;
  *text = body ? malloc(n + 2) : NULL;
  if (*text) {
    memcpy(*text, body, n);
    memcpy(*text + n, "\n", 2);
  }
  free(body);
  return *text ? CB_OK : cb_no_memory(err, "a JSON document");
}
