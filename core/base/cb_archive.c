#include "cb_archive.h"

#include <limits.h>
#include <math.h>
#include <string.h>

cb_archive cb_archive_writer(cb_bytes *out) { return (cb_archive){.out = out}; }
cb_archive cb_archive_reader(const unsigned char *data, size_t n) {
  return (cb_archive){.at = data, .left = n};
}
bool cb_archive_reads(const cb_archive *a) { return !a->out; }
bool cb_archive_good(const cb_archive *a) { return !a->out && !a->wrong; }

void cb_archive_fail(cb_archive *a, const char *wrong) {
  if (!a->wrong) a->wrong = wrong;
}

/* Are there n items of that size? */
static bool has_bytes(cb_archive *a, size_t n, size_t size) {
  if (!a->wrong && n > a->left / size) cb_archive_fail(a, "ends too soon");
  return !a->wrong;
}

static uint64_t next_bits(cb_archive *a, int bytes) {
  uint64_t v = 0;
  for (int k = 0; k < bytes; k++) v |= (uint64_t)a->at[k] << 8 * k;
  a->at += bytes;
  a->left -= (size_t)bytes;
  return v;
}

void cb_archive_f64(cb_archive *a, double *value, size_t n, double most) {
  if (a->out) cb_bytes_f64(a->out, value, n);
  if (a->out || !has_bytes(a, n, 8)) return;
  for (size_t i = 0; i < n && !a->wrong; i++) {
    const uint64_t bits = next_bits(a, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    if (isfinite(v) && fabs(v) <= most)
      value[i] = v;
    else
      cb_archive_fail(a, "holds a number that no such state can have");
  }
}

void cb_archive_f32(cb_archive *a, float *value, size_t n, float most) {
  for (size_t i = 0; i < n; i++) {
    double wide = (double)value[i];
    cb_archive_f64(a, &wide, 1, (double)most);
    if (cb_archive_good(a)) value[i] = (float)wide;
  }
}

void cb_archive_int(cb_archive *a, int *value, size_t n, int low, int high) {
  if (a->out) cb_bytes_i32(a->out, value, n);
  if (a->out || !has_bytes(a, n, 4)) return;
  for (size_t i = 0; i < n && !a->wrong; i++) {
    const int64_t v = (int32_t)(uint32_t)next_bits(a, 4);
    if (v >= low && v <= high)
      value[i] = (int)v;
    else
      cb_archive_fail(a, "holds a number that no such state can have");
  }
}

void cb_archive_long(cb_archive *a, long *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a->out)
      cb_bytes_u64(a->out, (uint64_t)value[i]);
    else if (has_bytes(a, 1, 8))
      value[i] = (long)(int64_t)next_bits(a, 8);
  }
}

void cb_archive_bool(cb_archive *a, bool *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int whole = value[i];
    cb_archive_int(a, &whole, 1, 0, 1);
    if (cb_archive_good(a)) value[i] = whole != 0;
  }
}
