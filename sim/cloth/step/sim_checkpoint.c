/* The state of a cloth as bytes and as a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim_cloth_impl.h"
#include "sim_cloth_room.h"

#define VERSION 4
#define HEAD 28 /* bytes before the state */
#define PER_VERTEX (12 * 8 + SIM_CONTACTS_EACH * (2 * 4 + 8))
#define PER_BODY (4 + 16 * 8)

static const unsigned char magic[8] = "CBCLOTH";

/* ---- identity: FNV-1a, 64 bit (Fowler, Noll, Vo), over numbers as they are in a file ---- */

typedef struct hash {
  uint64_t value;
} hash;

static void mix_bits(hash *h, uint64_t bits) {
  for (int k = 0; k < 8; k++) h->value = (h->value ^ (bits >> 8 * k & 0xFF)) * 0x100000001B3U;
}

static void mix_doubles(hash *h, const double *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    mix_bits(h, bits);
  }
}

static void mix_curve(hash *h, const sim_curve *c) {
  mix_bits(h, (uint64_t)c->n);
  mix_doubles(h, c->strain, (size_t)c->n);
  mix_doubles(h, c->stress_N_per_m, (size_t)c->n);
}

static uint64_t hash_of(const sim_cloth_setup *s) {
  hash h = {0xCBF29CE484222325U};
  const sim_mesh *m = s->mesh;
  const sim_material *a = s->material;
  mix_doubles(&h, &m->position_m[0][0], 3 * (size_t)m->n_vertices);
  mix_doubles(&h, &m->corner_m[0][0][0], 6 * (size_t)m->n_triangles);
  for (int i = 0; i < 3 * m->n_triangles; i++) mix_bits(&h, (uint64_t)m->triangle[i / 3][i % 3]);
  const double numbers[] = {a->areal_density_kg_per_m2, a->thickness_m,       a->compression_Pa,
                            a->cross_N_per_m,           a->damping_s,         a->drag_per_s,
                            s->settle_m_per_s,          s->contact_tolerance, s->solve_tolerance};
  mix_doubles(&h, numbers, sizeof numbers / sizeof *numbers);
  mix_doubles(&h, &a->bending_Nm[0][0], 9);
  if (a->bending_friction_N[0] > 0 || a->bending_friction_N[1] > 0) {
    mix_doubles(&h, a->bending_friction_N, 2);
    mix_doubles(&h, &a->bending_friction_onset_per_m, 1);
  }
  mix_curve(&h, &a->warp);
  mix_curve(&h, &a->weft);
  mix_curve(&h, &a->shear);
  mix_doubles(&h, s->gravity_m_per_s2, 3);
  for (int i = 0; s->gripped && i < m->n_vertices; i++) mix_bits(&h, s->gripped[i]);
  if (s->load_kg) mix_doubles(&h, s->load_kg, (size_t)m->n_vertices);
  for (int t = 0; t < s->n_tethers; t++) {
    mix_doubles(&h, s->tethers[t].direction, 3);
    mix_doubles(&h, s->tethers[t].share, (size_t)m->n_vertices);
    mix_doubles(&h, &s->tethers[t].stiffness_N_per_m, 1);
    mix_doubles(&h, &s->tethers[t].damping_Ns_per_m, 1);
  }
  if (s->rest_per_m) mix_doubles(&h, &s->rest_per_m[0][0], 3 * (size_t)m->n_triangles);
  const double own[] = {s->self_friction.mu_kinetic, s->self_friction.mu_static};
  mix_doubles(&h, own, 2);
  const int method[] = {(int)s->scheme, s->self_collision, s->iterations, s->contact_iterations,
                        s->solve_iterations};
  for (size_t k = 0; k < sizeof method / sizeof *method; k++) mix_bits(&h, (uint64_t)method[k]);
  return h.value;
}

/* Number of sliders of a cloth. */
static size_t n_slips(const sim_cloth *c) {
  return !c->bending_friction.mesh ? 0 : 2 * (size_t)c->setup.mesh->n_triangles;
}

/* ---- writing ---- */

static void put_body(cb_bytes *b, const sim_body *body) {
  cb_bytes_u32(b, (uint32_t)body->shape);
  cb_bytes_f64(b, body->origin_m, 3);
  cb_bytes_f64(b, body->axis, 3);
  cb_bytes_f64(b, &body->radius_m, 1);
  cb_bytes_f64(b, body->turned_rad, 3);
  cb_bytes_f64(b, body->velocity_m_per_s, 3);
  cb_bytes_f64(b, body->spin_rad_per_s, 3);
}

static void put_state(cb_bytes *b, const sim_cloth *c) {
  size_t n = 3 * (size_t)c->now.n;
  cb_bytes_f64(b, &c->time_s, 1);
  cb_bytes_f64(b, &c->previous_dt_s, 1);
  const double ledger[] = {c->ledger.friction, c->ledger.damping, c->ledger.supports};
  cb_bytes_f64(b, ledger, 3);
  cb_bytes_f64(b, &c->now.x[0][0], n);
  cb_bytes_f64(b, &c->now.v[0][0], n);
  cb_bytes_f64(b, &c->x_before[0][0], n);
  cb_bytes_f64(b, &c->v_before[0][0], n);
  for (int i = 0; i < SIM_CONTACTS_EACH * c->now.n; i++) {
    const sim_contact_memory *m =
        &sim_contacts_memory(c->contacts)[i / SIM_CONTACTS_EACH][i % SIM_CONTACTS_EACH];
    cb_bytes_i32(b, &m->body, 1);
    cb_bytes_u32(b, (uint32_t)m->hold);
    cb_bytes_f64(b, &m->normal_N, 1);
  }
  for (int k = 0; k < c->setup.n_bodies; k++) put_body(b, &sim_cloth_bodies(c)[k]);
  for (int k = 0; k < c->setup.n_tethers; k++) {
    cb_bytes_f64(b, &sim_cloth_tethers(c)[k].anchor_m, 1);
    cb_bytes_f64(b, &sim_cloth_tethers(c)[k].anchor_m_per_s, 1);
  }
  if (c->setup.n_tethers > 0) cb_bytes_f64(b, &sim_tethers_tied(c->tethers)[0][0], n);
  if (n_slips(c) > 0) cb_bytes_f64(b, &c->bending_friction.slip_per_m[0][0], n_slips(c));
  cb_archive near = cb_archive_writer(b);
  if (c->self_contacts && sim_cloth_self_archive(c->self_contacts, c->now.n, &near, NULL) != CB_OK)
    b->failed = true;
}

void sim_cloth_checkpoint(const sim_cloth *c, cb_bytes *b) {
  cb_bytes_put(b, magic, sizeof magic);
  cb_bytes_u32(b, VERSION);
  cb_bytes_u64(b, hash_of(&c->setup));
  cb_bytes_u32(b, (uint32_t)c->now.n);
  cb_bytes_u32(b, (uint32_t)c->setup.n_bodies);
  put_state(b, c);
  if (!b->failed) cb_bytes_u32(b, (uint32_t)crc32_z(crc32_z(0, NULL, 0), b->data, b->n));
}

cb_status sim_cloth_archive(sim_cloth *c, cb_archive *a, cb_err *err) {
  cb_bytes b = {0};
  cb_status st = CB_OK;
  long n = 0;
  if (cb_archive_reads(a)) {
    cb_archive_long(a, &n, 1);
    if (!a->wrong && (n < 0 || (size_t)n > a->left)) cb_archive_fail(a, "ends too soon");
    if (a->wrong) return CB_OK;
    st = sim_cloth_restore(c, a->at, (size_t)n, "cloth", err);
    a->at += n;
    a->left -= (size_t)n;
    return st;
  }
  sim_cloth_checkpoint(c, &b);
  n = (long)b.n;
  cb_archive_long(a, &n, 1);
  cb_bytes_put(a->out, b.data, b.n);
  a->out->failed = a->out->failed || b.failed;
  cb_bytes_clear(&b);
  return st;
}

/* ---- reading ---- */

typedef struct reader {
  const unsigned char *at;
  bool finite;
} reader;

static uint64_t take_bytes(reader *r, int bytes) {
  uint64_t v = 0;
  for (int k = 0; k < bytes; k++) v |= (uint64_t)r->at[k] << 8 * k;
  r->at += bytes;
  return v;
}

static void take_doubles(reader *r, double *out, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint64_t bits = take_bytes(r, 8);
    memcpy(&out[i], &bits, sizeof bits);
    if (!isfinite(out[i])) r->finite = false;
  }
}

static bool take_body(reader *r, sim_body *body) {
  bool same = take_bytes(r, 4) == (uint64_t)body->shape;
  take_doubles(r, body->origin_m, 3);
  take_doubles(r, body->axis, 3);
  take_doubles(r, &body->radius_m, 1);
  take_doubles(r, body->turned_rad, 3);
  take_doubles(r, body->velocity_m_per_s, 3);
  take_doubles(r, body->spin_rad_per_s, 3);
  return same;
}

static bool take_memory(reader *r, int n_bodies, sim_contact_memory *m) {
  int64_t body = (int32_t)(uint32_t)take_bytes(r, 4);
  uint64_t hold = take_bytes(r, 4);
  take_doubles(r, &m->normal_N, 1);
  m->body = (int)body;
  m->hold = (sim_hold)hold;
  return body >= -1 && body < n_bodies && hold <= SIM_HOLDS;
}

/* A state that is read before the cloth adopts it, so that a bad file changes nothing. */
typedef struct state {
  double time[2], ledger[3], (*triple[5])[3]; /* x, v, both of the previous step, and where the tethers are
                                                 tied */
  sim_contact_memory (*memory)[SIM_CONTACTS_EACH];
  sim_body *bodies;
  sim_tether *tethers;
  double *slip_per_m;
} state;

static void state_clear(state *s) {
  for (int k = 0; k < 5; k++) free(s->triple[k]);
  free(s->memory);
  free(s->bodies);
  free(s->tethers);
  free(s->slip_per_m);
}

static cb_status state_init(const sim_cloth *c, state *s, const char *name, cb_err *err) {
  size_t n = (size_t)c->now.n, nb = (size_t)c->setup.n_bodies, nt = (size_t)c->setup.n_tethers;
  *s = (state){.memory = malloc(n * sizeof *s->memory),
               .bodies = malloc((nb + 1) * sizeof *s->bodies),
               .tethers = malloc((nt + 1) * sizeof *s->tethers),
               .slip_per_m = malloc((n_slips(c) + 1) * sizeof *s->slip_per_m)};
  bool all = s->memory && s->bodies && s->tethers && s->slip_per_m;
  for (int k = 0; k < 5; k++) {
    s->triple[k] = malloc(n * sizeof *s->triple[k]);
    all = all && s->triple[k];
  }
  if (!all) return cb_no_memory(err, "%s, %d vertices", name, c->now.n);
  memcpy(s->bodies, sim_cloth_bodies(c), nb * sizeof *s->bodies);
  memcpy(s->tethers, sim_cloth_tethers(c), nt * sizeof *s->tethers);
  return CB_OK;
}

static cb_status take_state(const sim_cloth *c, reader *r, state *s, const char *name, cb_err *err) {
  take_doubles(r, s->time, 2);
  take_doubles(r, s->ledger, 3);
  for (int k = 0; k < 4; k++) take_doubles(r, &s->triple[k][0][0], 3 * (size_t)c->now.n);
  for (int i = 0; i < SIM_CONTACTS_EACH * c->now.n; i++) {
    sim_contact_memory *m = &s->memory[i / SIM_CONTACTS_EACH][i % SIM_CONTACTS_EACH];
    if (!take_memory(r, c->setup.n_bodies, m))
      return cb_fail(err, CB_E_PARSE, "%s: vertex %d touches body %lld in state %d: there is none", name,
                     i / SIM_CONTACTS_EACH, (long long)m->body + 1, (int)m->hold);
  }
  for (int b = 0; b < c->setup.n_bodies; b++) {
    if (!take_body(r, &s->bodies[b]))
      return cb_fail(err, CB_E_PARSE, "%s: body %d is no %s there: the same scene was wanted", name, b + 1,
                     sim_shape_names[sim_cloth_bodies(c)[b].shape]);
    if (r->finite && sim_body_check(&s->bodies[b], err) != CB_OK)
      return cb_fail_in(err, CB_E_PARSE, "%s: body %d", name, b + 1);
  }
  for (int t = 0; t < c->setup.n_tethers; t++) {
    take_doubles(r, &s->tethers[t].anchor_m, 1);
    take_doubles(r, &s->tethers[t].anchor_m_per_s, 1);
  }
  if (c->setup.n_tethers > 0) take_doubles(r, &s->triple[4][0][0], 3 * (size_t)c->now.n);
  take_doubles(r, s->slip_per_m, n_slips(c));
  if (r->finite && s->time[0] >= 0 && s->time[1] >= 0) return CB_OK;
  return cb_fail(err, CB_E_PARSE, "%s: holds a number that is not finite, or a time below 0", name);
}

static void adopt_state(sim_cloth *c, const state *s) {
  double(*const to[])[3] = {c->now.x, c->now.v, c->x_before, c->v_before};
  for (int k = 0; k < 4; k++) memcpy(to[k], s->triple[k], (size_t)c->now.n * sizeof *to[k]);
  memcpy(sim_contacts_memory(c->contacts), s->memory, (size_t)c->now.n * sizeof *s->memory);
  if (c->setup.n_bodies > 0)
    memcpy(sim_cloth_bodies(c), s->bodies, (size_t)c->setup.n_bodies * sizeof *s->bodies);
  if (c->setup.n_tethers > 0) {
    memcpy(sim_cloth_tethers(c), s->tethers, (size_t)c->setup.n_tethers * sizeof *s->tethers);
    memcpy(sim_tethers_tied(c->tethers), s->triple[4], (size_t)c->now.n * sizeof *s->triple[4]);
  }
  if (n_slips(c) > 0)
    memcpy(c->bending_friction.slip_per_m, s->slip_per_m, n_slips(c) * sizeof *s->slip_per_m);
  c->time_s = s->time[0];
  c->previous_dt_s = s->time[1];
  c->ledger =
      (sim_cloth_energies){.friction = s->ledger[0], .damping = s->ledger[1], .supports = s->ledger[2]};
}

static cb_status check_head(const sim_cloth *c, reader *r, const unsigned char *data, size_t n,
                            const char *name, cb_err *err) {
  if (n < HEAD + 4 || memcmp(data, magic, sizeof magic) != 0)
    return cb_fail(err, CB_E_PARSE, "%s: is no checkpoint of a cloth", name);
  r->at = data + sizeof magic;
  uint64_t version = take_bytes(r, 4), of = take_bytes(r, 8), vertices = take_bytes(r, 4),
           bodies = take_bytes(r, 4);
  reader end = {data + n - 4, true};
  if (version != VERSION)
    return cb_fail(err, CB_E_PARSE, "%s: version %llu: %d was wanted", name, (unsigned long long)version,
                   VERSION);
  if (take_bytes(&end, 4) != crc32_z(crc32_z(0, NULL, 0), data, n - 4))
    return cb_fail(err, CB_E_PARSE, "%s: is damaged or cut short: its check sum does not agree", name);
  if (vertices != (uint64_t)c->now.n || of != hash_of(&c->setup))
    return cb_fail(err, CB_E_RANGE,
                   "%s: belongs to another cloth, of %llu vertices: the same mesh, material, grips and "
                   "method were wanted",
                   name, (unsigned long long)vertices);
  if (bodies != (uint64_t)c->setup.n_bodies)
    return cb_fail(err, CB_E_RANGE, "%s: has %llu bodies: %d were wanted", name, (unsigned long long)bodies,
                   c->setup.n_bodies);
  size_t tethers = (size_t)c->setup.n_tethers, tied = tethers > 0 ? 24 * (size_t)vertices : 0;
  size_t fixed = HEAD + 40 + (size_t)vertices * PER_VERTEX + (size_t)bodies * PER_BODY + 16 * tethers + tied +
                 8 * n_slips(c) + 4;
  if (n < fixed || (n > fixed && !c->self_contacts))
    return cb_fail(err, CB_E_PARSE, "%s: %zu bytes do not fit %llu vertices", name, n,
                   (unsigned long long)vertices);
  return CB_OK;
}

/* Reads the last part. Errors within it change nothing; bytes behind its end are noticed only after its
 * places were adopted. */
static cb_status take_near_places(sim_cloth *c, const unsigned char *from, const unsigned char *end,
                                  const char *name, cb_err *err) {
  cb_archive a = cb_archive_reader(from, (size_t)(end - from));
  if (!c->self_contacts) return CB_OK;
  CB_TRY(sim_cloth_self_archive(c->self_contacts, c->now.n, &a, err));
  if (!a.wrong && a.left > 0) cb_archive_fail(&a, "goes on behind its end");
  return !a.wrong ? CB_OK : cb_fail(err, CB_E_PARSE, "%s: near places: %s", name, a.wrong);
}

cb_status sim_cloth_restore(sim_cloth *c, const unsigned char *data, size_t n, const char *name,
                            cb_err *err) {
  reader r = {data, true};
  state s;
  CB_TRY(check_head(c, &r, data, n, name, err));
  cb_status st = state_init(c, &s, name, err);
  if (st == CB_OK) st = take_state(c, &r, &s, name, err);
  if (st == CB_OK) st = take_near_places(c, r.at, data + n - 4, name, err);
  if (st == CB_OK) adopt_state(c, &s);
  state_clear(&s);
  return st;
}
