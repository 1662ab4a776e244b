#include <stdlib.h>

#include "cb_file.h"
#include "cb_gzip.h"
#include "cb_obj.h"
#include "fit_drape.h"
#include "fit_drape_impl.h"
#include "fit_text.h"

#define MAX_BYTES ((size_t)256 << 20)

static cb_status mesh_shadow(const char *text, size_t n, const char *path, fit_shadow *shadow, cb_err *err) {
  cb_obj o;
  cb_status st = cb_obj_parse(text, n, path, &o, err);
  if (st == CB_OK)
    st = fit_drape_mesh_shadow((const double(*)[3])o.vertex, o.n_vertices, (const int(*)[3])o.triangle,
                               o.n_triangles, path, shadow, err);
  cb_obj_clear(&o);
  return st;
}

static cb_status packed_mesh_shadow(const char *bytes, size_t n, const char *path, fit_shadow *shadow,
                                    cb_err *err) {
  char *text;
  size_t n_text;
  CB_TRY(cb_gzip_unpack(bytes, n, path, MAX_BYTES, &text, &n_text, err));
  cb_status st = mesh_shadow(text, n_text, path, shadow, err);
  free(text);
  return st;
}

static cb_status picture_shadow(const char *bytes, size_t n, const char *path, const fit_drape_setup *q,
                                fit_shadow *shadow, cb_err *err) {
  fit_picture p;
  cb_status st = fit_picture_parse(bytes, n, path, &p, err);
  if (st == CB_OK) st = fit_drape_silhouette(&p, path, q, shadow, err);
  fit_picture_clear(&p);
  return st;
}

cb_status fit_drape_read(const char *path, const fit_drape_setup *q, fit_drape_file *out, cb_err *err) {
  char *bytes;
  size_t n;
  fit_shadow shadow = {0};
  CB_TRY(cb_file_read(path, MAX_BYTES, &bytes, &n, err));
  fit_fingerprint(bytes, n, out->fingerprint);
  cb_status st = fit_picture_is(bytes, n) ? picture_shadow(bytes, n, path, q, &shadow, err)
                 : cb_gzip_is(bytes, n)   ? packed_mesh_shadow(bytes, n, path, &shadow, err)
                                          : mesh_shadow(bytes, n, path, &shadow, err);
  if (st == CB_OK) st = fit_drape_reduce(&shadow, path, q, &out->drape, err);
  fit_shadow_clear(&shadow);
  free(bytes);
  return st;
}
