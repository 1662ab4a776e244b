/* Draped shapes: all co-ordinates as whole numbers of 16 bits, axis by axis, then all corners as numbers of
 * vertices, in one packed column (cb_pack.h). */
#include "cb_store_shape.h"

#include <math.h>
#include <stdlib.h>
#include <zlib.h>

#include "cb_pack.h"
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"
#include "cb_version.h"

#define STEPS 32767 /* on either side of 0 */

void cb_drape_shape_clear(cb_drape_shape *p) {
  free(p->position_m);
  free(p->triangle);
  p->position_m = NULL;
  p->triangle = NULL;
}

static size_t values_of(const cb_drape_shape *p) {
  return 3 * (size_t)p->n_vertices + 3 * (size_t)p->n_triangles;
}

/* ---- into the store ---- */

static void to_values(const cb_drape_shape *p, double *v) {
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < p->n_vertices; i++) *v++ = nearbyint(p->position_m[i][c] / p->quantum_m) + 0.0;
  for (int i = 0; i < 3 * p->n_triangles; i++) *v++ = p->triangle[i / 3][i % 3];
}

static cb_status put_row(cb_store *s, cb_drape_shape *p, const unsigned char *payload, size_t n,
                         cb_err *err) {
  char uuid[37];
  cbs_uuid(s, "drape_shape", uuid);
  cb_store_now(s, p->created_at);
  return cbs_run(
      s, &p->id, err,
      "INSERT INTO drape_shape(uuid, material_id, stretch_law_id, bending_law_id, support_m, "
      "specimen_m, drape_coefficient, seed, seeds, n_vertices, n_triangles, quantum_m, crc32, "
      "payload, program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "tinndddiiiidibtt", uuid, p->material_id, p->stretch_law_id, p->bending_law_id, p->support_m,
      p->specimen_m, p->drape_coefficient, p->seed, p->seeds, (int64_t)p->n_vertices, (int64_t)p->n_triangles,
      p->quantum_m, (int64_t)crc32_z(0, payload, n), payload, n, cb_version(), p->created_at);
}

cb_status cb_store_shape_put(cb_store *s, cb_drape_shape *p, cb_err *err) {
  double largest = 0;
  size_t n = 0;
  for (int i = 0; i < 3 * p->n_vertices; i++) {
    const double v = fabs(p->position_m[i / 3][i % 3]);
    largest = isfinite(v) ? fmax(largest, v) : INFINITY;
  }
  p->quantum_m = largest / STEPS;
  if (!(largest > 0 && isfinite(largest)))
    return cb_fail(err, CB_E_RANGE, "draped shape: its largest co-ordinate is %g m", largest);
  double *v = malloc(values_of(p) * sizeof *v);
  unsigned char *payload = malloc(cb_pack_bound(values_of(p)));
  cb_status st = v && payload ? CB_OK : cb_no_memory(err, "a draped shape");
  if (st == CB_OK) to_values(p, v);
  if (st == CB_OK) st = cb_pack(v, values_of(p), payload, &n, err);
  if (st == CB_OK) st = put_row(s, p, payload, n, err);
  free(v);
  free(payload);
  return st;
}

/* ---- out of it ---- */

/* The next value of a packed column, if it is a whole number in that range. */
static bool take(const double **v, double low, double high, double *out) {
  *out = *(*v)++;
  return *out >= low && *out <= high && *out == floor(*out);
}

static cb_status from_values(const double *v, cb_drape_shape *p, cb_err *err) {
  double x;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < p->n_vertices; i++) {
      if (!take(&v, -STEPS, STEPS, &x))
        return cb_fail(err, CB_E_PARSE, "vertex %d: a co-ordinate of %g steps", i, x);
      p->position_m[i][c] = p->quantum_m * x;
    }
  for (int i = 0; i < 3 * p->n_triangles; i++) {
    if (!take(&v, 0, p->n_vertices - 1, &x))
      return cb_fail(err, CB_E_PARSE, "triangle %d: the corner %g of %d vertices", i / 3, x, p->n_vertices);
    p->triangle[i / 3][i % 3] = (int)x;
  }
  return CB_OK;
}

cb_status cbs_shape_unpack(const unsigned char *data, size_t size, cb_drape_shape *p, cb_err *err) {
  size_t used = 0;
  if (p->n_vertices < 3 || p->n_triangles < 1 || p->n_vertices > CB_PACK_MAX_N ||
      p->n_triangles > CB_PACK_MAX_N)
    return cb_fail(err, CB_E_PARSE, "%d vertices, %d triangles", p->n_vertices, p->n_triangles);
  double *v = malloc(values_of(p) * sizeof *v);
  p->position_m = malloc((size_t)p->n_vertices * sizeof *p->position_m);
  p->triangle = malloc((size_t)p->n_triangles * sizeof *p->triangle);
  cb_status st = v && p->position_m && p->triangle
                     ? cb_unpack(data, size, values_of(p), v, &used, err)
                     : cb_no_memory(err, "a draped shape of %d vertices", p->n_vertices);
  if (st == CB_OK && used != size) st = cb_fail(err, CB_E_PARSE, "%zu bytes too many", size - used);
  if (st == CB_OK) st = from_values(v, p, err);
  free(v);
  if (st != CB_OK) cb_drape_shape_clear(p);
  return st;
}

static cb_status read_shape(cb_store *s, sqlite3_stmt *q, cb_drape_shape *p, cb_err *err) {
  cb_err inner = {""};
  int64_t *const whole[] = {&p->id,   &p->material_id, &p->stretch_law_id, &p->bending_law_id,
                            &p->seed, &p->seeds};
  double *const real[] = {&p->support_m, &p->specimen_m, &p->drape_coefficient, &p->quantum_m};
  *p = (cb_drape_shape){.n_vertices = sqlite3_column_int(q, 10), .n_triangles = sqlite3_column_int(q, 11)};
  for (int i = 0; i < 6; i++) *whole[i] = sqlite3_column_int64(q, i);
  for (int i = 0; i < 4; i++) *real[i] = cbs_real(q, 6 + i);
  cbs_text(q, 12, p->program_version, sizeof p->program_version);
  cbs_text(q, 13, p->created_at, sizeof p->created_at);
  const unsigned char *payload = sqlite3_column_blob(q, 15);
  const size_t n = (size_t)sqlite3_column_bytes(q, 15);
  cb_status st = payload && (int64_t)crc32_z(0, payload, n) == sqlite3_column_int64(q, 14)
                     ? cbs_shape_unpack(payload, n, p, &inner)
                     : cb_fail(&inner, CB_E_PARSE, "its bytes are damaged (CRC)");
  if (st == CB_E_PARSE) st = CB_E_DB;
  return st == CB_OK
             ? CB_OK
             : cb_fail(err, st, "%s: draped shape %lld: %.200s", s->path, (long long)p->id, inner.msg);
}

#define SHAPES \
  "SELECT id, " CBS_IS("material_id") ", stretch_law_id, bending_law_id, seed, seeds, support_m, " \
  "specimen_m, drape_coefficient, quantum_m, n_vertices, n_triangles, program_version, "           \
  "created_at, crc32, payload FROM drape_shape "

/* Reads all shapes that sql finds. *out is the last one. */
static cb_status read_shapes(cb_store *s, const char *sql, int64_t material_id, cb_drape_shape *out,
                             cb_err *err) {
  sqlite3_stmt *q;
  bool more;
  cb_status st;
  *out = (cb_drape_shape){.id = 0};
  CB_TRY(cbs_prepare(s, &q, err, sql, "i", material_id));
  while ((st = cbs_step(s, &q, &more, err)) == CB_OK && more) {
    cb_drape_shape_clear(out);
    st = read_shape(s, q, out, err);
    if (st == CB_OK) continue;
    sqlite3_finalize(q);
    break;
  }
  return st;
}

cb_status cb_store_shape_newest(cb_store *s, int64_t material_id, cb_drape_shape *out, cb_err *err) {
  return read_shapes(s, SHAPES "WHERE material_id IN (" CBS_ALL_OF("?1") ") ORDER BY id DESC LIMIT 1",
                     material_id, out, err);
}

cb_status cbs_shapes_check(cb_store *s, cb_err *err) {
  cb_drape_shape last;
  const cb_status st = read_shapes(s, SHAPES "WHERE ?1 = 0 ORDER BY id", 0, &last, err);
  cb_drape_shape_clear(&last);
  return st;
}
