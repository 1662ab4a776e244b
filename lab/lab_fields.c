#include "lab_fields.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cb_json.h"
#include "cb_text.h"

/* ---- struct -> JSON ---- */

static json_t *make_real(const lab_field *f, const void *at) {
  double v;
  memcpy(&v, at, sizeof v);
  return cb_json_real(f->scale != 0 ? f->scale * v : v);
}

static json_t *make_integer(const lab_field *f, const void *at) {
  size_t count;
  int64_t id;
  int sign;
  switch (f->kind) {
    case LAB_COUNT: memcpy(&count, at, sizeof count); return json_integer((json_int_t)count);
    case LAB_ID: memcpy(&id, at, sizeof id); return id != 0 ? json_integer((json_int_t)id) : json_null();
    default: memcpy(&sign, at, sizeof sign); return json_integer(sign);
  }
}

static json_t *make_choice(const lab_field *f, const void *at) {
  int index;
  memcpy(&index, at, sizeof index);
  return json_string(f->names[index]);
}

static json_t *make_value(const lab_field *f, const void *at) {
  switch (f->kind) {
    case LAB_REAL: return make_real(f, at);
    case LAB_TRUTH: return json_boolean(*(const bool *)at);
    case LAB_CHOICE: return make_choice(f, at);
    case LAB_TEXT: return json_string(at);
    default: return make_integer(f, at);
  }
}

json_t *lab_fields_json(const lab_field *fields, size_t n, const void *from) {
  json_t *o = json_object();
  for (size_t i = 0; i < n; i++)
    if (o && json_object_set_new(o, fields[i].key,
                                 make_value(&fields[i], (const char *)from + fields[i].offset)) != 0) {
      json_decref(o);
      return NULL;
    }
  return o;
}

bool lab_fields_join(json_t *o, json_t *more) {
  bool joined = o && more && json_object_update(o, more) == 0;
  json_decref(more);
  return joined;
}

/* ---- JSON -> struct ---- */

/* A product that was rounded does not always come back by a division: a neighbour of the quotient does. */
static double unscale(double product, double scale) {
  double v = product / scale;
  const double near[] = {nextafter(v, -INFINITY), nextafter(v, INFINITY)};
  for (int i = 0; i < 2 && scale * v != product; i++)
    if (scale * near[i] == product) v = near[i];
  return v;
}

static bool read_real(const lab_field *f, const json_t *v, void *to) {
  double x = v ? json_number_value(v) : NAN;
  if (v && f->scale != 0) x = unscale(x, f->scale);
  memcpy(to, &x, sizeof x);
  return !v || json_is_number(v);
}

static bool read_integer(const lab_field *f, const json_t *v, void *to) {
  json_int_t x = json_integer_value(v);
  size_t count = (size_t)x;
  int64_t id = x;
  int sign = (int)x;
  if (v && (!json_is_integer(v) || (f->kind != LAB_SIGN && x < 0) || (f->kind == LAB_SIGN && x != sign)))
    return false;
  if (f->kind == LAB_COUNT) memcpy(to, &count, sizeof count);
  if (f->kind == LAB_ID) memcpy(to, &id, sizeof id);
  if (f->kind == LAB_SIGN) memcpy(to, &sign, sizeof sign);
  return true;
}

static bool read_choice(const lab_field *f, const json_t *v, void *to) {
  if (!v) return true;
  for (int i = 0; json_is_string(v) && i < (int)f->n; i++) {
    if (strcmp(f->names[i], json_string_value(v)) != 0) continue;
    memcpy(to, &i, sizeof i);
    return true;
  }
  return false;
}

static bool read_text(const lab_field *f, const json_t *v, void *to) {
  (void)cb_text_show(json_is_string(v) ? json_string_value(v) : "", to, f->n);
  return !v || json_is_string(v);
}

static bool read_value(const lab_field *f, const json_t *v, void *to) {
  switch (f->kind) {
    case LAB_REAL: return read_real(f, v, to);
    case LAB_TRUTH: *(bool *)to = json_is_true(v); return !v || json_is_boolean(v);
    case LAB_CHOICE: return read_choice(f, v, to);
    case LAB_TEXT: return read_text(f, v, to);
    default: return read_integer(f, v, to);
  }
}

/* What is under the key; NULL: nothing, or null. */
static const json_t *find_value(const json_t *o, const char *key) {
  const json_t *v = json_object_get(o, key);
  return json_is_null(v) ? NULL : v;
}

cb_status lab_fields_read(const lab_field *fields, size_t n, const json_t *o, void *to, cb_err *err) {
  static const char *const wanted[] = {"a number",       "a count",       "a row's number",
                                       "a whole number", "true or false", "one of its words",
                                       "a text"};
  if (o && !json_is_object(o))
    return cb_fail(err, CB_E_DB, "an object with the key %s was wanted", fields[0].key);
  for (size_t i = 0; i < n; i++)
    if (!read_value(&fields[i], find_value(o, fields[i].key), (char *)to + fields[i].offset))
      return cb_fail(err, CB_E_DB, "%s: %s was wanted", fields[i].key, wanted[fields[i].kind]);
  return CB_OK;
}

cb_status lab_fields_list(const json_t *o, const char *key, size_t most, const json_t **list, cb_err *err) {
  *list = find_value(o, key);
  if (!*list || (json_is_array(*list) && json_array_size(*list) <= most)) return CB_OK;
  return cb_fail(err, CB_E_DB, "%s: a list of %zu at most was wanted", key, most);
}

cb_status lab_fields_object(const json_t *o, const char *key, const json_t **object, cb_err *err) {
  *object = find_value(o, key);
  return !*object || json_is_object(*object) ? CB_OK : cb_fail(err, CB_E_DB, "%s: an object was wanted", key);
}

cb_status lab_fields_document(const char *text, json_t **doc, cb_err *err) {
  *doc = cb_json_read(text);
  if (json_is_object(*doc)) return CB_OK;
  json_decref(*doc);
  *doc = NULL;
  return cb_fail(err, CB_E_DB, "it is no JSON document");
}
