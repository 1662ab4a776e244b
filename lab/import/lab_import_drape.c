#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_store_drape.h"
#include "lab_import_parts.h"
#include "lab_transact.h"

typedef struct batch {
  const lab_drape_import *q;
  const fit_drape_file *f;
} batch;

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *lab_drape_method(const fit_drape *d) {
  return d->scale_from == FIT_SCALE_MESH ? "mesh" : "silhouette";
}

lab_drape_mean lab_drape_mean_of(const fit_drape_file *f, size_t n) {
  lab_drape_mean m = {0, NAN, 0};
  double squares = 0;
  for (size_t i = 0; i < n; i++) {
    m.coefficient += f[i].drape.drape_coefficient / (double)n;
    m.nodes += f[i].drape.nodes / (double)n;
  }
  for (size_t i = 0; i < n; i++) squares += pow(f[i].drape.drape_coefficient - m.coefficient, 2);
  if (n > 1) m.sd = sqrt(squares / ((double)n - 1));
  return m;
}

json_t *lab_drape_profile(const fit_drape *d) {
  json_t *list = json_array();
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) (void)json_array_append_new(list, json_real(d->radius_m[i]));
  return list;
}

static cb_drape_test make_row(const lab_drape_import *q, const char *file, const fit_drape *d,
                              int64_t cloth) {
  cb_drape_test t = {.material_id = cloth,
                     .support_m = q->setup.support_m,
                     .specimen_m = q->setup.specimen_m,
                     .drape_coefficient = d->drape_coefficient,
                     .u_drape_coefficient = d->u,
                     .nodes = d->nodes,
                     .node_height_m = d->node_height_m,
                     .area_m2 = d->area_m2,
                     .pixel_m = d->pixel_m,
                     .u_scale_rel = d->u_scale_rel,
                     .origin = q->origin};
  const char *name = base_name(file);
  (void)snprintf(t.capture, sizeof t.capture, "%.*s", (int)strcspn(name, "."), name);
  (void)snprintf(t.method, sizeof t.method, "%s", lab_drape_method(d));
  (void)snprintf(t.scale_from, sizeof t.scale_from, "%s", fit_scale_from_names[d->scale_from]);
  (void)snprintf(t.source, sizeof t.source, "%s", q->source ? q->source : name);
  return t;
}

static cb_status put_drape(cb_store *s, const batch *b, size_t i, int64_t cloth, cb_err *err) {
  const lab_drape_import *q = b->q;
  const fit_drape_file *f = &b->f[i];
  char before[32];
  CB_TRY(cb_store_drape_fingerprint(s, f->fingerprint, before, err));
  if (before[0])
    return cb_fail(err, CB_E_RANGE, "%s: this very file was imported into %s on %s: it would count twice",
                   q->files[i], cb_store_path(s), before);
  cb_drape_test t = make_row(q, q->files[i], &f->drape, cloth);
  json_t *profile = lab_drape_profile(&f->drape);
  char *text = cb_json_text(profile);
  json_decref(profile);
  if (!text) return cb_no_memory(err, "%s, the outline", q->files[i]);
  cb_status st = cb_store_drape_put(s, &t, text, f->fingerprint, err);
  free(text);
  return st;
}

static cb_status put_drapes(cb_store *s, void *context, cb_err *err) {
  const batch *b = context;
  int64_t cloth;
  CB_TRY(cb_store_material_ensure(s, CB_CLOTH, b->q->cloth, b->q->origin, &cloth, err));
  for (size_t i = 0; i < b->q->n; i++) CB_TRY(put_drape(s, b, i, cloth, err));
  return CB_OK;
}

cb_status lab_drapes_store(cb_store *s, const lab_drape_import *q, const fit_drape_file *f, cb_err *err) {
  return lab_transact(s, put_drapes, &(batch){q, f}, err);
}

cb_status lab_import_drapes(const lab_import *q, const lab_drape_import *drapes, fit_drape_file *out,
                            cb_err *err) {
  cb_store *s;
  CB_TRY(fit_drape_setup_check(&drapes->setup, err));
  for (size_t i = 0; i < drapes->n; i++)
    CB_TRY(fit_drape_read(drapes->files[i], &drapes->setup, &out[i], err));
  if (!drapes->cloth) return CB_OK;
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_drapes_store(s, drapes, out, err), err);
}
