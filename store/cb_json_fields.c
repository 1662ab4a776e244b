#include "cb_json_fields.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- to JSON ---- */

static json_t *real_json(cb_json_kind kind, double v) {
  return kind == CB_JSON_REAL ? json_real(v) : cb_json_real(v);
}

static json_t *member_json(const cb_json_field *f, const char *at) {
  union {
    double real;
    size_t count;
    int64_t id;
    int number;
    bool is;
  } v = {0};
  switch (f->kind) {
    case CB_JSON_REAL:
    case CB_JSON_NAN:
    case CB_JSON_INF: memcpy(&v.real, at, sizeof v.real); return real_json(f->kind, v.real);
    case CB_JSON_COUNT: memcpy(&v.count, at, sizeof v.count); return json_integer((json_int_t)v.count);
    case CB_JSON_ID: memcpy(&v.id, at, sizeof v.id); return json_integer((json_int_t)v.id);
    case CB_JSON_INT: memcpy(&v.number, at, sizeof v.number); return json_integer(v.number);
    case CB_JSON_BOOL: memcpy(&v.is, at, sizeof v.is); return json_boolean(v.is);
    case CB_JSON_NAME: memcpy(&v.number, at, sizeof v.number); return json_string(f->names[v.number]);
    case CB_JSON_TEXT: break;
  }
  return json_string(at);
}

int cb_json_put(json_t *o, const cb_json_field *fields, size_t n, const void *from) {
  for (size_t i = 0; i < n; i++)
    if (json_object_set_new(o, fields[i].key, member_json(&fields[i], (const char *)from + fields[i].at)) !=
        0)
      return -1;
  return 0;
}

json_t *cb_json_object(const cb_json_field *fields, size_t n, const void *from) {
  json_t *o = json_object();
  if (cb_json_put(o, fields, n, from) == 0) return o;
  json_decref(o);
  return NULL;
}

/* ---- and back ---- */

static bool read_real(const cb_json_field *f, const json_t *v, void *to) {
  double x = json_is_number(v) ? json_number_value(v) : f->kind == CB_JSON_INF ? INFINITY : NAN;
  if (!json_is_number(v) && !(json_is_null(v) && f->kind != CB_JSON_REAL)) return false;
  memcpy(to, &x, sizeof x);
  return true;
}

static bool read_integer(const cb_json_field *f, const json_t *v, void *to) {
  json_int_t x = json_integer_value(v);
  const size_t count = (size_t)x;
  const int64_t id = x;
  const int number = (int)x;
  if (!json_is_integer(v) || (f->kind == CB_JSON_INT ? x != number : x < 0)) return false;
  if (f->kind == CB_JSON_COUNT) memcpy(to, &count, sizeof count);
  if (f->kind == CB_JSON_ID) memcpy(to, &id, sizeof id);
  if (f->kind == CB_JSON_INT) memcpy(to, &number, sizeof number);
  return true;
}

static bool read_bool(const json_t *v, void *to) {
  const bool is = json_is_true(v);
  memcpy(to, &is, sizeof is);
  return json_is_boolean(v);
}

static bool read_name(const cb_json_field *f, const json_t *v, void *to) {
  const char *word = json_string_value(v);
  for (int i = 0; word && f->names[i]; i++)
    if (strcmp(word, f->names[i]) == 0) {
      memcpy(to, &i, sizeof i);
      return true;
    }
  return false;
}

static bool read_text(const json_t *v, void *to) {
  if (json_is_string(v)) memcpy(to, json_string_value(v), json_string_length(v) + 1);
  return json_is_string(v);
}

static bool read_member(const cb_json_field *f, const json_t *v, void *to) {
  switch (f->kind) {
    case CB_JSON_REAL:
    case CB_JSON_NAN:
    case CB_JSON_INF: return read_real(f, v, to);
    case CB_JSON_COUNT:
    case CB_JSON_ID:
    case CB_JSON_INT: return read_integer(f, v, to);
    case CB_JSON_BOOL: return read_bool(v, to);
    case CB_JSON_NAME: return read_name(f, v, to);
    case CB_JSON_TEXT: break;
  }
  return read_text(v, to);
}

cb_status cb_json_get(const json_t *o, const char *where, const cb_json_field *fields, size_t n, void *to,
                      cb_err *err) {
  static const char *const wanted[] = {[CB_JSON_REAL] = "a number",
                                       [CB_JSON_NAN] = "a number or null",
                                       [CB_JSON_INF] = "a number or null",
                                       [CB_JSON_COUNT] = "a count",
                                       [CB_JSON_ID] = "the number of a row",
                                       [CB_JSON_INT] = "a whole number",
                                       [CB_JSON_BOOL] = "true or false",
                                       [CB_JSON_NAME] = "one of its words",
                                       [CB_JSON_TEXT] = "a text"};
  for (size_t i = 0; i < n; i++) {
    const cb_json_field *f = &fields[i];
    const json_t *v = json_object_get(o, f->key);
    if (f->kind == CB_JSON_TEXT && json_string_length(v) >= f->bytes)
      return cb_fail(err, CB_E_RANGE, "%s%s: %zu bytes: at most %zu are allowed", where, f->key,
                     json_string_length(v), f->bytes - 1);
    if (!read_member(f, v, (char *)to + f->at))
      return cb_fail(err, CB_E_PARSE, "%s%s: %s was wanted", where, f->key, wanted[f->kind]);
  }
  return CB_OK;
}

/* ---- lists ---- */

json_t *cb_json_rows(const cb_json_field *fields, size_t n, const void *rows, size_t count, size_t bytes) {
  json_t *list = json_array();
  int failed = list == NULL;
  for (size_t i = 0; i < count && !failed; i++)
    failed = json_array_append_new(list, cb_json_object(fields, n, (const char *)rows + i * bytes)) != 0;
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

cb_status cb_json_get_rows(const json_t *list, const char *where, const cb_json_field *fields, size_t n,
                           void *rows, size_t bytes, size_t most, size_t *count, cb_err *err) {
  *count = json_array_size(list);
  if (!json_is_array(list) || *count > most)
    return cb_fail(err, CB_E_PARSE, "%s: a list of at most %zu was wanted", where, most);
  for (size_t i = 0; i < *count; i++)
    CB_TRY(cb_json_get(json_array_get(list, i), where, fields, n, (char *)rows + i * bytes, err));
  return CB_OK;
}

static json_t *row_json(const double *a, size_t n) {
  json_t *row = json_array();
  for (size_t i = 0; i < n; i++)
    if (json_array_append_new(row, cb_json_real(a[i])) != 0) break;
  return row;
}

json_t *cb_json_matrix(const double *a, size_t rows, size_t columns) {
  json_t *list = json_array();
  for (size_t r = 0; r < rows; r++)
    if (json_array_append_new(list, row_json(a + r * columns, columns)) != 0) break;
  return list;
}

cb_status cb_json_get_matrix(const json_t *list, const char *where, size_t rows, size_t columns, double *out,
                             cb_err *err) {
  for (size_t i = 0; i < rows * columns; i++) {
    const json_t *v = json_array_get(json_array_get(list, i / columns), i % columns);
    if (!json_is_number(v))
      return cb_fail(err, CB_E_PARSE, "%s: %zu rows of %zu numbers were wanted", where, rows, columns);
    out[i] = json_number_value(v);
  }
  return CB_OK;
}
