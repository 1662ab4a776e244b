#include "report_crate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "cb_json.h"
#include "lab_sha256.h"

struct report_crate {
  zip_t *zip;
  char *path, folder[128];
  json_t *graph;   /* the entities; owned */
  json_t *ids;     /* their @id, as keys; owned */
  json_t *root;    /* in graph */
  json_t *dataset; /* the present one, in graph */
  bool failed;     /* out of memory */
};

/* ---- entities ---- */

json_t *report_crate_ref(const char *id) { return json_pack("{s:s}", "@id", id); }

void report_crate_entity(report_crate *c, json_t *entity) {
  const char *id = json_string_value(json_object_get(entity, "@id"));
  if (id && json_object_get(c->ids, id)) {
    json_decref(entity);
    return;
  }
  c->failed |= !id || json_object_set_new(c->ids, id, json_true()) != 0 ||
               json_array_append_new(c->graph, entity) != 0;
}

static void add_part(report_crate *c, json_t *whole, const char *id) {
  c->failed |= json_array_append_new(json_object_get(whole, "hasPart"), report_crate_ref(id)) != 0;
}

json_t *report_crate_dataset(report_crate *c, const char *id, const char *name, const char *author) {
  json_t *d = json_pack("{s:s, s:s, s:s, s:[]}", "@id", id, "@type", "Dataset", "name", name, "hasPart");
  if (author[0]) c->failed |= json_object_set_new(d, "author", report_crate_ref(author)) != 0;
  report_crate_entity(c, d);
  if (c->root) add_part(c, c->root, id);
  c->dataset = d;
  return d;
}

json_t *report_crate_root(report_crate *c) { return c->root; }

/* ---- files ---- */

static cb_status fail_zip(report_crate *c, cb_err *err) {
  return cb_fail(err, CB_E_IO, "%s: cannot be written: %s", c->path, zip_strerror(c->zip));
}

/* Takes the data over. */
static cb_status add_bytes(report_crate *c, const char *name, char *data, size_t n, cb_err *err) {
  char path[512];
  (void)snprintf(path, sizeof path, "%s/%s", c->folder, name);
  zip_source_t *source = zip_source_buffer(c->zip, data, n, 1);
  if (!source) free(data);
  if (source && zip_file_add(c->zip, path, source, ZIP_FL_ENC_UTF_8) >= 0) return CB_OK;
  zip_source_free(source);
  return fail_zip(c, err);
}

cb_status report_crate_file_add(report_crate *c, const report_crate_file *f, const char **id, cb_err *err) {
  char path[400], size[32], hash[LAB_SHA256_TEXT];
  const char *folder = json_string_value(json_object_get(c->dataset, "@id"));
  (void)snprintf(path, sizeof path, "%s%s", folder, f->name);
  (void)snprintf(size, sizeof size, "%zu", f->n);
  lab_sha256(f->data, f->n, hash);
  json_t *file = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "@id", path, "@type", "File", "name",
                           f->name, "description", f->description, "encodingFormat", f->type, "contentSize",
                           size, "sha256", hash);
  report_crate_entity(c, file);
  add_part(c, c->dataset, path);
  if (id) *id = json_string_value(json_object_get(file, "@id"));
  return add_bytes(c, path, f->data, f->n, err);
}

/* ---- the whole ---- */

static void name_folder(const char *path, char out[128]) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  (void)snprintf(out, 128, "%.*s", (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

cb_status report_crate_new(const char *path, report_crate **out, cb_err *err) {
  zip_error_t e;
  int code = 0;
  report_crate *c = *out = calloc(1, sizeof *c);
  if (!c) return cb_no_memory(err, "%s", path);
  c->path = strdup(path);
  c->graph = json_array();
  c->ids = json_object();
  if (!c->path || !c->graph || !c->ids) return cb_no_memory(err, "%s", path);
  name_folder(path, c->folder);
  c->zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
  if (!c->zip) {
    zip_error_init_with_code(&e, code);
    const cb_status st = cb_fail(err, CB_E_IO, "%s: cannot be written: %s", path, zip_error_strerror(&e));
    zip_error_fini(&e);
    return st;
  }
  report_crate_entity(
      c, json_pack("{s:s, s:s, s:{s:s}, s:{s:s}}", "@id", "ro-crate-metadata.json", "@type", "CreativeWork",
                   "about", "@id", "./", "conformsTo", "@id", "https://w3id.org/ro/crate/1.1"));
  c->root = report_crate_dataset(c, "./", c->folder, "");
  return CB_OK;
}

cb_status report_crate_write(report_crate *c, cb_err *err) {
  json_t *doc =
      json_pack("{s:s, s:O}", "@context", "https://w3id.org/ro/crate/1.1/context", "@graph", c->graph);
  char *text = doc && !c->failed ? cb_json_text(doc) : NULL;
  json_decref(doc);
  if (!text) return cb_no_memory(err, "%s", c->path);
  CB_TRY(add_bytes(c, "ro-crate-metadata.json", text, strlen(text), err));
  if (zip_close(c->zip) != 0) return fail_zip(c, err);
  c->zip = NULL;
  return CB_OK;
}

void report_crate_free(report_crate *c) {
  if (!c) return;
  if (c->zip) zip_discard(c->zip);
  json_decref(c->graph);
  json_decref(c->ids);
  free(c->path);
  free(c);
}
