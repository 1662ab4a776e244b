#include "swp_home.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_store.h"
#include "swp_home_impl.h"

const char *swp_home_path(const swp_home *h, const char *name, char out[SWP_HOME_BYTES + 64]) {
  (void)snprintf(out, SWP_HOME_BYTES + 64, "%s/%s", h->folder, name);
  return out;
}

/* ---- make and open ---- */

static void fill_head(swp_home *h) {
  size_t n = 0;
  for (size_t i = 0; i < h->plan.n_variables; i++) h->column[n++] = h->plan.variable[i].name;
  for (size_t i = 0; i < h->plan.n_figures; i++) h->column[n++] = h->plan.figure[i].name;
  h->head = (cb_sweep_head){h->plan.text, h->plan.n_cases, h->column, h->plan.n_variables, h->plan.n_figures};
}

static cb_status check_same(const swp_home *h, cb_err *err) {
  char path[SWP_HOME_BYTES + 64];
  swp_plan there;
  cb_status st = swp_plan_load(swp_home_path(h, "plan.yaml", path), &there, err);
  if (st == CB_OK && strcmp(there.text, h->plan.text) != 0)
    st = cb_fail(err, CB_E_RANGE, "%s: holds another plan already; another folder was wanted: --out FOLDER",
                 h->folder);
  swp_plan_clear(&there);
  return st;
}

static cb_status copy_files(const swp_home *h, cb_err *err) {
  char path[SWP_HOME_BYTES + 64];
  for (int i = 0; i < SWP_FILES; i++) {
    const swp_file *f = &h->plan.file[i];
    if (f->text) CB_TRY(cb_file_write(swp_home_path(h, f->name, path), f->text, strlen(f->text), err));
  }
  return CB_OK;
}

static cb_status make_folder(const swp_home *h, cb_err *err) {
  char path[SWP_HOME_BYTES + 64];
  CB_TRY(cb_dir_make(h->folder, err));
  CB_TRY(cb_dir_make(swp_home_path(h, "shards", path), err));
  if (access(swp_home_path(h, "plan.yaml", path), F_OK) == 0) return check_same(h, err);
  return copy_files(h, err); /* the plan comes last: a folder with one is whole */
}

cb_status swp_home_make(const char *plan, const char *folder, swp_home *out, cb_err *err) {
  *out = (swp_home){""};
  CB_TRY(cb_store_check_path(folder ? folder : ".", err)); /* its files are databases */
  CB_TRY(swp_plan_load(plan, &out->plan, err));
  if (strlen(folder ? folder : out->plan.name) >= sizeof out->folder)
    return cb_fail(err, CB_E_RANGE, "the folder's name is too long");
  (void)snprintf(out->folder, sizeof out->folder, "%s", folder ? folder : out->plan.name);
  fill_head(out);
  return make_folder(out, err);
}

cb_status swp_home_open(const char *folder, swp_home *out, cb_err *err) {
  char path[SWP_HOME_BYTES + 64];
  *out = (swp_home){""};
  if (strlen(folder) >= sizeof out->folder) return cb_fail(err, CB_E_RANGE, "the folder's name is too long");
  (void)snprintf(out->folder, sizeof out->folder, "%s", folder);
  if (access(swp_home_path(out, "plan.yaml", path), F_OK) != 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: is no folder of a sweep: it has no plan.yaml", folder);
  CB_TRY(swp_plan_load(path, &out->plan, err));
  fill_head(out);
  return CB_OK;
}

void swp_home_clear(swp_home *h) { swp_plan_clear(&h->plan); }

/* ---- its files ---- */

/* The folder's name is no pattern. */
static void write_pattern(const swp_home *h, char out[2 * SWP_HOME_BYTES + 64]) {
  size_t n = 0;
  for (const char *c = h->folder; *c; c++) {
    if (strchr("*?[\\", *c)) out[n++] = '\\';
    out[n++] = *c;
  }
  (void)snprintf(out + n, 64, "/shards/*-of-*.db");
}

cb_status swp_home_each_file(const swp_home *h, swp_file_use *use, void *context, cb_err *err) {
  char path[SWP_HOME_BYTES + 64], pattern[2 * SWP_HOME_BYTES + 64];
  glob_t found = {.gl_pathc = 0};
  cb_status st = CB_OK;
  const char *results = swp_home_path(h, "results.db", path);
  if (access(results, F_OK) == 0) CB_TRY(use(h, results, context, err));
  write_pattern(h, pattern);
  const int rc = glob(pattern, 0, NULL, &found);
  if (rc == GLOB_NOSPACE) st = cb_no_memory(err, "%s", h->folder);
  for (size_t i = 0; rc == 0 && st == CB_OK && i < found.gl_pathc; i++)
    st = use(h, found.gl_pathv[i], context, err);
  globfree(&found);
  return st;
}
