#include "cb_pack.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define BITS 255                 /* scale: the double's own bits */
#define MAX_SCALE 9              /* nanometres, microseconds and every read-out's digits */
#define EXACT 9007199254740992.0 /* 2^53 */
/* Measured: level 3 is slower and not smaller on noise, which has no repeats to find. */
#define ZSTD_LEVEL 1

static const double power[MAX_SCALE + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

typedef struct header {
  uint64_t reference, step;
  uint32_t n_bytes; /* after the header */
  unsigned char scale, order, width, zstd;
} header;

size_t cb_pack_bound(size_t n) { return CB_PACK_HEADER + 8 * n; }

/* ---- little-endian numbers ---- */

static void put_number(unsigned char *at, uint64_t v, int n_bytes) {
  for (int i = 0; i < n_bytes; i++) at[i] = (unsigned char)(v >> 8 * i);
}

static uint64_t get_number(const unsigned char *at, int n_bytes) {
  uint64_t v = 0;
  for (int i = 0; i < n_bytes; i++) v |= (uint64_t)at[i] << 8 * i;
  return v;
}

static void put_header(unsigned char *at, const header *h) {
  at[0] = h->scale;
  at[1] = h->order;
  at[2] = h->width;
  at[3] = h->zstd;
  put_number(at + 4, h->n_bytes, 4);
  put_number(at + 8, h->reference, 8);
  put_number(at + 16, h->step, 8);
}

static header get_header(const unsigned char *at) {
  return (header){.scale = at[0],
                  .order = at[1],
                  .width = at[2],
                  .zstd = at[3],
                  .n_bytes = (uint32_t)get_number(at + 4, 4),
                  .reference = get_number(at + 8, 8),
                  .step = get_number(at + 16, 8)};
}

/* ---- values <-> whole numbers ---- */

/* The whole number w with w / 10^scale == v to the last bit; false where there is none. */
static bool whole_of(double v, int scale, uint64_t *w) {
  double scaled = v * power[scale];
  if (!(fabs(scaled) < EXACT)) return false; /* a NaN, too */
  int64_t n = (int64_t)(scaled + (scaled < 0 ? -0.5 : 0.5));
  if ((double)n / power[scale] != v || (n == 0 && signbit(v))) return false;
  *w = (uint64_t)n;
  return true;
}

/* A value that scale digits hold, more digits hold as well: the search never looks back. */
static int find_scale(const double *v, size_t n) {
  int scale = 0;
  uint64_t w;
  for (size_t i = 0; i < n; i++)
    while (!whole_of(v[i], scale, &w))
      if (++scale > MAX_SCALE) return BITS;
  return scale;
}

static int to_whole(const double *v, size_t n, uint64_t *w) {
  int scale = find_scale(v, n);
  size_t i = 0;
  /* With the more digits of a later value an earlier one may have grown too large. */
  if (scale != BITS)
    while (i < n && whole_of(v[i], scale, &w[i])) i++;
  if (i == n) return scale;
  memcpy(w, v, n * sizeof *w);
  return BITS;
}

static void from_whole(const uint64_t *w, size_t n, int scale, double *v) {
  if (scale == BITS)
    memcpy(v, w, n * sizeof *v);
  else
    for (size_t i = 0; i < n; i++) v[i] = (double)(int64_t)w[i] / power[scale];
}

/* ---- whole numbers <-> residuals; unsigned, because that wraps ---- */

static uint64_t zigzag(uint64_t r) { return (r << 1) ^ (0 - (r >> 63)); }
static uint64_t unzigzag(uint64_t z) { return (z >> 1) ^ (0 - (z & 1)); }
static unsigned bits_of(uint64_t z) { return z ? 64u - (unsigned)__builtin_clzll(z) : 0; }

static uint64_t mean_of(const uint64_t *w, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (double)(int64_t)w[i];
  double mean = sum / (double)n;
  return fabs(mean) < 9.2e18 ? (uint64_t)(int64_t)mean : w[0];
}

/* White noise is smaller around its mean, everything slower is smaller as differences. */
static void choose_order(const uint64_t *w, size_t n, header *h) {
  uint64_t mean = mean_of(w, n), step = n > 1 ? (uint64_t)((int64_t)(w[n - 1] - w[0]) / (int64_t)(n - 1)) : 0,
           bits[2] = {0, 0};
  for (size_t i = 0; i < n; i++) {
    bits[0] += bits_of(zigzag(w[i] - mean));
    if (i > 0) bits[1] += bits_of(zigzag(w[i] - w[i - 1] - step));
  }
  h->order = bits[1] < bits[0];
  h->reference = h->order ? w[0] - step : mean;
  h->step = h->order ? step : 0;
}

/* In place. Returns the bits of all residuals together. */
static uint64_t to_residuals(uint64_t *w, size_t n, const header *h) {
  uint64_t before = h->reference, all = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t now = w[i];
    w[i] = zigzag(now - before - h->step);
    all |= w[i];
    if (h->order) before = now;
  }
  return all;
}

static void from_residuals(uint64_t *w, size_t n, const header *h) {
  uint64_t before = h->reference;
  for (size_t i = 0; i < n; i++) {
    w[i] = unzigzag(w[i]) + before + h->step;
    if (h->order) before = w[i];
  }
}

/* ---- residuals <-> planes of bytes ---- */

static unsigned char width_of(uint64_t all) {
  unsigned char width = 1;
  while (width < 8 && all >> 8 * width) width = (unsigned char)(2 * width);
  return width;
}

static void to_planes(const uint64_t *z, size_t n, unsigned width, unsigned char *planes) {
  for (unsigned p = 0; p < width; p++)
    for (size_t i = 0; i < n; i++) planes[p * n + i] = (unsigned char)(z[i] >> 8 * p);
}

static void from_planes(const unsigned char *planes, size_t n, unsigned width, uint64_t *z) {
  memset(z, 0, n * sizeof *z);
  for (unsigned p = 0; p < width; p++)
    for (size_t i = 0; i < n; i++) z[i] |= (uint64_t)planes[p * n + i] << 8 * p;
}

/* ---- the whole way ---- */

/* Each plane ends a block of the frame, because each has statistics of its own; a reader of the frame sees no
 * difference. Returns the size, or 0 where the frame would not be smaller than the planes. */
static size_t deflate_planes(ZSTD_CCtx *context, const unsigned char *planes, size_t n, unsigned width,
                             unsigned char *out) {
  /* Told the size beforehand, zstd works in little memory for a little column. */
  if (ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(context, width * n))) return 0;
  ZSTD_outBuffer to = {.dst = out, .size = width * n - 1};
  for (unsigned p = 0; p < width; p++) {
    ZSTD_inBuffer from = {.src = planes + p * n, .size = n};
    size_t left = ZSTD_compressStream2(context, &to, &from, p + 1 < width ? ZSTD_e_flush : ZSTD_e_end);
    if (ZSTD_isError(left) || left > 0) return 0;
  }
  return to.pos;
}

static void pack_with(const double *v, size_t n, ZSTD_CCtx *context, uint64_t *w, unsigned char *planes,
                      unsigned char *out, size_t *size) {
  header h = {.scale = (unsigned char)to_whole(v, n, w)};
  choose_order(w, n, &h);
  h.width = width_of(to_residuals(w, n, &h));
  to_planes(w, n, h.width, planes);
  size_t plain = h.width * n, packed = deflate_planes(context, planes, n, h.width, out + CB_PACK_HEADER);
  h.zstd = packed > 0;
  if (!h.zstd) memcpy(out + CB_PACK_HEADER, planes, plain);
  h.n_bytes = (uint32_t)(h.zstd ? packed : plain);
  put_header(out, &h);
  *size = CB_PACK_HEADER + h.n_bytes;
}

cb_status cb_pack(const double *v, size_t n, unsigned char *out, size_t *size, cb_err *err) {
  if (n < 1 || n > CB_PACK_MAX_N)
    return cb_fail(err, CB_E_ARG, "a column of %zu values: 1 to %d can be packed", n, CB_PACK_MAX_N);
  uint64_t *w = malloc(n * sizeof *w);
  unsigned char *planes = malloc(8 * n);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  cb_status st = CB_OK;
  if (w && planes && context &&
      !ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, ZSTD_LEVEL)))
    pack_with(v, n, context, w, planes, out, size);
  else
    st = cb_no_memory(err, "to pack %zu values", n);
  ZSTD_freeCCtx(context);
  free(w);
  free(planes);
  return st;
}

static cb_status check_header(const header *h, size_t size, size_t n, cb_err *err) {
  bool known = (h->scale <= MAX_SCALE || h->scale == BITS) && h->order <= 1 && h->zstd <= 1 &&
               (h->width == 1 || h->width == 2 || h->width == 4 || h->width == 8);
  if (!known) return cb_fail(err, CB_E_PARSE, "packed column: not a header of a packed column");
  if (h->n_bytes > size - CB_PACK_HEADER)
    return cb_fail(err, CB_E_PARSE, "packed column: %zu bytes, but its header tells of %u more",
                   size - CB_PACK_HEADER, h->n_bytes);
  if (!h->zstd && h->n_bytes != h->width * n)
    return cb_fail(err, CB_E_PARSE, "packed column: %u bytes for %zu values of %d", h->n_bytes, n, h->width);
  return CB_OK;
}

/* planes: room for n values. */
static cb_status inflate(const unsigned char *data, const header *h, size_t n, unsigned char *planes,
                         cb_err *err) {
  size_t plain = h->width * n;
  if (ZSTD_decompress(planes, plain, data, h->n_bytes) == plain) return CB_OK;
  return cb_fail(err, CB_E_PARSE, "packed column: its zstd frame does not hold %zu values of %d bytes", n,
                 h->width);
}

cb_status cb_unpack(const unsigned char *data, size_t size, size_t n, double *v, size_t *used, cb_err *err) {
  if (n < 1 || n > CB_PACK_MAX_N || size < CB_PACK_HEADER)
    return cb_fail(err, CB_E_PARSE, "packed column: %zu bytes for %zu values", size, n);
  header h = get_header(data);
  const unsigned char *body = data + CB_PACK_HEADER;
  CB_TRY(check_header(&h, size, n, err));
  uint64_t *w = malloc(n * sizeof *w);
  unsigned char *planes = h.zstd ? malloc(h.width * n) : NULL;
  cb_status st = CB_OK;
  if (!w || (h.zstd && !planes)) CB_GOTO(cb_no_memory(err, "to unpack %zu values", n));
  if (h.zstd) CB_GOTO(inflate(body, &h, n, planes, err));
  from_planes(h.zstd ? planes : body, n, h.width, w);
  from_residuals(w, n, &h);
  from_whole(w, n, h.scale, v);
  if (used) *used = CB_PACK_HEADER + h.n_bytes;
done:
  free(w);
  free(planes);
  return st;
}
