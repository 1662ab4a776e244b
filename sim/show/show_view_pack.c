/* Frames as a stream of small differences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show_view_impl.h"

#define SAMPLES 65536
#define STEPS 65535
/* Values outside of these shares of all are drawn like the last one within. */
#define LOW_SHARE 0.002
#define HIGH_SHARE 0.998

void show_pack_clear(show_pack *p) {
  for (int s = 0; s < p->n; s++) {
    free(p->surface[s].one);
    free(p->surface[s].two);
    for (int c = 0; c < p->surface[s].n_channels; c++) {
      free(p->surface[s].channel[c].sample);
      free(p->surface[s].channel[c].before);
    }
  }
  memset(p, 0, sizeof *p);
}

/* ---- first pass ---- */

static show_pack_surface *find_surface(show_pack *p, const show_surface *s) {
  for (int k = 0; k < p->n; k++)
    if (strcmp(p->surface[k].name, s->name) == 0) return &p->surface[k];
  if (p->n == SHOW_SURFACES_MAX) return NULL;
  show_pack_surface *out = &p->surface[p->n++];
  memcpy(out->name, s->name, sizeof out->name);
  memcpy(out->colour, s->colour, sizeof out->colour);
  out->cloth = s->cloth;
  out->ground = s->ground;
  for (int c = 0; c < 3; c++) out->low[c] = INFINITY, out->high[c] = -INFINITY;
  return out;
}

static show_pack_channel *find_channel(show_pack_surface *p, const show_channel *c) {
  for (int k = 0; k < p->n_channels; k++)
    if (strcmp(p->channel[k].name, c->name) == 0) return &p->channel[k];
  if (p->n_channels == SHOW_CHANNELS_MAX) return NULL;
  show_pack_channel *out = &p->channel[p->n_channels++];
  memcpy(out->name, c->name, sizeof out->name);
  memcpy(out->unit, c->unit, sizeof out->unit);
  out->stride = 1;
  return out;
}

/* Keeps every stride-th value; where there is no more room, every second of them. */
static cb_status note_values(show_pack_channel *c, const float *value, int n, cb_err *err) {
  if (!c->sample) c->sample = malloc(SAMPLES * sizeof *c->sample);
  if (!c->sample) return cb_no_memory(err, "view, a channel");
  for (int i = 0; i < n; i++) {
    if (c->skipped++ % c->stride != 0) continue;
    if (c->n_samples == SAMPLES) {
      for (int k = 0; k < SAMPLES / 2; k++) c->sample[k] = c->sample[2 * (size_t)k];
      c->n_samples = SAMPLES / 2;
      c->stride *= 2;
      c->skipped = 1;
    }
    c->sample[c->n_samples++] = value[i];
  }
  return CB_OK;
}

cb_status show_pack_note(show_pack *p, const show_frame *f, cb_err *err) {
  for (int k = 0; k < f->n_surfaces; k++) {
    const show_surface *s = &f->surface[k];
    show_pack_surface *to = find_surface(p, s);
    if (!to)
      return cb_fail(err, CB_E_RANGE, "view: more than %d surfaces of different names", SHOW_SURFACES_MAX);
    for (int v = 0; v < s->n_vertices; v++)
      for (int c = 0; c < 3; c++) {
        to->low[c] = fmin(to->low[c], (double)s->position_m[v][c]);
        to->high[c] = fmax(to->high[c], (double)s->position_m[v][c]);
      }
    for (int c = 0; c < s->n_channels; c++) {
      show_pack_channel *channel = find_channel(to, &s->channel[c]);
      if (channel) CB_TRY(note_values(channel, s->channel[c].value, s->n_vertices, err));
    }
  }
  return CB_OK;
}

static int compare_floats(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static void find_range(show_pack_channel *c) {
  const int n = c->n_samples;
  if (n == 0) return;
  qsort(c->sample, (size_t)n, sizeof *c->sample, compare_floats);
  c->low = c->sample[(int)(LOW_SHARE * (n - 1))];
  c->high = c->sample[(int)ceil(HIGH_SHARE * (n - 1))];
  if (c->low > 0 && c->low < 0.3 * c->high) c->low = 0;
  if (c->low < 0 && c->high > 0) { /* 0 has the middle colour */
    c->high = fmax(c->high, -c->low);
    c->low = -c->high;
  }
  c->below = (double)c->sample[0] < c->low;
  c->above = (double)c->sample[n - 1] > c->high;
}

void show_pack_ranges(show_pack *p) {
  for (int s = 0; s < p->n; s++) {
    for (int c = 0; c < p->surface[s].n_channels; c++) find_range(&p->surface[s].channel[c]);
    for (int c = 0; c < 3; c++) /* a surface that never had a vertex */
      if (p->surface[s].low[c] > p->surface[s].high[c]) p->surface[s].low[c] = p->surface[s].high[c] = 0;
  }
}

/* ---- second pass ---- */

static uint16_t zigzag16(int difference) {
  const int16_t d = (int16_t)(uint16_t)difference; /* modulo 65536 */
  return (uint16_t)((uint16_t)d << 1 ^ (d < 0 ? 0xffff : 0));
}

static void put_triangles(const show_surface *s, unsigned char *scratch, cb_bytes *out) {
  const size_t n = 3 * (size_t)s->n_triangles;
  const int *corner = (const int *)s->triangle;
  for (size_t i = 0; i < n; i++) {
    const int d = corner[i] - (i > 0 ? corner[i - 1] : 0);
    const uint32_t z = (uint32_t)d << 1 ^ (d < 0 ? 0xffffffffU : 0);
    for (size_t b = 0; b < 4; b++) scratch[b * n + i] = (unsigned char)(z >> 8 * b);
  }
  cb_bytes_put(out, scratch, 4 * n);
}

static void quantise(const show_pack_surface *p, const show_surface *s, uint16_t *q) {
  for (int v = 0; v < s->n_vertices; v++)
    for (int c = 0; c < 3; c++) {
      const double size = p->high[c] - p->low[c];
      q[3 * v + c] =
          size > 0 ? (uint16_t)lround(STEPS * ((double)s->position_m[v][c] - p->low[c]) / size) : 0;
    }
}

static int predict(const show_pack_surface *p, int order, int k) {
  return order == 0 ? 0 : order == 1 ? p->one[k] : 2 * p->one[k] - p->two[k];
}

/* The order with the smallest differences. */
static int find_order(const show_pack_surface *p, const uint16_t *q, int n) {
  if (p->known < 2) return p->known;
  double sum[3] = {0};
  for (int order = 1; order <= 2; order++)
    for (int k = 0; k < 3 * n; k++) sum[order] += log2(1 + zigzag16(q[k] - predict(p, order, k)));
  return sum[2] < sum[1] ? 2 : 1;
}

static void put_places(const show_pack_surface *p, int order, const uint16_t *q, int n,
                       unsigned char *scratch, cb_bytes *out) {
  for (int c = 0; c < 3; c++) {
    for (int v = 0; v < n; v++) {
      const uint16_t z = zigzag16(q[3 * v + c] - predict(p, order, 3 * v + c));
      scratch[v] = (unsigned char)z;
      scratch[n + v] = (unsigned char)(z >> 8);
    }
    cb_bytes_put(out, scratch, 2 * (size_t)n);
  }
}

static const float *values_of(const show_surface *s, const char *name) {
  for (int c = 0; c < s->n_channels; c++)
    if (strcmp(s->channel[c].name, name) == 0) return s->channel[c].value;
  return NULL;
}

static cb_status put_channel(show_pack_channel *c, const show_surface *s, bool fresh, unsigned char *scratch,
                             cb_bytes *out, cb_err *err) {
  const float *value = values_of(s, c->name);
  if (fresh) {
    free(c->before);
    c->before = calloc((size_t)s->n_vertices + 1, 1);
    if (!c->before) return cb_no_memory(err, "view, %d vertices", s->n_vertices);
  }
  for (int v = 0; v < s->n_vertices; v++) {
    const double at = value ? value[v] : 0, range = c->high - c->low;
    const uint8_t q = range > 0 ? (uint8_t)lround(255 * fmin(fmax((at - c->low) / range, 0), 1)) : 0;
    scratch[v] = (unsigned char)(q - c->before[v]);
    c->before[v] = q;
  }
  cb_bytes_put(out, scratch, (size_t)s->n_vertices);
  return CB_OK;
}

static cb_status put_surface(show_pack_surface *p, const show_surface *s, cb_bytes *out, cb_err *err) {
  const bool fresh = !s->as_before || p->n_vertices != s->n_vertices || p->known == 0;
  const size_t n = (size_t)s->n_vertices, most = 12 * (size_t)s->n_triangles + 6 * n + 1;
  uint16_t *q = calloc(3 * n + 1, sizeof *q);
  unsigned char *scratch = malloc(most), flags = fresh ? 3 : 1;
  cb_status st = q && scratch ? CB_OK : cb_no_memory(err, "view, %zu vertices", n);
  if (st == CB_OK) {
    if (fresh) p->known = 0;
    quantise(p, s, q);
    const int order = find_order(p, q, s->n_vertices);
    flags = (unsigned char)(flags | order << 2);
    cb_bytes_put(out, &flags, 1);
    if (fresh) {
      cb_bytes_u32(out, (uint32_t)n);
      cb_bytes_u32(out, (uint32_t)s->n_triangles);
      put_triangles(s, scratch, out);
    }
    put_places(p, order, q, s->n_vertices, scratch, out);
    for (int c = 0; st == CB_OK && c < p->n_channels; c++)
      st = put_channel(&p->channel[c], s, fresh, scratch, out, err);
    free(p->two);
    p->two = p->one;
    p->one = q;
    q = NULL;
    p->n_vertices = s->n_vertices;
    p->known = p->known < 2 ? p->known + 1 : 2;
  }
  free(q);
  free(scratch);
  return st;
}

cb_status show_pack_put(show_pack *p, const show_frame *f, cb_bytes *out, cb_err *err) {
  for (int k = 0; k < p->n; k++) {
    const show_surface *s = NULL;
    for (int i = 0; i < f->n_surfaces && !s; i++)
      if (strcmp(f->surface[i].name, p->surface[k].name) == 0) s = &f->surface[i];
    if (s) {
      CB_TRY(put_surface(&p->surface[k], s, out, err));
    } else {
      p->surface[k].known = 0; /* the next one has its triangles anew */
      cb_bytes_put(out, "", 1);
    }
  }
  return CB_OK;
}
