/* The two contacts of one vertex together. */
#include <string.h>

#include "sim_contacts_impl.h"
#include "sim_vec.h"

/* Bodies that overlap pinch a vertex deep between them wherever the cosine is below this. A corner would
 * throw it to the edge where the bodies meet, in one step. Deep: the room that it lacks, in thicknesses. */
#define FACING 0.0
#define DEEP 0.5
/* Cloth that is squeezed to less than this fraction of its thickness presses no more: the bodies close in on
 * each other altogether. */
#define LEAST_LEFT 0.01

/* The constraint of two pressed contacts in a corner: free along the axis, with the prescribed velocity
 * part[0] n_0 + part[1] n_1 across it. */
typedef struct joint {
  double axis[3], cosine, part[2];
} joint;

static double demand(const sim_contact *k, bool approach) {
  return sim_dot(k->normal, k->velocity_m_per_s) + (approach ? k->approach_m_per_s : 0);
}

/* approach true: with the velocity that brings the vertex to its distance from the surfaces; false: only as
 * the bodies move. */
static joint joint_of(const sim_contact k[2], bool approach) {
  joint j = {.cosine = sim_dot(k[0].normal, k[1].normal)};
  double b0 = demand(&k[0], approach), b1 = demand(&k[1], approach), c = j.cosine, length;
  sim_cross(k[0].normal, k[1].normal, j.axis);
  j.part[0] = (b0 - c * b1) / (1 - c * c);
  j.part[1] = (b1 - c * b0) / (1 - c * c);
  length = sim_norm(j.axis);
  for (int d = 0; d < 3; d++) j.axis[d] /= length;
  return j;
}

static void keep_free(const joint *j, double v[3]) {
  double along = sim_dot(v, j->axis);
  for (int d = 0; d < 3; d++) v[d] = along * j->axis[d];
}

static void add_prescribed(const joint *j, const sim_contact k[2], double scale, double v[3]) {
  for (int c = 0; c < 2; c++) sim_add(v, scale * j->part[c], k[c].normal);
}

/* Which of the n contacts presses, if one does; -1: none; 2: both. */
static int pressed(const sim_contact *k, int n) {
  int which = -1;
  for (int c = 0; c < n; c++)
    if (k[c].hold != SIM_APART) which = which < 0 ? c : SIM_CONTACTS_EACH;
  return which;
}

void sim_contact_pair_up(sim_contact k[2], double thickness_m, double compression_Pa, double gamma_s,
                         const double v_m_per_s[3]) {
  const double c = sim_dot(k[0].normal, k[1].normal);
  double short_m = gamma_s * (demand(&k[0], true) + demand(&k[1], true));
  if (!sim_pinch_opposed(k) && !(c < FACING && short_m > thickness_m * DEEP)) return;
  if (short_m <= 0) { /* there is room for the cloth: it cannot be pressed against both */
    if (pressed(k, 2) == SIM_CONTACTS_EACH) k[k[0].gap_m > k[1].gap_m ? 0 : 1].hold = SIM_APART;
    return;
  }
  double left = fmax(1 - short_m / thickness_m, LEAST_LEFT);
  for (int i = 0; i < 2; i++)
    if (k[i].hold == SIM_APART) sim_contact_press(&k[i], v_m_per_s);
  sim_pinch_begin(k, k->area_m2 * compression_Pa * (1 / left - 1));
}

bool sim_contact_constraint(const sim_contact *k, int n, sim_constraint *out) {
  int which = pressed(k, n);
  if (which < 0) return false;
  joint corner = {.cosine = 0};
  const double *axis = k[which < SIM_CONTACTS_EACH ? which : 0].normal;
  bool holds = false;
  *out = (sim_constraint){.vertex = k[0].vertex, .fixed = SIM_FIXED_ALONG};
  for (int c = 0; c < n; c++) holds = holds || k[c].hold == SIM_HOLDS;
  if (which == SIM_CONTACTS_EACH) {
    if (!k->pinched) corner = joint_of(k, true);
    out->fixed = k->pinched ? SIM_FIXED_ALONG : SIM_FIXED_ACROSS;
    axis = k->pinched ? k->axis : corner.axis;
  }
  if (holds) out->fixed = SIM_FIXED_WHOLE;
  for (int d = 0; d < 3; d++) out->normal[d] = (float)axis[d];
  return true;
}

static void prescribe_one(const sim_contact *k, double v[3]) {
  double w[3];
  sim_sub(v, k->velocity_m_per_s, w);
  double miss = k->approach_m_per_s - sim_dot(w, k->normal);
  if (k->hold == SIM_SLIDES) sim_add(v, miss, k->normal);
  if (k->hold != SIM_HOLDS) return;
  memcpy(v, k->velocity_m_per_s, sizeof k->velocity_m_per_s);
  sim_add(v, k->approach_m_per_s, k->normal);
}

/* The first holding contact prescribes the velocity along the surface. */
static void prescribe_both(const sim_contact k[2], bool approach, double v[3]) {
  joint j = joint_of(k, approach);
  for (int c = 1; c >= 0; c--)
    if (k[c].hold == SIM_HOLDS) memcpy(v, k[c].velocity_m_per_s, sizeof k[c].velocity_m_per_s);
  keep_free(&j, v);
  add_prescribed(&j, k, 1, v);
}

void sim_contact_prescribe(const sim_contact *k, int n, double v[3]) {
  int which = pressed(k, n);
  if (which == SIM_CONTACTS_EACH && k->pinched)
    sim_pinch_prescribe(k, v);
  else if (which == SIM_CONTACTS_EACH)
    prescribe_both(k, true, v);
  else if (which >= 0)
    prescribe_one(&k[which], v);
}

/* Splits the reaction into normal forces. The rest, along the surfaces, goes to the contacts that hold. */
static void share_out(sim_contact k[2], const sim_friction *const *f, const double r[3]) {
  joint j = joint_of(k, true);
  double r0 = sim_dot(r, k[0].normal), r1 = sim_dot(r, k[1].normal), c = j.cosine,
         rest[3] = {r[0], r[1], r[2]}, can[2] = {0};
  k[0].normal_N = (r0 - c * r1) / (1 - c * c);
  k[1].normal_N = (r1 - c * r0) / (1 - c * c);
  keep_free(&j, rest);
  for (int i = 0; i < 2 && sim_norm(rest) > 0; i++)
    if (k[i].hold == SIM_HOLDS) can[i] = fmax(sim_contact_static_N(&k[i], f[i], rest), 1e-300);
  for (int i = 0; i < 2; i++) {
    for (int d = 0; d < 3; d++) k[i].reaction_N[d] = k[i].normal_N * k[i].normal[d];
    if (can[i] > 0) sim_add(k[i].reaction_N, can[i] / (can[0] + can[1]), rest);
    sim_add(k[i].reaction_N, k[i].normal_N - sim_dot(k[i].reaction_N, k[i].normal), k[i].normal);
  }
}

/* Bodies that move past each other drag the vertex: it holds to one and slides on the other. Returns the
 * dragged contact; -1: none. */
static int dragged(const sim_contact k[2], double along[3]) {
  double v[3] = {0}, slip[3];
  int which = -1;
  if (k[0].hold != SIM_HOLDS && k[1].hold != SIM_HOLDS) return -1;
  prescribe_both(k, false, v);
  for (int i = 0; i < 2; i++) {
    sim_sub(v, k[i].velocity_m_per_s, slip);
    sim_add(slip, -sim_dot(slip, k[i].normal), k[i].normal);
    if (k[i].hold != SIM_HOLDS || !(sim_norm(slip) > k[i].slack_m_per_s)) continue;
    which = i;
    memcpy(along, slip, sizeof slip);
  }
  return which;
}

/* Reviews both contacts. The velocity that brings the vertex to its distance from the surfaces is no sliding,
 * and is taken off. */
static double review_both(sim_contact k[2], const sim_friction *const *f, const double r[3],
                          const double v_m_per_s[3]) {
  joint with = joint_of(k, true), without = joint_of(k, false);
  double v[3] = {v_m_per_s[0], v_m_per_s[1], v_m_per_s[2]}, along[3], wrong_N = 0;
  add_prescribed(&with, k, -1, v);
  add_prescribed(&without, k, 1, v);
  share_out(k, f, r);
  for (int i = 0; i < 2; i++) {
    const sim_contact *other = &k[1 - i];
    k[i].beside_N = other->hold == SIM_SLIDES
                        ? other->friction_N * fmax(0, sim_dot(k[i].direction, other->direction))
                        : 0;
  }
  int which = dragged(k, along);
  for (int i = 0; i < 2; i++) {
    if (i == which) {
      sim_contact_drag(&k[i], f[i], along);
      wrong_N += k[i].friction_N;
    } else {
      wrong_N += sim_contact_update(&k[i], f[i], k[i].reaction_N, v);
    }
  }
  return wrong_N;
}

double sim_contact_review_vertex(sim_contact *k, int n, const sim_friction *const *f, const double r_N[3],
                                 const double v_m_per_s[3]) {
  static const double none[3] = {0};
  double wrong_N = 0;
  const bool both = pressed(k, n) == SIM_CONTACTS_EACH;
  if (both && k->pinched) return sim_pinch_review(k, f, r_N, v_m_per_s);
  if (both) return review_both(k, f, r_N, v_m_per_s);
  for (int i = 0; i < n; i++) {
    memcpy(k[i].reaction_N, k[i].hold == SIM_APART ? none : r_N, sizeof k[i].reaction_N);
    k[i].beside_N = 0;
    wrong_N += sim_contact_update(&k[i], f[i], k[i].reaction_N, v_m_per_s);
  }
  if (pressed(k, n) == SIM_CONTACTS_EACH && sim_pinch_opposed(k)) sim_pinch_begin(k, 0);
  return wrong_N;
}
