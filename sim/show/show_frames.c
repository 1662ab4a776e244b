/* Reading frames.show. */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show_frames_impl.h"

struct show_frames {
  char *path;
  show_index index;
};

void show_frame_clear(show_frame *f) {
  for (int k = 0; k < f->n_surfaces; k++) {
    show_surface *s = &f->surface[k];
    free(s->position_m);
    free(s->triangle);
    for (int c = 0; c < s->n_channels; c++) free(s->channel[c].value);
  }
  memset(f, 0, sizeof *f);
}

cb_status show_frames_open(const char *path, show_frames **out, cb_err *err) {
  show_frames *f = calloc(1, sizeof *f);
  *out = NULL;
  if (!f || !(f->path = strdup(path))) {
    free(f);
    return cb_no_memory(err, "%s", path);
  }
  const cb_status st = show_index_open(path, O_RDONLY, &f->index, err);
  if (st == CB_OK)
    *out = f;
  else
    show_frames_close(f);
  return st;
}

void show_frames_close(show_frames *f) {
  if (!f) return;
  show_index_clear(&f->index);
  free(f->path);
  free(f);
}

int show_frames_count(const show_frames *f) { return f->index.n; }
const char *show_frames_about(const show_frames *f) { return f->index.about; }

/* ---- a frame ---- */

/* False for a number that is not finite. */
static bool get_f32(const unsigned char *from, float *to, size_t n) {
  bool good = true;
  for (size_t i = 0; i < n; i++) {
    const uint32_t bits = show_get_u32(from + 4 * i);
    memcpy(&to[i], &bits, sizeof bits);
    good = good && isfinite(to[i]);
  }
  return good;
}

static const char *get_triangles(const unsigned char *from, show_surface *s) {
  for (int t = 0; t < s->n_triangles; t++)
    for (int k = 0; k < 3; k++, from += 4) {
      const uint32_t v = show_get_u32(from);
      if (v >= (uint32_t)s->n_vertices) return "has a triangle without its corner";
      s->triangle[t][k] = (int)v;
    }
  return NULL;
}

static const char *get_fields(const unsigned char *from, show_surface *s) {
  const size_t nv = (size_t)s->n_vertices;
  if (!get_f32(from, (float *)s->position_m, 3 * nv)) return "has a place that is not finite";
  from += 12 * nv;
  for (int c = 0; c < s->n_channels; c++) {
    memcpy(s->channel[c].name, from, SHOW_NAME_BYTES);
    memcpy(s->channel[c].unit, from + SHOW_NAME_BYTES, SHOW_NAME_BYTES);
    from += (size_t)2 * SHOW_NAME_BYTES;
    if (!get_f32(from, s->channel[c].value, nv)) return "has a channel that is not finite";
    from += 4 * nv;
  }
  return NULL;
}

static cb_status make_surface(const show_head *h, show_surface *s, cb_err *err) {
  *s = (show_surface){.cloth = h->flags & SHOW_CLOTH,
                      .ground = h->flags & SHOW_GROUND,
                      .n_vertices = (int)h->n_vertices,
                      .n_triangles = (int)h->n_triangles,
                      .n_channels = (int)h->n_channels};
  memcpy(s->name, h->name, sizeof s->name);
  memcpy(s->colour, h->colour, sizeof s->colour);
  s->position_m = malloc((size_t)h->n_vertices * sizeof *s->position_m + 1);
  s->triangle = malloc((size_t)h->n_triangles * sizeof *s->triangle + 1);
  bool made = s->position_m && s->triangle;
  for (int c = 0; c < s->n_channels; c++) {
    s->channel[c].value = malloc((size_t)h->n_vertices * sizeof(float) + 1);
    made = made && s->channel[c].value;
  }
  return made ? CB_OK : cb_no_memory(err, "%s, %u vertices", h->name, h->n_vertices);
}

/* The triangles of a surface that stand in an earlier frame. */
static cb_status get_earlier(show_frames *f, int k, show_surface *s, cb_err *err) {
  unsigned char *plain;
  const unsigned char *body;
  const char *wrong = "lacks triangles of a later frame";
  size_t n;
  show_head h;
  CB_TRY(show_index_unpack(&f->index, k, f->path, &plain, &n, err));
  size_t at = 12;
  for (uint32_t i = n >= 12 ? show_get_u32(plain + 8) : 0; i > 0; i--) {
    if (show_get_head(plain, n, &at, k, &h, &body)) break;
    if (strcmp(h.name, s->name) != 0) continue;
    if (h.triangles_in == (uint32_t)k && h.n_triangles == (uint32_t)s->n_triangles &&
        h.n_vertices == (uint32_t)s->n_vertices)
      wrong = get_triangles(body, s);
    break;
  }
  free(plain);
  return wrong ? cb_fail(err, CB_E_PARSE, "%s: frame %d %s", f->path, k, wrong) : CB_OK;
}

static bool has_name(const show_frame *out, const char *name) {
  for (int i = 0; i < out->n_surfaces; i++)
    if (strcmp(out->surface[i].name, name) == 0) return true;
  return false;
}

static cb_status get_surface(show_frames *f, int k, const unsigned char *plain, size_t n, size_t *at,
                             show_frame *out, cb_err *err) {
  show_surface *s = &out->surface[out->n_surfaces];
  const unsigned char *body = NULL;
  show_head h;
  const char *wrong = show_get_head(plain, n, at, k, &h, &body);
  if (!wrong && has_name(out, h.name)) wrong = "has two surfaces of one name";
  if (!wrong && h.triangles_in < (uint32_t)k && h.n_triangles > SHOW_MOST_BYTES / 12)
    wrong = "has too many triangles";
  if (wrong) return cb_fail(err, CB_E_PARSE, "%s: frame %d %s", f->path, k, wrong);
  out->n_surfaces++;
  CB_TRY(make_surface(&h, s, err));
  s->as_before = h.triangles_in < (uint32_t)k;
  if (s->as_before) CB_TRY(get_earlier(f, (int)h.triangles_in, s, err));
  if (!s->as_before) {
    wrong = get_triangles(body, s);
    body += 12 * (size_t)h.n_triangles;
  }
  if (!wrong) wrong = get_fields(body, s);
  return wrong ? cb_fail(err, CB_E_PARSE, "%s: frame %d %s", f->path, k, wrong) : CB_OK;
}

static cb_status get_frame(show_frames *f, int k, const unsigned char *plain, size_t n, show_frame *out,
                           cb_err *err) {
  const uint32_t n_surfaces = n >= 12 ? show_get_u32(plain + 8) : UINT32_MAX;
  size_t at = 12;
  if (n_surfaces > SHOW_SURFACES_MAX)
    return cb_fail(err, CB_E_PARSE, "%s: frame %d has no surfaces or too many", f->path, k);
  const uint64_t bits = show_get_u64(plain);
  memcpy(&out->time_s, &bits, sizeof bits);
  if (!isfinite(out->time_s)) return cb_fail(err, CB_E_PARSE, "%s: frame %d has no time", f->path, k);
  for (uint32_t i = 0; i < n_surfaces; i++) CB_TRY(get_surface(f, k, plain, n, &at, out, err));
  return at == n ? CB_OK : cb_fail(err, CB_E_PARSE, "%s: frame %d goes on behind its end", f->path, k);
}

cb_status show_frames_read(show_frames *f, int k, show_frame *out, cb_err *err) {
  unsigned char *plain;
  size_t n;
  memset(out, 0, sizeof *out);
  if (k < 0 || k >= f->index.n)
    return cb_fail(err, CB_E_RANGE, "%s: frame %d: 0 to %d was wanted", f->path, k, f->index.n - 1);
  CB_TRY(show_index_unpack(&f->index, k, f->path, &plain, &n, err));
  const cb_status st = get_frame(f, k, plain, n, out, err);
  free(plain);
  if (st != CB_OK) show_frame_clear(out);
  return st;
}
