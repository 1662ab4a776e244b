#include "sim_archive.h"

#include <limits.h>
#include <math.h>
#include <string.h>

sim_archive sim_archive_writer(sim_bytes *out) { return (sim_archive){.out = out}; }
sim_archive sim_archive_reader(const unsigned char *data, size_t n) {
  return (sim_archive){.at = data, .left = n};
}
bool sim_archive_reads(const sim_archive *a) { return a->out == NULL; }
bool sim_archive_good(const sim_archive *a) { return a->out == NULL && a->wrong == NULL; }

void sim_archive_fail(sim_archive *a, const char *wrong) {
  if (a->wrong == NULL) a->wrong = wrong;
}

/* Are there n items of that size? */
static bool has_bytes(sim_archive *a, size_t n, size_t size) {
  if (a->wrong == NULL && n > a->left / size) sim_archive_fail(a, "ends too soon");
  return a->wrong == NULL;
}

static uint64_t next_bits(sim_archive *a, int bytes) {
  uint64_t v = 0;
  for (int k = 0; k < bytes; k++) v |= (uint64_t)a->at[k] << 8 * k;
  a->at += bytes;
  a->left -= (size_t)bytes;
  return v;
}

void sim_archive_f64(sim_archive *a, double *value, size_t n, double most) {
  if (a->out != NULL) sim_bytes_f64(a->out, value, n);
  if (a->out != NULL || !has_bytes(a, n, 8)) return;
  for (size_t i = 0; i < n && a->wrong == NULL; i++) {
    const uint64_t bits = next_bits(a, 8);
    double v;
    memcpy(&v, &bits, sizeof v);
    if (isfinite(v) && fabs(v) <= most)
      value[i] = v;
    else
      sim_archive_fail(a, "holds a number that no such state can have");
  }
}

void sim_archive_f32(sim_archive *a, float *value, size_t n, float most) {
  for (size_t i = 0; i < n; i++) {
    double wide = (double)value[i];
    sim_archive_f64(a, &wide, 1, (double)most);
    if (sim_archive_good(a)) value[i] = (float)wide;
  }
}

void sim_archive_int(sim_archive *a, int *value, size_t n, int low, int high) {
  if (a->out != NULL) sim_bytes_i32(a->out, value, n);
  if (a->out != NULL || !has_bytes(a, n, 4)) return;
  for (size_t i = 0; i < n && a->wrong == NULL; i++) {
    const int64_t v = (int32_t)(uint32_t)next_bits(a, 4);
    if (v >= low && v <= high)
      value[i] = (int)v;
    else
      sim_archive_fail(a, "holds a number that no such state can have");
  }
}

void sim_archive_long(sim_archive *a, long *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a->out != NULL)
      sim_bytes_u64(a->out, (uint64_t)value[i]);
    else if (has_bytes(a, 1, 8))
      value[i] = (long)(int64_t)next_bits(a, 8);
  }
}

void sim_archive_bool(sim_archive *a, bool *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int whole = value[i];
    sim_archive_int(a, &whole, 1, 0, 1);
    if (sim_archive_good(a)) value[i] = whole != 0;
  }
}
