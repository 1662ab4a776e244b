#include "cb_csv.h"
#include "cb_file.h"
#include "cb_store_material_test.h"
#include "lab_import_parts.h"
#include "lab_material_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_law_json.h"
#include "law.h"
#include "exch_u3m.h"
#include "lab_exch_cloth.h"
#include "lab_transact.h"

/* ---- store -> struct ---- */

static cb_status find_material(cb_store *s, const char *name, cb_material *m, cb_err *err) {
  cb_status st = cb_store_material_find(s, CB_CLOTH, name, m, err);
  return st == CB_E_NOTFOUND && cb_store_material_find(s, CB_BODY, name, m, NULL) == CB_OK ? CB_OK : st;
}

/* A law that was fitted here has no source of its own: that of its tests is it. */
static cb_status take_source(cb_store *s, cb_material_law *l, cb_err *err) {
  cb_material_test *tests;
  size_t n;
  CB_TRY(cb_store_material_law_tests(s, l->id, &tests, &n, err));
  if (n > 0 && !l->source[0]) (void)snprintf(l->source, sizeof l->source, "%s", tests[0].source);
  free(tests);
  return CB_OK;
}

static cb_status load_laws(cb_store *s, exch_material *m, cb_err *err) {
  for (int kind = 0; kind < CB_LAW_KINDS; kind++) {
    cb_status st = cb_store_material_law_find(s, &m->facts, (cb_material_law_kind)kind, &m->laws[kind], err);
    if (st == CB_E_NOTFOUND) continue;
    CB_TRY(st);
    CB_TRY(take_source(s, &m->laws[kind], err));
  }
  return CB_OK;
}

cb_status lab_material_weigh(cb_store *s, cb_material *m, cb_err *err) {
  cb_material_test *tests;
  size_t n, weighed = 0;
  double sum = 0;
  if (m->areal_density_kg_per_m2 > 0) return CB_OK;
  CB_TRY(cb_store_tests(s, m->id, -1, &tests, &n, err));
  for (size_t i = 0; i < n; i++)
    if (tests[i].areal_density_kg_per_m2 > 0) sum += tests[i].areal_density_kg_per_m2, weighed++;
  free(tests);
  if (weighed > 0) m->areal_density_kg_per_m2 = sum / (double)weighed;
  return CB_OK;
}

static bool is_part(const cb_material *m, const cb_friction_law *l) {
  return strcmp(m->kind == CB_CLOTH ? l->cloth : l->body, m->name) == 0;
}

static cb_status take_friction(cb_store *s, exch_material *m, const cb_friction_law *laws, size_t n,
                               cb_err *err) {
  m->friction = calloc(n ? n : 1, sizeof *m->friction);
  if (!m->friction) return cb_no_memory(err, "%zu friction laws", n);
  for (size_t i = 0; i < n; i++) {
    if (!is_part(&m->facts, &laws[i])) continue;
    exch_friction *f = &m->friction[m->n_friction++];
    f->law = laws[i];
    CB_TRY(cb_store_law_info(s, laws[i].id, &f->method, &f->verdicts_json, f->created_at, err));
  }
  return CB_OK;
}

static cb_status load_friction(cb_store *s, exch_material *m, cb_err *err) {
  cb_friction_law *laws;
  size_t n;
  CB_TRY(cb_store_laws_of(s, m->facts.id, &laws, &n, err));
  cb_status st = take_friction(s, m, laws, n, err);
  free(laws);
  return st;
}

cb_status lab_material_load(cb_store *s, const char *name, exch_material *m, cb_err *err) {
  *m = (exch_material){.n_friction = 0};
  cb_status st = find_material(s, name, &m->facts, err);
  if (st == CB_OK) st = lab_material_weigh(s, &m->facts, err);
  if (st == CB_OK) st = load_laws(s, m, err);
  if (st == CB_OK) st = load_friction(s, m, err);
  if (st != CB_OK) exch_material_clear(m);
  return st;
}

/* ---- text -> struct ---- */

/* What stands in the store must be readable from there. */
static cb_status check_laws(const exch_material *m, cb_err *err) {
  for (int kind = 0; kind < CB_LAW_KINDS; kind++)
    if (m->laws[kind].result_json)
      CB_TRY(law_check((cb_material_law_kind)kind, m->laws[kind].result_json, err));
  return CB_OK;
}

static cb_status check_read(exch_material *m, const char *file, cb_err *err) {
  const cb_status st = check_laws(m, err);
  if (st == CB_OK) return CB_OK;
  exch_material_clear(m);
  return cb_fail_in(err, st, "%s", file);
}

cb_status lab_material_read(const char *text, size_t n, const char *file, exch_material *m, cb_err *err) {
  CB_TRY(exch_material_read(text, n, file, m, err));
  return check_read(m, file, err);
}

cb_status lab_material_read_arcsim(const char *text, size_t n, const char *file, const char *name,
                                   const char *source, exch_material *m, cb_err *err) {
  exch_arcsim a;
  *m = (exch_material){.facts = {.kind = CB_CLOTH, .origin = CB_IMPORTED}};
  CB_TRY(exch_arcsim_read(text, n, file, &a, err));
  m->facts.thickness_m = a.thickness_m;
  memcpy(m->unread, a.unread, sizeof a.unread);
  (void)snprintf(m->facts.name, sizeof m->facts.name, "%s", name);
  (void)snprintf(m->facts.source, sizeof m->facts.source, "%s", source ? source : file);
  cb_status st = lab_arcsim_laws(&a, m, err);
  if (st == CB_OK) return CB_OK;
  exch_material_clear(m);
  return cb_fail_in(err, st, "%s", file);
}

/* ---- struct -> store ---- */

static cb_origin as_imported(cb_origin o) { return o == CB_MEASURED ? CB_IMPORTED : o; }

/* A law's own words repeat its origin: they must not say more than its row. */
static cb_status restate_origin(cb_material_law *l, cb_err *err) {
  json_t *result = cb_json_read(l->result_json);
  if (json_object_get(result, "origin"))
    (void)json_object_set_new(result, "origin", json_string(cb_origin_names[l->origin]));
  char *text = cb_json_text(result);
  json_decref(result);
  if (!text) return cb_no_memory(err, "a law of %s", cb_material_law_kind_names[l->kind]);
  free(l->result_json);
  l->result_json = text;
  return CB_OK;
}

static cb_status store_law(cb_store *s, const char *file, cb_material_law *l, int64_t material_id,
                           cb_err *err) {
  if (!l->result_json) return CB_OK;
  l->material_id = material_id;
  l->origin = as_imported(l->origin);
  if (!l->source[0]) (void)snprintf(l->source, sizeof l->source, "%s", file);
  CB_TRY(restate_origin(l, err));
  return cb_store_material_law_put(s, l, NULL, 0, err);
}

static cb_status store_friction(cb_store *s, exch_friction *f, const cb_material *m, int64_t id,
                                cb_err *err) {
  cb_friction_law *l = &f->law;
  bool cloth = m->kind == CB_CLOTH;
  int64_t other;
  l->origin = as_imported(l->origin);
  CB_TRY(cb_store_material_ensure(s, cloth ? CB_BODY : CB_CLOTH, cloth ? l->body : l->cloth, l->origin,
                                  &other, err));
  return cb_store_law_put(s, l, cloth ? id : other, cloth ? other : id, NULL, 0, f->method, f->verdicts_json,
                          err);
}

cb_status lab_material_put(cb_store *s, const char *file, exch_material *m, cb_err *err) {
  int64_t id;
  m->facts.origin = as_imported(m->facts.origin);
  CB_TRY(cb_store_material_learn(s, &m->facts, &id, err));
  for (int kind = 0; kind < CB_LAW_KINDS; kind++) CB_TRY(store_law(s, file, &m->laws[kind], id, err));
  for (size_t i = 0; i < m->n_friction; i++) CB_TRY(store_friction(s, &m->friction[i], &m->facts, id, err));
  return CB_OK;
}

static cb_status put_all(cb_store *s, void *context, cb_err *err) {
  const lab_materials *all = context;
  for (size_t i = 0; i < all->n; i++) CB_TRY(lab_material_put(s, all->at[i].path, &all->at[i].material, err));
  return CB_OK;
}

/* ---- the import ---- */

#define MAX_BYTES ((size_t)16 << 20)

typedef struct format {
  const char *name;
  cb_status (*read)(const lab_material_import *how, const char *text, size_t n, const char *file,
                    exch_material *m, cb_err *err);
} format;

static cb_status read_json(const lab_material_import *how, const char *text, size_t n, const char *file,
                           exch_material *m, cb_err *err) {
  if (how->name || how->source)
    return cb_fail(err, CB_E_ARG, "--name and --source are for arcsim: this file has its own");
  return lab_material_read(text, n, file, m, err);
}

static cb_status read_arcsim(const lab_material_import *how, const char *text, size_t n, const char *file,
                             exch_material *m, cb_err *err) {
  if (!how->name || !how->name[0] || strlen(how->name) >= sizeof m->facts.name)
    return cb_fail(err, CB_E_ARG, "--name, 1 to %zu bytes, was wanted: the file has none",
                   sizeof m->facts.name - 1);
  return lab_material_read_arcsim(text, n, file, how->name, how->source, m, err);
}

/* physics.json of U3M; --name is for a file of other programs. */
static cb_status read_u3m(const lab_material_import *how, const char *text, size_t n, const char *file,
                          exch_material *m, cb_err *err) {
  if (how->name && (!how->name[0] || strlen(how->name) >= sizeof m->facts.name))
    return cb_fail(err, CB_E_ARG, "--name: 1 to %zu bytes were wanted", sizeof m->facts.name - 1);
  CB_TRY(exch_u3m_read(text, n, file, m, err));
  if (how->name) (void)snprintf(m->facts.name, sizeof m->facts.name, "%s", how->name);
  if (m->facts.name[0]) return check_read(m, file, err);
  exch_material_clear(m);
  return cb_fail(err, CB_E_ARG, "%s: --name was wanted: the file has none", file);
}

static const format *find_format(const char *name) {
  static const format all[] = {{"json", read_json}, {"arcsim", read_arcsim}, {"u3m", read_u3m}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (strcmp(all[i].name, name) == 0) return &all[i];
  return NULL;
}

/* A row for each file; its name waits in the material. */
static cb_status list_files(const char *folder, const cb_csv *names, lab_materials *out, cb_err *err) {
  size_t file_column, name_column;
  CB_TRY(cb_csv_find(names, "file", &file_column, err));
  CB_TRY(cb_csv_find(names, "name", &name_column, err));
  for (size_t i = 0; i < out->n; i++) {
    lab_material_file *f = &out->at[i];
    const char *file, *name;
    CB_TRY(cb_csv_text(names, i, file_column, &file, err));
    CB_TRY(cb_csv_text(names, i, name_column, &name, err));
    if ((size_t)snprintf(f->path, sizeof f->path, "%s/%s", folder, file) >= sizeof f->path ||
        strlen(name) >= sizeof f->material.facts.name)
      return cb_fail(err, CB_E_RANGE, "%s:%d: a shorter file or name was wanted", cb_csv_name(names),
                     cb_csv_line(names, i));
    (void)snprintf(f->material.facts.name, sizeof f->material.facts.name, "%s", name);
  }
  return CB_OK;
}

static cb_status make_room(size_t n, lab_materials *out, cb_err *err) {
  out->at = calloc(n, sizeof *out->at);
  if (!out->at) return cb_no_memory(err, "%zu materials", n);
  out->n = n;
  return CB_OK;
}

static cb_status find_files(const lab_import *q, const lab_material_import *how, lab_materials *out,
                            cb_err *err) {
  const cb_csv_options plain = cb_csv_options_default();
  cb_csv *names = NULL;
  char *text = NULL;
  size_t n;
  if (!how->names) {
    CB_TRY(make_room(1, out, err));
    (void)snprintf(out->at->path, sizeof out->at->path, "%s", q->file);
    return CB_OK;
  }
  if (how->name) return cb_fail(err, CB_E_ARG, "--name and --names: one of them was wanted");
  CB_TRY(cb_file_read(how->names, MAX_BYTES, &text, &n, err));
  cb_status st = cb_csv_parse(text, n, how->names, &plain, &names, err);
  if (st == CB_OK) st = make_room(cb_csv_rows(names), out, err);
  if (st == CB_OK) st = list_files(q->file, names, out, err);
  cb_csv_free(names);
  free(text);
  return st;
}

static cb_status read_file(const format *f, const lab_material_import *how, lab_material_file *to,
                           cb_err *err) {
  lab_material_import one = *how;
  char name[sizeof to->material.facts.name], *text = NULL;
  size_t n;
  (void)snprintf(name, sizeof name, "%s", to->material.facts.name);
  if (how->names) one.name = name;
  CB_TRY(cb_file_read(to->path, MAX_BYTES, &text, &n, err));
  const cb_status st = f->read(&one, text, n, to->path, &to->material, err);
  free(text);
  return st;
}

cb_status lab_import_material(const lab_import *q, const lab_material_import *how, lab_materials *out,
                              cb_err *err) {
  const format *f = find_format(how->format);
  cb_store *s;
  *out = (lab_materials){.n = 0};
  if (!f)
    return cb_fail(err, CB_E_ARG,
                   "--format '%s': json, arcsim or u3m was wanted; other formats of 'export' hold no laws "
                   "and are only written",
                   how->format);
  CB_TRY(find_files(q, how, out, err));
  for (size_t i = 0; i < out->n; i++) CB_TRY(read_file(f, how, &out->at[i], err));
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_transact(s, put_all, out, err), err);
}

void lab_materials_clear(lab_materials *m) {
  for (size_t i = 0; i < m->n; i++) exch_material_clear(&m->at[i].material);
  free(m->at);
  *m = (lab_materials){.n = 0};
}
