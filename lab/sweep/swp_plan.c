#include "swp_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_plural.h"
#include "swp_plan_impl.h"

#define MAX_FILE_BYTES (256u << 20)

typedef struct plan_text {
  char name[SWP_NAME_BYTES], command[4000], scene[200], list[200];
  int design, cases, seed;
  bool keep_files;
  cb_ynode vary, keep, slurm;
} plan_text;

static const char *const designs[] = {"grid", "lhs", "sobol", "list", "indices", NULL};

static const cb_yfield plan_fields[] = {
    {"name", CB_Y_STR, offsetof(plan_text, name), SWP_NAME_BYTES, .required = true},
    {"command", CB_Y_STR, offsetof(plan_text, command), sizeof((plan_text *)NULL)->command, .required = true},
    {"scene", CB_Y_STR, offsetof(plan_text, scene), sizeof((plan_text *)NULL)->scene},
    {"design", CB_Y_ENUM, offsetof(plan_text, design), .choices = designs, .required = true},
    {"cases", CB_Y_INT, offsetof(plan_text, cases), .min = 1, .max = SWP_CASES_MAX},
    {"seed", CB_Y_INT, offsetof(plan_text, seed), .min = 0, .max = 1e9},
    {"list", CB_Y_STR, offsetof(plan_text, list), sizeof((plan_text *)NULL)->list},
    {"keep_files", CB_Y_BOOL, offsetof(plan_text, keep_files)},
    {"vary", CB_Y_NODE, offsetof(plan_text, vary)},
    {"keep", CB_Y_NODE, offsetof(plan_text, keep), .required = true},
    {"slurm", CB_Y_NODE, offsetof(plan_text, slurm)},
};

static cb_status bind_slurm(cb_ynode at, swp_plan *p, cb_err *err) {
  static const cb_yfield fields[] = {
      {"partition", CB_Y_STR, offsetof(swp_slurm, partition), sizeof p->slurm.partition},
      {"account", CB_Y_STR, offsetof(swp_slurm, account), sizeof p->slurm.account},
      {"minutes", CB_Y_INT, offsetof(swp_slurm, minutes), .min = 1, .max = 1e6},
  };
  return at.doc ? cb_yaml_bind(at, fields, sizeof fields / sizeof fields[0], &p->slurm, err) : CB_OK;
}

/* The number of cases: it follows from the values, or is given. */
static cb_status count_cases(cb_ynode root, int given, swp_plan *p, cb_err *err) {
  const bool counted = p->design == SWP_GRID || p->design == SWP_LIST;
  double n = p->design == SWP_LIST ? p->n_cases : 1;
  if (counted && given)
    return cb_yaml_fail(root, err, CB_E_RANGE,
                        "cases: a %s has as many as its values make: no number was wanted",
                        designs[p->design]);
  if (!counted && !given) return cb_yaml_fail(root, err, CB_E_PARSE, "missing key 'cases'");
  for (size_t i = 0; p->design == SWP_GRID && i < p->n_variables; i++) {
    if (!p->variable[i].value)
      return cb_yaml_fail(root, err, CB_E_RANGE, "%s: a grid takes values: [...], no range",
                          p->variable[i].name);
    n *= (double)p->variable[i].n_values;
  }
  if (p->design == SWP_INDICES) n = (double)given * (double)(p->n_variables + 2);
  if (!counted && p->design != SWP_INDICES) n = given;
  if (n > SWP_CASES_MAX)
    return cb_yaml_fail(root, err, CB_E_RANGE, "%g cases: at most %d were wanted", n, SWP_CASES_MAX);
  p->n_cases = (int)n;
  return CB_OK;
}

static cb_status check_design(cb_ynode root, const swp_plan *p, cb_err *err) {
  if (p->n_variables == 0)
    return cb_yaml_fail(root, err, CB_E_PARSE, "vary: at least one variable was wanted");
  if (p->design != SWP_INDICES) return CB_OK;
  if (p->n_variables > SWP_INDEX_VARIABLES_MAX)
    return cb_yaml_fail(root, err, CB_E_RANGE, "indices of %zu variable%s: at most %d were wanted",
                        p->n_variables, CB_S(p->n_variables), SWP_INDEX_VARIABLES_MAX);
  for (size_t i = 0; i < p->n_variables; i++)
    if (p->variable[i].value)
      return cb_yaml_fail(root, err, CB_E_RANGE, "%s: indices take a range or a mean with sd, no values",
                          p->variable[i].name);
  return CB_OK;
}

/* Reads a file beside the plan, which goes with the plan into the sweep's folder. */
static cb_status take_file(cb_ynode root, const char *plan, const char *name, swp_file *out, cb_err *err) {
  const char *slash = strrchr(plan, '/');
  const int folder = slash ? (int)(slash - plan + 1) : 0;
  char path[4200];
  size_t n;
  if (strchr(name, '/') || strcmp(name, "plan.yaml") == 0)
    return cb_yaml_fail(root, err, CB_E_RANGE, "'%s': the name of another file beside the plan was wanted",
                        name);
  (void)snprintf(out->name, sizeof out->name, "%s", name);
  (void)snprintf(path, sizeof path, "%.*s%s", folder, plan, name);
  return cb_file_read(path, MAX_FILE_BYTES, &out->text, &n, err);
}

static cb_status read_variables(cb_ynode root, const char *path, const plan_text *t, swp_plan *p,
                                cb_err *err) {
  const bool list = p->design == SWP_LIST;
  if (list != (t->list[0] != '\0') || list == (t->vary.doc != NULL))
    return cb_yaml_fail(root, err, CB_E_PARSE, "design: %s: the key '%s' was wanted, and no '%s'",
                        designs[p->design], list ? "list" : "vary", list ? "vary" : "list");
  if (!list) return swp_variables_read(t->vary, p, err);
  CB_TRY(take_file(root, path, t->list, &p->file[1], err));
  return swp_list_read(&p->file[1], p, err);
}

static cb_status read_parts(cb_ynode root, const char *path, swp_plan *p, cb_err *err) {
  plan_text t = {.seed = 1};
  CB_TRY(cb_yaml_bind(root, plan_fields, sizeof plan_fields / sizeof plan_fields[0], &t, err));
  memcpy(p->name, t.name, sizeof p->name);
  p->design = (swp_design)t.design;
  p->seed = t.seed;
  p->keep_files = t.keep_files;
  cb_err why;
  if (swp_name_check(p, p->name, &why) != CB_OK) return cb_yaml_fail(root, err, CB_E_RANGE, "%s", why.msg);
  CB_TRY(bind_slurm(t.slurm, p, err));
  CB_TRY(read_variables(root, path, &t, p, err));
  CB_TRY(check_design(root, p, err));
  CB_TRY(count_cases(root, t.cases, p, err));
  CB_TRY(swp_figures_read(t.keep, p, err));
  if (t.scene[0]) CB_TRY(take_file(root, path, t.scene, &p->file[0], err));
  p->scene = p->file[0].text;
  return swp_words_split(t.command, p, err);
}

/* What makes two plans the same: the text of all their files. */
static cb_status join_texts(swp_plan *p, cb_err *err) {
  size_t n = 1;
  for (int i = 0; i < SWP_FILES; i++) n += p->file[i].text ? strlen(p->file[i].text) : 0;
  char *at = p->text = malloc(n);
  if (!at) return cb_no_memory(err, "a plan");
  *at = '\0';
  for (int i = 0; i < SWP_FILES; i++)
    if (p->file[i].text) at = stpcpy(at, p->file[i].text);
  return CB_OK;
}

static cb_status check_words(const swp_plan *p, const char *path, cb_err *err) {
  cb_status st = swp_words_check(p, err);
  if (st == CB_OK) st = swp_units_check(p, err);
  if (st != CB_OK) cb_err_say_in(err, "%s", path);
  return st;
}

static cb_status read_document(const cb_yaml *doc, const char *path, swp_plan *out, cb_err *err) {
  swp_file *own = &out->file[SWP_FILES - 1];
  (void)snprintf(own->name, sizeof own->name, "plan.yaml");
  own->text = strdup(cb_yaml_text(doc));
  if (!own->text) return cb_no_memory(err, "%s", path);
  CB_TRY(read_parts(cb_yaml_root(doc), path, out, err));
  CB_TRY(check_words(out, path, err));
  return join_texts(out, err);
}

cb_status swp_plan_load(const char *path, swp_plan *out, cb_err *err) {
  cb_yaml *doc;
  *out = (swp_plan){.n_cases = 0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  const cb_status st = read_document(doc, path, out, err);
  cb_yaml_free(doc);
  return st;
}

cb_status swp_plan_parse(const char *text, size_t n, const char *path, swp_plan *out, cb_err *err) {
  cb_yaml *doc;
  *out = (swp_plan){.n_cases = 0};
  CB_TRY(cb_yaml_parse(text, n, path, &doc, err));
  const cb_status st = read_document(doc, path, out, err);
  cb_yaml_free(doc);
  return st;
}

void swp_plan_clear(swp_plan *p) {
  free(p->text);
  for (int i = 0; i < SWP_FILES; i++) free(p->file[i].text);
  for (size_t i = 0; i < p->n_words; i++) free(p->words[i]);
  for (size_t i = 0; i < p->n_variables; i++) {
    for (size_t k = 0; k < p->variable[i].n_values; k++) free(p->variable[i].value[k]);
    free(p->variable[i].value);
  }
  *p = (swp_plan){.n_cases = 0};
}
