/* The variables of a plan, from `vary` or from a table; the figures, from `keep`. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_csv.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "swp_plan_impl.h"

static bool is_name(const char *s) {
  if (!isalpha((unsigned char)s[0])) return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

int swp_variable_find(const swp_plan *p, const char *name) {
  for (size_t i = 0; i < p->n_variables; i++)
    if (strcmp(p->variable[i].name, name) == 0) return (int)i;
  return -1;
}

cb_status swp_name_check(const swp_plan *p, const char *name, cb_err *err) {
  static const char *const own[] = {"case",      "case_no",  "folder",  "scene", "state",
                                    "exit_code", "sentence", "seconds", "host"};
  if (!is_name(name))
    return cb_fail(err, CB_E_RANGE, "name = '%s': letters, digits and _ were wanted, a letter first", name);
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
    if (strcmp(own[i], name) == 0)
      return cb_fail(err, CB_E_RANGE, "name = '%s': the sweep itself has this name; another was wanted",
                     name);
  for (size_t i = 0; i < p->n_figures; i++)
    if (strcmp(p->figure[i].name, name) == 0) return cb_fail(err, CB_E_RANGE, "name = '%s': twice", name);
  if (swp_variable_find(p, name) >= 0) return cb_fail(err, CB_E_RANGE, "name = '%s': twice", name);
  return CB_OK;
}

/* ---- vary ---- */

typedef struct variable_text {
  char name[SWP_NAME_BYTES], scale[8];
  double from, to, mean, sd;
  bool whole;
  cb_ynode values;
} variable_text;

static const cb_yfield variable_fields[] = {
    {"name", CB_Y_STR, offsetof(variable_text, name), SWP_NAME_BYTES, .required = true},
    {"from", CB_Y_NUM, offsetof(variable_text, from)},
    {"to", CB_Y_NUM, offsetof(variable_text, to)},
    {"scale", CB_Y_STR, offsetof(variable_text, scale), sizeof((variable_text *)NULL)->scale},
    {"whole", CB_Y_BOOL, offsetof(variable_text, whole)},
    {"mean", CB_Y_NUM, offsetof(variable_text, mean)},
    {"sd", CB_Y_NUM, offsetof(variable_text, sd), .min = 1e-300, .max = 1e300},
    {"values", CB_Y_NODE, offsetof(variable_text, values)},
};

static cb_status take_values(cb_ynode list, swp_variable *v, cb_err *err) {
  const size_t n = cb_yaml_count(list);
  if (!cb_yaml_is_list(list) || n == 0)
    return cb_yaml_fail(list, err, CB_E_PARSE, "values: a list of at least one was wanted");
  v->value = calloc(n, sizeof *v->value);
  if (!v->value) return cb_no_memory(err, "%zu values", n);
  for (size_t i = 0; i < n; i++) {
    const char *text = cb_yaml_scalar(cb_yaml_item(list, i));
    if (!text || !text[0] || strlen(text) >= SWP_VALUE_BYTES)
      return cb_yaml_fail(list, err, CB_E_RANGE, "values: %zu: a number or a short text was wanted", i + 1);
    if (!(v->value[i] = strdup(text))) return cb_no_memory(err, "%zu values", n);
    v->n_values++;
  }
  return CB_OK;
}

static cb_status take_range(cb_ynode at, const variable_text *t, swp_variable *v, cb_err *err) {
  v->from = t->from, v->to = t->to;
  v->whole = t->whole;
  v->log = strcmp(t->scale, "log") == 0;
  if (t->scale[0] && !v->log && strcmp(t->scale, "linear") != 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s: scale = '%s': linear or log was wanted", t->name, t->scale);
  if (!(t->from < t->to)) return cb_yaml_fail(at, err, CB_E_RANGE, "%s: from < to was wanted", t->name);
  if (v->log && !(t->from > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s: scale log: from > 0 was wanted", t->name);
  if (v->whole && (v->log || t->from != floor(t->from) || t->to != floor(t->to)))
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "%s: whole: whole numbers from and to, and no scale, were wanted", t->name);
  return CB_OK;
}

static cb_status read_variable(cb_ynode at, swp_plan *p, cb_err *err) {
  variable_text t = {.from = NAN, .to = NAN, .mean = NAN, .sd = NAN};
  swp_variable *v = &p->variable[p->n_variables];
  CB_TRY(cb_yaml_bind(at, variable_fields, sizeof variable_fields / sizeof variable_fields[0], &t, err));
  cb_err why;
  if (strcmp(t.name, "seed") == 0)
    return cb_yaml_fail(at, err, CB_E_RANGE, "name = 'seed': {seed} is there always; another was wanted");
  if (swp_name_check(p, t.name, &why) != CB_OK) return cb_yaml_fail(at, err, CB_E_RANGE, "%s", why.msg);
  *v = (swp_variable){.from = NAN};
  memcpy(v->name, t.name, sizeof v->name);
  p->n_variables++; /* what it owns is freed with the plan */
  const bool range = isfinite(t.from) && isfinite(t.to), normal = isfinite(t.mean) && isfinite(t.sd);
  if ((t.values.doc != NULL) + range + normal != 1 || (isfinite(t.from) != isfinite(t.to)) ||
      (isfinite(t.mean) != isfinite(t.sd)))
    return cb_yaml_fail(at, err, CB_E_PARSE, "%s: one of these was wanted: from and to; mean and sd; values",
                        t.name);
  if (!range && (t.scale[0] || t.whole))
    return cb_yaml_fail(at, err, CB_E_PARSE, "%s: scale and whole belong to from and to", t.name);
  if (t.values.doc) return take_values(t.values, v, err);
  if (range) return take_range(at, &t, v, err);
  v->mean = t.mean, v->sd = t.sd;
  return CB_OK;
}

cb_status swp_variables_read(cb_ynode list, swp_plan *p, cb_err *err) {
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_PARSE, "vary: a list was wanted");
  const size_t n = cb_yaml_count(list);
  if (n > SWP_VARIABLES_MAX)
    return cb_yaml_fail(list, err, CB_E_RANGE, "vary: %zu variable%s, at most %d were wanted", n, CB_S(n),
                        SWP_VARIABLES_MAX);
  for (size_t i = 0; i < n; i++) CB_TRY(read_variable(cb_yaml_item(list, i), p, err));
  return CB_OK;
}

/* ---- list ---- */

static cb_status take_column(const cb_csv *t, size_t column, swp_plan *p, cb_err *err) {
  const char *name = cb_csv_header(t, column), *text;
  swp_variable *v = &p->variable[p->n_variables];
  *v = (swp_variable){.from = NAN};
  cb_status st = swp_name_check(p, name, err);
  if (st != CB_OK) cb_err_say_in(err, "%s", cb_csv_name(t));
  CB_TRY(st);
  (void)strncpy(v->name, name, sizeof v->name - 1);
  v->value = calloc(cb_csv_rows(t), sizeof *v->value);
  p->n_variables++;
  if (!v->value) return cb_no_memory(err, "%s", cb_csv_name(t));
  for (size_t row = 0; row < cb_csv_rows(t); row++) {
    CB_TRY(cb_csv_text(t, row, column, &text, err));
    if (!text[0] || strlen(text) >= SWP_VALUE_BYTES)
      return cb_fail(err, CB_E_RANGE, "%s:%d: %s: a number or a short text was wanted", cb_csv_name(t),
                     cb_csv_line(t, row), name);
    if (!(v->value[row] = strdup(text))) return cb_no_memory(err, "%s", cb_csv_name(t));
    v->n_values++;
  }
  return CB_OK;
}

static cb_status take_columns(const cb_csv *t, swp_plan *p, cb_err *err) {
  if (cb_csv_rows(t) > SWP_CASES_MAX)
    return cb_fail(err, CB_E_RANGE, "%s: %zu case%s, at most %d were wanted", cb_csv_name(t), cb_csv_rows(t),
                   CB_S(cb_csv_rows(t)), SWP_CASES_MAX);
  for (size_t column = 0; cb_csv_header(t, column); column++) {
    if (strlen(cb_csv_header(t, column)) >= SWP_NAME_BYTES || p->n_variables == SWP_VARIABLES_MAX)
      return cb_fail(err, CB_E_RANGE, "%s: column %zu: at most %d columns, of short names, were wanted",
                     cb_csv_name(t), column + 1, SWP_VARIABLES_MAX);
    CB_TRY(take_column(t, column, p, err));
  }
  p->n_cases = (int)cb_csv_rows(t);
  return CB_OK;
}

cb_status swp_list_read(const swp_file *list, swp_plan *p, cb_err *err) {
  const cb_csv_options opt = cb_csv_options_default();
  cb_csv *table;
  CB_TRY(cb_csv_parse(list->text, strlen(list->text), list->name, &opt, &table, err));
  const cb_status st = take_columns(table, p, err);
  cb_csv_free(table);
  return st;
}

/* ---- keep ---- */

cb_status swp_figures_read(cb_ynode list, swp_plan *p, cb_err *err) {
  static const cb_yfield fields[] = {
      {"name", CB_Y_STR, offsetof(swp_figure, name), SWP_NAME_BYTES, .required = true},
      {"path", CB_Y_STR, offsetof(swp_figure, path), SWP_PATH_BYTES, .required = true},
  };
  const size_t n = cb_yaml_count(list);
  if (!cb_yaml_is_list(list) || n == 0 || n > SWP_FIGURES_MAX)
    return cb_yaml_fail(list, err, CB_E_RANGE, "keep: a list of 1 to %d figures was wanted", SWP_FIGURES_MAX);
  for (size_t i = 0; i < n; i++) {
    cb_err why;
    swp_figure f = {""};
    CB_TRY(cb_yaml_bind(cb_yaml_item(list, i), fields, sizeof fields / sizeof fields[0], &f, err));
    if (swp_name_check(p, f.name, &why) != CB_OK)
      return cb_yaml_fail(cb_yaml_item(list, i), err, CB_E_RANGE, "%s", why.msg);
    p->figure[p->n_figures++] = f;
  }
  return CB_OK;
}
