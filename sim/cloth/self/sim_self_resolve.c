/* The last resort: nothing may pass through anything within a step.
 *
 * Rounds of detection and impulses. Every impact becomes a linear constraint on the displacements, with the
 * normal and the places at the moment of the impact: along the normal, the gap closes no further than to half
 * of the thickness (or than it was). All constraints so far are solved together by projected Gauss-Seidel in
 * a fixed order. The result is, of all displacements that satisfy them, the nearest to the given ones in the
 * norm of the kinetic energy (inelastic projection: Harmon, Vouga, Tamstorf, Grinspun, ACM TOG 27(3):23,
 * 2008, here with inequalities), with Coulomb friction (Bridson, Fedkiw, Anderson, ACM TOG 21(3), 2002).
 *
 * Vertices that still collide after the rounds move as one zone. They share the displacement of their centre
 * of mass, or that of a held vertex among them (zones: Provot, Graphics Interface 1997; without rotation, so
 * that distances within a zone stay). Zones only grow, so this ends. If held vertices contradict each other,
 * the whole step is cut short. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

#define NEAR_SHARE 0.05 /* of the thickness: pairs that come nearer collide */
#define KEEP_SHARE 0.5  /* of the thickness: distance to which colliding pairs may close in */
#define SWEEPS 64
#define SETTLED_SHARE 0.1 /* of the near distance */
#define CUT 0.9
#define CUTS 100

typedef struct resolver {
  sim_self *self;
  const double (*start)[3];
  double (*end)[3];
  double near_m;
  sim_self_report *report;
} resolver;

static void relative(const resolver *r, const int vertex[4], const double weight[4], double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) out[k] += weight[i] * (r->end[vertex[i]][k] - r->start[vertex[i]][k]);
}

static double friction_of(const sim_self *s, const sim_self_find *f, const double moved[3]) {
  if (!s->options.friction) return 0;
  const sim_self_contact c = sim_self_describe(s, f);
  double along = sim_dot(moved, c.normal), direction[3];
  for (int k = 0; k < 3; k++) direction[k] = moved[k] - along * c.normal[k];
  const double length = sim_norm(direction);
  if (length == 0) return 0;
  for (int k = 0; k < 3; k++) direction[k] /= length;
  return s->options.friction(s->options.friction_context, &c, direction);
}

static sim_self_impact impact_of(const resolver *r, const sim_self_find *f) {
  const sim_self *s = r->self;
  sim_self_impact p = {0};
  double gap = 0, moved[3];
  sim_self_vertices(s, &f->couple, p.vertex);
  memcpy(p.weight, f->hit.weight, sizeof p.weight);
  memcpy(p.normal, f->hit.normal, sizeof p.normal);
  for (int i = 0; i < 4; i++) {
    gap +=
        p.weight[i] * (sim_dot(p.normal, r->start[p.vertex[i]]) - sim_dot(p.normal, r->start[p.vertex[0]]));
    p.admittance_per_kg += p.weight[i] * p.weight[i] * s->inverse_mass[p.vertex[i]];
  }
  p.bound_m = fmin(0, KEEP_SHARE * s->options.thickness_m - gap);
  relative(r, p.vertex, p.weight, moved);
  p.friction = friction_of(s, f, moved);
  return p;
}

static cb_status add_impacts(resolver *r, cb_err *err) {
  sim_self *s = r->self;
  CB_TRY(sim_self_room((void **)&s->impact, &s->impacts_capacity, s->n_impacts + s->n_finds,
                       sizeof *s->impact, err));
  for (int i = 0; i < s->n_finds; i++) {
    const sim_self_impact p = impact_of(r, &s->find[i]);
    if (p.admittance_per_kg > 0) s->impact[s->n_impacts++] = p;
  }
  return CB_OK;
}

/* An impulse `kg_m` along a direction, over the step's length. */
static void push_impact(const resolver *r, const sim_self_impact *p, double kg_m, const double direction[3]) {
  for (int i = 0; i < 4; i++)
    sim_add(r->end[p->vertex[i]], r->self->inverse_mass[p->vertex[i]] * p->weight[i] * kg_m, direction);
}

static void apply_friction(const resolver *r, sim_self_impact *p) {
  double moved[3], drag[3], change[3];
  relative(r, p->vertex, p->weight, moved);
  sim_add(moved, -sim_dot(moved, p->normal), p->normal);
  for (int k = 0; k < 3; k++) drag[k] = p->drag[k] - moved[k] / p->admittance_per_kg;
  const double size = sim_norm(drag), limit = p->friction * p->push;
  for (int k = 0; k < 3; k++) {
    if (size > limit) drag[k] *= limit / size;
    change[k] = drag[k] - p->drag[k];
    p->drag[k] = drag[k];
  }
  push_impact(r, p, 1, change);
}

/* Returns by how much the constraint was missed. */
static double press_impact(const resolver *r, sim_self_impact *p) {
  double moved[3];
  relative(r, p->vertex, p->weight, moved);
  const double miss = p->bound_m - sim_dot(moved, p->normal),
               now = fmax(0, p->push + miss / p->admittance_per_kg);
  push_impact(r, p, now - p->push, p->normal);
  p->push = now;
  if (p->friction > 0) apply_friction(r, p);
  return miss;
}

static void relax_impacts(const resolver *r) {
  sim_self *s = r->self;
  double worst = HUGE_VAL;
  for (int k = 0; k < SWEEPS && worst > SETTLED_SHARE * r->near_m; k++) {
    worst = 0;
    for (int i = 0; i < s->n_impacts; i++) worst = fmax(worst, press_impact(r, &s->impact[i]));
  }
}

static void mark_moved(sim_self *s) {
  memset(s->moved, 0, (size_t)s->n_vertices * sizeof *s->moved);
  for (int i = 0; i < s->n_impacts; i++)
    for (int k = 0; k < 4; k++) s->moved[s->impact[i].vertex[k]] = true;
  for (int i = 0; i < s->n_finds; i++) {
    int vertex[4];
    sim_self_vertices(s, &s->find[i].couple, vertex);
    for (int k = 0; k < 4; k++) s->moved[vertex[k]] = true;
  }
}

/* Detects collisions, and near pairs at the end for the next step. `moved` only grows from search to search,
 * so contacts among the others stay valid. */
static cb_status detect(resolver *r, const bool *moved, double reach_m, cb_err *err) {
  sim_self *s = r->self;
  const sim_self_search search = {s, r->start, (const sim_vec3 *)r->end, r->near_m, reach_m, moved};
  int met;
  s->kept_reach_m = 0;
  CB_TRY(sim_self_find_all(s, &search, &met, err));
  if (!moved) r->report->met = met;
  if (s->n_finds == 0 && reach_m > 0) sim_self_keep(s, search.end, reach_m);
  r->report->rounds += s->n_finds > 0;
  return CB_OK;
}

static int root_of(sim_self *s, int v) {
  while (s->zone[v] != v) v = s->zone[v] = s->zone[s->zone[v]];
  return v;
}

static cb_status make_zones(sim_self *s, cb_err *err) {
  const size_t n = (size_t)s->n_vertices;
  if (!s->zone) s->zone = malloc(n * sizeof *s->zone);
  if (!s->zone_m) s->zone_m = malloc(n * sizeof *s->zone_m);
  if (!s->zone_kg) s->zone_kg = malloc(n * sizeof *s->zone_kg);
  if (s->zone && s->zone_m && s->zone_kg) return CB_OK;
  return cb_no_memory(err, "self-collision of %d vertices", s->n_vertices);
}

static cb_status begin_zones(const resolver *r, cb_err *err) {
  sim_self *s = r->self;
  CB_TRY(make_zones(s, err));
  for (int v = 0; v < s->n_vertices; v++) {
    s->zone[v] = v;
    s->zone_kg[v] = s->inverse_mass[v] > 0 ? 1 / s->inverse_mass[v] : HUGE_VAL;
    sim_sub(r->end[v], r->start[v], s->zone_m[v]);
  }
  return CB_OK;
}

/* Joins two roots. Returns false if both are held and move differently. */
static bool join_zones(sim_self *s, int v, int w) {
  const bool held_v = s->zone_kg[v] == HUGE_VAL, held_w = s->zone_kg[w] == HUGE_VAL;
  if (held_v && held_w) {
    double apart[3];
    sim_sub(s->zone_m[v], s->zone_m[w], apart);
    if (sim_norm(apart) > 1e-12 * sim_norm(s->zone_m[v])) return false;
  }
  const int stays = held_w || (!held_v && w < v) ? w : v, goes = stays == v ? w : v;
  if (s->zone_kg[stays] < HUGE_VAL) {
    const double share = s->zone_kg[goes] / (s->zone_kg[goes] + s->zone_kg[stays]);
    for (int k = 0; k < 3; k++) s->zone_m[stays][k] += share * (s->zone_m[goes][k] - s->zone_m[stays][k]);
    s->zone_kg[stays] += s->zone_kg[goes];
  }
  s->zone[goes] = stays;
  return true;
}

/* Joins the zones of all colliding pairs. Returns false if two cannot be joined, or nothing was left to
 * join. */
static bool join_finds(sim_self *s) {
  int joined = 0;
  for (int i = 0; i < s->n_finds; i++) {
    int vertex[4];
    sim_self_vertices(s, &s->find[i].couple, vertex);
    for (int k = 1; k < 4; k++) {
      const int v = root_of(s, vertex[0]), w = root_of(s, vertex[k]);
      if (v == w) continue;
      if (!join_zones(s, v, w)) return false;
      joined++;
    }
  }
  return joined > 0;
}

/* Moves the vertices of zones together. A root with members is marked through them. */
static void move_zones(const resolver *r) {
  sim_self *s = r->self;
  memset(s->moved, 0, (size_t)s->n_vertices * sizeof *s->moved);
  for (int v = 0; v < s->n_vertices; v++)
    if (s->zone[v] != v) s->moved[v] = s->moved[root_of(s, v)] = true;
  r->report->joined = 0;
  for (int v = 0; v < s->n_vertices; v++) {
    if (!s->moved[v]) continue;
    r->report->joined++;
    if (s->inverse_mass[v] <= 0) continue;
    for (int k = 0; k < 3; k++) r->end[v][k] = r->start[v][k] + s->zone_m[root_of(s, v)][k];
  }
}

/* Shortens the step until nothing collides. */
static cb_status cut_short(resolver *r, cb_err *err) {
  sim_self *s = r->self;
  r->report->outcome = SIM_SELF_BLOCKED;
  for (int i = 0; s->n_finds > 0; i++) {
    double share = 1;
    for (int k = 0; k < s->n_finds; k++) share = fmin(share, s->find[k].hit.time);
    share = i < CUTS ? share * CUT : 0;
    for (int v = 0; v < s->n_vertices; v++)
      for (int k = 0; k < 3; k++) r->end[v][k] = r->start[v][k] + share * (r->end[v][k] - r->start[v][k]);
    r->report->share *= share;
    if (share == 0) break;
    CB_TRY(detect(r, NULL, 0, err));
  }
  return CB_OK;
}

static cb_status join_until_free(resolver *r, cb_err *err) {
  sim_self *s = r->self;
  CB_TRY(begin_zones(r, err));
  r->report->outcome = SIM_SELF_JOINED;
  while (s->n_finds > 0) {
    if (!join_finds(s)) return cut_short(r, err);
    move_zones(r);
    CB_TRY(detect(r, s->moved, 0, err));
  }
  return CB_OK;
}

static cb_status check_finite(const resolver *r, cb_err *err) {
  bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
  for (int v = 0; v < r->self->n_vertices; v++)
    for (int k = 0; k < 3; k++) finite = finite && isfinite(r->start[v][k]) && isfinite(r->end[v][k]);
  for (int v = 0; v < r->self->n_vertices && !finite; v++)
    for (int k = 0; k < 3; k++)
      if (!isfinite(r->start[v][k]) || !isfinite(r->end[v][k]))
        return cb_fail(err, CB_E_NUM, "self-collision: vertex %d goes from %g to %g m: must be finite", v,
                       r->start[v][k], r->end[v][k]);
  return CB_OK;
}

/* among: as `moved` of a search, with the boxes of all; NULL: all. */
static cb_status resolve(resolver *r, const bool *among, cb_err *err) {
  sim_self *s = r->self;
  *r->report = (sim_self_report){.share = 1};
  s->n_impacts = 0;
  s->tree.reach_m = -1; /* other ways than in the last search */
  CB_TRY(check_finite(r, err));
  CB_TRY(detect(r, among, s->reach_m, err));
  for (int k = 0; k < s->options.rounds && s->n_finds > 0; k++) {
    CB_TRY(add_impacts(r, err));
    relax_impacts(r);
    mark_moved(s);
    r->report->outcome = SIM_SELF_RESOLVED;
    CB_TRY(detect(r, s->moved, s->reach_m, err));
  }
  r->report->impacts = s->n_impacts;
  return s->n_finds > 0 ? join_until_free(r, err) : CB_OK;
}

cb_status sim_self_resolve(sim_self *s, const double (*start_m)[3], double (*end_m)[3],
                           sim_self_report *report, cb_err *err) {
  resolver r = {s, start_m, end_m, NEAR_SHARE * s->options.thickness_m, report};
  return resolve(&r, NULL, err);
}

/* The pairs are not valid for the next step: others may be near. */
cb_status sim_self_contacts_ahead(sim_self *s, const double (*start_m)[3], double (*end_m)[3],
                                  const bool *among, const sim_self_contact **list, int *n, cb_err *err) {
  sim_self_report report;
  resolver r = {s, start_m, end_m, NEAR_SHARE * s->options.thickness_m, &report};
  CB_TRY(resolve(&r, among, err));
  const bool found = s->kept_reach_m > 0;
  if (!found) CB_TRY(sim_self_contacts(s, (const sim_vec3 *)end_m, s->reach_m, list, n, err));
  s->kept_reach_m = 0;
  *list = s->contact;
  *n = s->n_contacts;
  return CB_OK;
}
