#include "cb_json_fields.h"
#include "cb_plural.h"

#include <math.h>
#include <string.h>

int cb_json_put(json_t *o, const cb_json_field *fields, size_t n, const void *from) {
  for (size_t i = 0; i < n; i++) {
    double v;
    memcpy(&v, (const char *)from + fields[i].at, sizeof v);
    json_t *value = fields[i].null == CB_JSON_NEVER ? json_real(v) : cb_json_real(v);
    if (json_object_set_new(o, fields[i].key, value) != 0) return -1;
  }
  return 0;
}

json_t *cb_json_object(const cb_json_field *fields, size_t n, const void *from) {
  json_t *o = json_object();
  if (cb_json_put(o, fields, n, from) == 0) return o;
  json_decref(o);
  return NULL;
}

cb_status cb_json_get(const json_t *o, const char *where, const cb_json_field *fields, size_t n, void *to,
                      cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    const cb_json_field *f = &fields[i];
    const json_t *v = json_object_get(o, f->key);
    double x = json_is_number(v) ? json_number_value(v) : f->null == CB_JSON_INF ? INFINITY : NAN;
    if (!json_is_number(v) && !(json_is_null(v) && f->null != CB_JSON_NEVER))
      return cb_fail(err, CB_E_PARSE, "%s%s: a number%s was wanted", where, f->key,
                     f->null == CB_JSON_NEVER ? "" : " or null");
    memcpy((char *)to + f->at, &x, sizeof x);
  }
  return CB_OK;
}

/* ---- matrices ---- */

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
      return cb_fail(err, CB_E_PARSE, "%s: %zu row%s of %zu number%s were wanted", where, rows, CB_S(rows),
                     columns, CB_S(columns));
    out[i] = json_number_value(v);
  }
  return CB_OK;
}
