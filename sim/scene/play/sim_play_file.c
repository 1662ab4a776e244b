/* The state of a scene as a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cb_bytes.h"
#include "cb_file.h"
#include "sim_play_impl.h"

#define VERSION 4
#define HEAD 28 /* bytes before the cloth's checkpoint */
#define MAX_BYTES ((size_t)1 << 34)

static const unsigned char magic[8] = "CBTHREE";

/* ---- which layers: FNV-1a, 64 bit, over numbers as they lie in a file ---- */

static void mix(uint64_t *h, uint64_t bits) {
  for (int k = 0; k < 8; k++) *h = (*h ^ (bits >> 8 * k & 0xFF)) * 0x100000001B3U;
}

static void mix_doubles(uint64_t *h, const double *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    mix(h, bits);
  }
}

static void mix_elastic(uint64_t *h, const sim_elastic_setup *e) {
  if (e->tets == NULL) return;
  const double number[] = {e->density_kg_per_m3, e->young_Pa, e->poisson, e->damping_s, e->drag_per_s, e->tolerance};
  mix_doubles(h, number, sizeof number / sizeof *number);
  mix_doubles(h, &e->tets->position_m[0][0], 3 * (size_t)e->tets->n_vertices);
  for (int i = 0; i < 4 * e->tets->n_tets; i++) mix(h, (uint64_t)e->tets->tet[i / 4][i % 4]);
}

/* Laws are the caller's to keep. */
static void mix_body(uint64_t *h, const sim_three_body *b) {
  const double number[] = {b->buffer.thickness_m,
                           b->buffer.skin_m,
                           b->buffer.friction.mu_kinetic,
                           b->buffer.friction.mu_static,
                           b->friction.mu_kinetic,
                           b->air.ambient_Pa,
                           b->air.flow_m_per_s,
                           b->air.kappa_m_per_s,
                           b->air.kappa_at_Pa,
                           b->air.tolerance,
                           b->air_gap_most_m,
                           b->air_Pa};
  const int whole[] = {b->first_vertex, b->n_vertices, b->buffer.rounds, b->has_air, b->air.open_border, (int)b->air.solver};
  mix_doubles(h, number, sizeof number / sizeof *number);
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) mix(h, (uint64_t)whole[k]);
  mix_elastic(h, &b->elastic);
  for (int i = 0; i < 3 * b->surface_triangles; i++) mix(h, (uint64_t)b->surface_triangle[i / 3][i % 3]);
  if (b->surface_m != NULL) mix_doubles(h, &b->surface_m[0][0], 3 * (size_t)b->surface_vertices);
}

static uint64_t hash_of(const sim_play *p) {
  uint64_t h = 0xCBF29CE484222325U;
  mix_doubles(&h, p->scene->wind_m_per_s, 3);
  for (int k = 0; k < p->scene->n_layers; k++) mix_body(&h, &p->layer[k]);
  return h;
}

/* What there is beyond the cloth. */
static size_t rest_bytes(const sim_play *p) { return sim_three_state_bytes(p->three) - sim_cloth_state_bytes(p->cloth); }

/* ---- writing ---- */

static cb_status put_rest(const sim_play *p, cb_bytes *b, cb_err *err) {
  unsigned char *all = malloc(sim_three_state_bytes(p->three));
  if (all == NULL) return cb_fail(err, CB_E_NOMEM, "%s: out of memory for its state", p->scene->name);
  sim_three_state_take(p->three, all);
  cb_bytes_put(b, all + sim_cloth_state_bytes(p->cloth), rest_bytes(p));
  free(all);
  return CB_OK;
}

cb_status sim_play_save(const sim_play *p, const char *path, cb_err *err) {
  if (p->three == NULL) return sim_cloth_save(p->cloth, path, err);
  cb_bytes b = {0}, cloth = {0};
  sim_cloth_checkpoint(p->cloth, &cloth);
  cb_bytes_put(&b, magic, sizeof magic);
  cb_bytes_u32(&b, VERSION);
  cb_bytes_u64(&b, hash_of(p));
  cb_bytes_u64(&b, cloth.n);
  cb_bytes_put(&b, cloth.data, cloth.n);
  b.failed = b.failed || cloth.failed;
  cb_status st = put_rest(p, &b, err);
  if (st == CB_OK && !b.failed) cb_bytes_u32(&b, (uint32_t)crc32_z(crc32_z(0, NULL, 0), b.data, b.n));
  if (st == CB_OK) st = cb_bytes_write(&b, path, err);
  cb_bytes_clear(&cloth);
  cb_bytes_clear(&b);
  return st;
}

/* ---- reading ---- */

static uint64_t take(const unsigned char *at, int bytes) {
  uint64_t v = 0;
  for (int k = 0; k < bytes; k++) v |= (uint64_t)at[k] << 8 * k;
  return v;
}

static cb_status check_head(const sim_play *p, const unsigned char *data, size_t n, const char *name, cb_err *err) {
  if (n < HEAD + 4 || memcmp(data, magic, sizeof magic) != 0)
    return cb_fail(err, CB_E_PARSE, "%s: is no checkpoint of a scene with layers", name);
  uint64_t version = take(data + 8, 4), cloth = take(data + 20, 8);
  if (version != VERSION) return cb_fail(err, CB_E_PARSE, "%s: version %llu: %d was wanted", name, (unsigned long long)version, VERSION);
  if (take(data + n - 4, 4) != crc32_z(crc32_z(0, NULL, 0), data, n - 4))
    return cb_fail(err, CB_E_PARSE, "%s: is damaged or cut short: its check sum does not agree", name);
  if (take(data + 12, 8) != hash_of(p))
    return cb_fail(err, CB_E_RANGE, "%s: belongs to a scene with other layers: the same bodies, cases and air were wanted", name);
  if (cloth > n - HEAD - 4 || n - HEAD - 4 - cloth != rest_bytes(p))
    return cb_fail(err, CB_E_PARSE, "%s: %zu bytes do not fit the layers", name, n);
  return CB_OK;
}

static bool all_finite(const double *value, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(value[i])) return false;
  return true;
}

static bool feet_fit(const sim_play *p, int k) {
  const sim_foot *foot = sim_three_foot(p->three, k);
  for (int i = 0; i < p->made[k].n_met; i++)
    if (foot[i].triangle < 0 || foot[i].triangle >= sim_three_hull(p->three, k)->n_triangles || !all_finite(foot[i].weight, 3) ||
        !isfinite(foot[i].distance_m))
      return false;
  return true;
}

static cb_status check_layers(const sim_play *p, const char *name, cb_err *err) {
  for (int k = 0; k < p->scene->n_layers; k++) {
    sim_play_layer l = sim_play_layer_of(p, k);
    sim_air *air = sim_three_air(p->three, k);
    size_t n = 3 * (size_t)l.n_vertices;
    if (!feet_fit(p, k) || !all_finite(&l.position_m[0][0], n) || !all_finite(&l.velocity_m_per_s[0][0], n) ||
        (air && !all_finite(sim_air_amount_J(air), (size_t)l.n_met)))
      return cb_fail(err, CB_E_PARSE, "%s: layer %d: holds a number that it cannot have", name, k + 1);
  }
  return CB_OK;
}

/* before, all: state_bytes each. */
static cb_status restore(sim_play *p, const unsigned char *data, const char *name, unsigned char *before, unsigned char *all, cb_err *err) {
  size_t cloth = (size_t)take(data + 20, 8);
  sim_three_state_take(p->three, before);
  CB_TRY(sim_cloth_restore(p->cloth, data + HEAD, cloth, name, err));
  sim_three_state_take(p->three, all);
  memcpy(all + sim_cloth_state_bytes(p->cloth), data + HEAD + cloth, rest_bytes(p));
  sim_three_state_give(p->three, all);
  cb_status st = check_layers(p, name, err);
  if (st != CB_OK) sim_three_state_give(p->three, before);
  return st;
}

cb_status sim_play_restore(sim_play *p, const unsigned char *data, size_t n, const char *name, cb_err *err) {
  p->watched = false;
  if (p->three == NULL) return sim_cloth_restore(p->cloth, data, n, name, err);
  CB_TRY(check_head(p, data, n, name, err));
  unsigned char *before = malloc(sim_three_state_bytes(p->three)), *all = malloc(sim_three_state_bytes(p->three));
  cb_status st = before && all ? CB_OK : cb_fail(err, CB_E_NOMEM, "%s: out of memory", name);
  if (st == CB_OK) st = restore(p, data, name, before, all, err);
  free(before);
  free(all);
  return st;
}

cb_status sim_play_load(sim_play *p, const char *path, cb_err *err) {
  char *data;
  size_t n;
  CB_TRY(cb_file_read(path, MAX_BYTES, &data, &n, err));
  cb_status st = sim_play_restore(p, (const unsigned char *)data, n, path, err);
  free(data);
  return st;
}
