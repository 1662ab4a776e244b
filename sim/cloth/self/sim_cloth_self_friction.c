/* Friction of layers of a cloth.
 *
 * Radial return (J. C. Simo, T. J. R. Hughes, Computational Inelasticity, Springer 1998, ch. 1): a pair pulls
 * with the force that it ended the previous step with, and with a stiff spring against further slip, up to
 * static friction. Beyond, it slides under kinetic friction. In the matrix a sliding pair is a dashpot of the
 * slip before the solve, which cannot turn a motion round. By how much the solved slip and normal force make
 * it wrong is the friction residual. Where it is much, the step is solved again. What is left acts as a force
 * in the next step, so that friction is right on the mean. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "sim_cloth_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

/* A pair that holds gives way by this much until it slides: far less than cloth gives, far more than
 * rounding. */
#define PRESLIDING_M 5e-7
/* Upper bound of the spring of a holding pair, in the contact's mass per step squared, as of contact springs.
 * At 1000 a bed takes twice the iterations. */
#define HOLD_MOST 1e2

/* ---- the memory ---- */

static unsigned hash_of(sim_pair pair, const int vertex[4]) {
  uint32_t h = 2166136261u ^ (uint32_t)pair;
  for (int i = 0; i < 4; i++) h = (h ^ (uint32_t)vertex[i]) * 16777619u;
  return h ^ (h >> 15);
}

static cb_status make_table(sim_cloth_self *l, cb_err *err) {
  const sim_self_memory *m = &l->memory;
  int n = 16;
  while (n < 2 * m->n_holds) n *= 2;
  int *slot = cb_array_grow(l->slot, &l->slot_capacity, (size_t)n, sizeof *slot);
  if (!slot) return cb_no_memory(err, "friction of %d pairs of the cloth", m->n_holds);
  l->slot = slot;
  l->n_slots = n;
  for (int i = 0; i < n; i++) slot[i] = -1;
  for (int i = 0; i < m->n_holds; i++) {
    unsigned at = hash_of(m->hold[i].pair, m->hold[i].vertex) & (unsigned)(n - 1);
    while (slot[at] >= 0) at = (at + 1) & (unsigned)(n - 1);
    slot[at] = i;
  }
  return CB_OK;
}

static const sim_self_hold *find_hold(const sim_cloth_self *l, const sim_self_contact *k) {
  const unsigned mask = (unsigned)(l->n_slots - 1);
  for (unsigned at = hash_of(k->pair, k->vertex) & mask; l->slot[at] >= 0; at = (at + 1) & mask) {
    const sim_self_hold *h = &l->memory.hold[l->slot[at]];
    if (h->pair == k->pair && memcmp(h->vertex, k->vertex, sizeof h->vertex) == 0) return h;
  }
  return NULL;
}

static void to_plane(double v[3], const double normal[3]) { sim_add(v, -sim_dot(v, normal), normal); }

cb_status sim_self_friction_begin(sim_cloth_self *l, cb_err *err) {
  sim_self_rub *rub = cb_array_grow(l->rub, &l->rub_capacity, (size_t)l->n_contacts + 1, sizeof *rub);
  if (!rub) return cb_no_memory(err, "friction of %d pairs of the cloth", l->n_contacts);
  l->rub = rub;
  CB_TRY(make_table(l, err));
  for (int j = 0; j < l->n_contacts; j++) {
    const sim_self_hold *h = find_hold(l, &l->contact[j]);
    rub[j] = (sim_self_rub){.holds = false};
    if (!h) continue;
    memcpy(rub[j].held_N, h->held_N, sizeof rub[j].held_N);
    to_plane(rub[j].held_N, l->contact[j].normal);
    rub[j].normal_N = h->normal_N;
  }
  return CB_OK;
}

/* ---- in a solve ---- */

/* Kinetic and static friction of a pair that slides along `direction`. */
static sim_friction_force friction_N(const sim_cloth_self *l, const sim_stage *s, const sim_self_contact *k,
                                     const double direction[3], double normal_N, bool *outside) {
  const cb_self_friction_law *law = s->setup->self_law;
  double in_cloth[2][2];
  for (int side = 0; side < 2; side++) {
    double to_cloth[2][3], length;
    sim_self_to_cloth(l->self, (const sim_vec3 *)s->x, k->triangle[side], to_cloth);
    for (int d = 0; d < 2; d++) in_cloth[side][d] = sim_dot(to_cloth[d], direction);
    length = hypot(in_cloth[side][0], in_cloth[side][1]);
    for (int d = 0; d < 2; d++) in_cloth[side][d] = length > 0 ? in_cloth[side][d] / length : d == 0;
  }
  if (!law) return sim_friction_eval(&s->setup->self_friction, in_cloth[0], normal_N, k->area_m2);
  const double scale = law->contact_area_m2 / k->area_m2, on_rig_N = normal_N * scale;
  *outside = on_rig_N < law->min_N || on_rig_N > law->max_N;
  const double kinetic_N = cb_self_friction_force_N(law, in_cloth[0], in_cloth[1], on_rig_N) / scale;
  return (sim_friction_force){.kinetic_N = kinetic_N, .static_N = kinetic_N};
}

void sim_self_friction_add_residual(const sim_cloth_self *l, const sim_stage *s) {
  if (!l->memory.any_residual) return;
  for (int i = 0; i < s->n; i++) sim_add(s->residual[i], s->gamma_s, l->memory.residual_N[i]);
}

/* Two unit directions of the contact's plane, the first along `along`, unless that is 0. */
static void directions(const sim_self_contact *k, const double along[3], double out[2][3]) {
  const double size = sim_norm(along);
  double axis[3] = {0, 0, 0};
  int least = 0;
  for (int d = 1; d < 3; d++)
    if (fabs(k->normal[d]) < fabs(k->normal[least])) least = d;
  axis[least] = 1;
  if (size > 0)
    for (int d = 0; d < 3; d++) out[0][d] = along[d] / size;
  else
    sim_cross(k->normal, axis, out[0]);
  const double length = sim_norm(out[0]);
  for (int d = 0; d < 3; d++) out[0][d] /= length;
  sim_cross(k->normal, out[0], out[1]);
}

/* asked: what the pair would pull with if it held all the way. */
static void choose_pull(sim_self_rub *r, const sim_friction_force *f, double hold_N_per_m) {
  double asked[3];
  const double slip = sim_norm(r->slip_m);
  for (int d = 0; d < 3; d++) asked[d] = r->held_N[d] + hold_N_per_m * r->slip_m[d];
  const double size = sim_norm(asked);
  r->holds = size <= f->static_N || slip * hold_N_per_m <= f->kinetic_N;
  r->stiffness_N_per_m = r->holds ? hold_N_per_m : f->kinetic_N / slip;
  for (int d = 0; d < 3; d++)
    r->pull_N[d] = r->holds ? asked[d] * (size > f->static_N ? f->kinetic_N / size : 1)
                            : f->kinetic_N * r->slip_m[d] / slip;
}

void sim_self_friction_add(sim_cloth_self *l, const sim_stage *s, int j, const double way_m[3],
                           double normal_N, double mass_kg) {
  const sim_self_contact *k = &l->contact[j];
  const double gamma = s->gamma_s;
  sim_self_rub *r = &l->rub[j];
  double plane[2][3];
  bool outside = false;
  memcpy(r->slip_m, way_m, sizeof r->slip_m);
  to_plane(r->slip_m, k->normal);
  directions(k, sim_norm(r->slip_m) > 0 ? r->slip_m : r->held_N, plane);
  if (r->normal_N > 0) normal_N = r->normal_N;
  const sim_friction_force f = friction_N(l, s, k, plane[0], normal_N, &outside);
  l->by_law += s->setup->self_law != NULL;
  l->extrapolated += outside;
  const double hold_N_per_m = fmin(f.static_N / PRESLIDING_M, HOLD_MOST * mass_kg / (gamma * gamma));
  if (!(hold_N_per_m > 0)) return;
  choose_pull(r, &f, hold_N_per_m);
  sim_cloth_self_push(s, k, -gamma, r->pull_N);
  for (int d = 0; d < 2; d++) sim_cloth_self_put_term(l, k, plane[d], gamma * gamma * r->stiffness_N_per_m);
}

/* ---- after the last solve ---- */

/* A pair as the last solve left it: its friction, the one that the solved slip and normal force call for, and
 * the latter force. */
typedef struct solved_pair {
  double pull_N[3], right_N[3], normal_N;
} solved_pair;

/* A pair that the solve pulled on counts as negative: the others press the more for it, and the sum is to be
 * right. */
static void find_right_pull(const sim_cloth_self *l, const sim_stage *s, int j, const double slip_m[3],
                            solved_pair *out) {
  const sim_self_rub *r = &l->rub[j];
  bool unused;
  const double *along = r->holds ? out->pull_N : slip_m, size = sim_norm(along);
  const sim_friction_force f = friction_N(l, s, &l->contact[j], along, fabs(out->normal_N), &unused);
  const double most = r->holds && size <= f.static_N && out->normal_N > 0 ? size : f.kinetic_N;
  for (int d = 0; d < 3; d++)
    out->right_N[d] = size > 0 ? along[d] * (out->normal_N > 0 ? most : -most) / size : 0;
}

/* Returns false for a pair without friction. */
static bool look_at_pair(const sim_cloth_self *l, const sim_stage *s, int j, solved_pair *out) {
  const sim_self_rub *r = &l->rub[j];
  double slip[3];
  if (!(r->stiffness_N_per_m > 0)) return false;
  sim_cloth_self_way(&l->contact[j], s, slip);
  out->normal_N = sim_cloth_self_normal_N(l, j, s, slip);
  to_plane(slip, l->contact[j].normal);
  for (int d = 0; d < 3; d++) out->pull_N[d] = r->pull_N[d] + r->stiffness_N_per_m * (slip[d] - r->slip_m[d]);
  find_right_pull(l, s, j, slip, out);
  return true;
}

double sim_self_friction_wrong_N(const sim_cloth_self *l, const sim_stage *s, int j, double *right_N) {
  solved_pair p;
  double over[3];
  if (!look_at_pair(l, s, j, &p)) return 0;
  sim_sub(p.pull_N, p.right_N, over);
  *right_N += sim_norm(p.right_N);
  return sim_norm(over);
}

/* By how much the pull of the solve was too large; bounded, for impacts. */
static void add_residual(sim_cloth_self *l, const sim_self_contact *k, const sim_self_rub *r,
                         const double solved_N[3], const double right_N[3]) {
  double over[3];
  sim_sub(solved_N, right_N, over);
  const double size = sim_norm(over), most = sim_norm(right_N) + sim_norm(r->pull_N),
               share = size > most ? most / size : 1;
  if (size == 0) return;
  l->memory.any_residual = true;
  for (int i = 0; i < 4; i++)
    if (k->weight[i] != 0) sim_add(l->memory.residual_N[k->vertex[i]], share * k->weight[i], over);
}

static void remember_pair(sim_cloth_self *l, const sim_stage *s, int j) {
  const sim_self_contact *k = &l->contact[j];
  solved_pair p;
  if (!look_at_pair(l, s, j, &p)) return;
  add_residual(l, k, &l->rub[j], p.pull_N, p.right_N);
  if (!(p.normal_N > 0)) return;
  sim_self_hold *h = &l->memory.hold[l->memory.n_holds++];
  *h = (sim_self_hold){.pair = k->pair, .normal_N = p.normal_N};
  memcpy(h->vertex, k->vertex, sizeof h->vertex);
  memcpy(h->held_N, p.right_N, sizeof p.right_N);
}

/* Room for n pairs, and for their copy. */
static cb_status make_room(sim_cloth_self *l, size_t n, cb_err *err) {
  sim_self_memory *const both[] = {&l->memory, &l->kept};
  for (int k = 0; k < 2; k++) {
    sim_self_hold *hold = cb_array_grow(both[k]->hold, &both[k]->capacity, n + 1, sizeof *hold);
    if (!hold) return cb_no_memory(err, "friction of %zu pairs of the cloth", n);
    both[k]->hold = hold;
  }
  return CB_OK;
}

static void forget(sim_self_memory *m, int n_vertices) {
  m->n_holds = 0;
  if (m->any_residual) memset(m->residual_N, 0, (size_t)n_vertices * sizeof *m->residual_N);
  m->any_residual = false;
}

cb_status sim_cloth_self_remember(sim_cloth_self *l, const sim_stage *s, cb_err *err) {
  CB_TRY(make_room(l, (size_t)l->n_contacts, err));
  forget(&l->memory, s->n);
  for (int j = 0; j < l->n_contacts; j++) remember_pair(l, s, j);
  return CB_OK;
}

/* ---- a copy ---- */

static void copy_memory(const sim_self_memory *from, sim_self_memory *to, int n_vertices) {
  forget(to, n_vertices);
  if (from->n_holds > 0) memcpy(to->hold, from->hold, (size_t)from->n_holds * sizeof *to->hold);
  to->n_holds = from->n_holds;
  to->any_residual = from->any_residual;
  if (to->any_residual) memcpy(to->residual_N, from->residual_N, (size_t)n_vertices * sizeof *to->residual_N);
}

void sim_cloth_self_keep(sim_cloth_self *l, int n_vertices) { copy_memory(&l->memory, &l->kept, n_vertices); }
void sim_cloth_self_return(sim_cloth_self *l, int n_vertices) {
  copy_memory(&l->kept, &l->memory, n_vertices);
}

/* ---- archive ---- */

static void archive_hold(cb_archive *a, int n_vertices, sim_self_hold *h) {
  int pair = (int)h->pair;
  cb_archive_int(a, &pair, 1, SIM_VERTEX_TRIANGLE, SIM_EDGE_EDGE);
  h->pair = (sim_pair)pair;
  cb_archive_int(a, h->vertex, 4, 0, n_vertices - 1);
  cb_archive_f64(a, h->held_N, 3, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &h->normal_N, 1, CB_ARCHIVE_FAR);
}

#define HOLD_BYTES 52

static cb_status read_holds(sim_cloth_self *l, int n, int n_vertices, cb_archive *a, cb_err *err) {
  if ((size_t)n > a->left / HOLD_BYTES) cb_archive_fail(a, "ends too soon");
  if (a->wrong) return CB_OK;
  CB_TRY(make_room(l, (size_t)n, err));
  forget(&l->memory, n_vertices);
  for (int i = 0; i < n; i++) archive_hold(a, n_vertices, &l->memory.hold[i]);
  if (!a->wrong) l->memory.n_holds = n;
  return CB_OK;
}

cb_status sim_cloth_self_archive(sim_cloth_self *l, int n_vertices, cb_archive *a, cb_err *err) {
  sim_self_memory *m = &l->memory;
  int n = m->n_holds;
  CB_TRY(sim_self_archive(l->self, a, err));
  cb_archive_int(a, &n, 1, 0, INT32_MAX);
  if (cb_archive_reads(a))
    CB_TRY(a->wrong ? CB_OK : read_holds(l, n, n_vertices, a, err));
  else
    for (int i = 0; i < n; i++) archive_hold(a, n_vertices, &m->hold[i]);
  cb_archive_bool(a, &m->any_residual, 1);
  if (m->any_residual) cb_archive_f64(a, &m->residual_N[0][0], 3 * (size_t)n_vertices, CB_ARCHIVE_FAR);
  return CB_OK;
}
