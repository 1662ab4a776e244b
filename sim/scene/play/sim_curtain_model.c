/* The section `curtain` of a scene: a curtain or a flag, its wind, the hand that drags it.
 * docs/reference/scene-bodies.md has the keys. */
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "sim_curtain.h"
#include "sim_hash.h"
#include "sim_model.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

#define PLACES 32 /* of a hand's path */

typedef struct place {
  double time_s;
  cb_numlist list;
  double at_m[3];
} place;

/* A hand goes from place to place and lets go at the last. */
typedef struct hand {
  int column, node, n;
  double stiffness_N_per_m, damping_Ns_per_m;
  cb_ynode path;
  place place[PLACES];
} hand;

typedef struct hanging {
  sim_curtain_setup setup;
  sim_curtain *curtain;
  hand hand;
  double (*x)[3], (*v)[3]; /* v: mean velocity of the last step */
  int (*triangle)[3];
  sim_curtain_report last;
  bool held; /* by a person, who comes before the scene's hand */
  sim_curtain_drag person;
  double target_m[3]; /* where the person wants it */
} hanging;

/* ---- the file ---- */

typedef struct curtain_text {
  sim_curtain_setup s;
  double hung_m; /* < 0: as wide as the cloth */
  cb_numlist top, across, down;
  cb_ynode air, wind, drag;
} curtain_text;

typedef struct wind_text {
  sim_curtain_wind w;
  double speed_m_per_s;
  int seed;
  cb_numlist centre, direction;
} wind_text;

#define NUMBER(type, name, member, low, high, to_si) \
  { .key = name, .kind = CB_Y_NUM, .offset = offsetof(type, member), .min = low, .max = high, .scale = to_si }
#define COUNT(type, name, member, low, high) \
  { .key = name, .kind = CB_Y_INT, .offset = offsetof(type, member), .min = low, .max = high }
#define TRIPLE(type, name, member) \
  { .key = name, .kind = CB_Y_NUMLIST, .offset = offsetof(type, member), .min = -1e9, .max = 1e9 }
#define PART(type, name, member) \
  { .key = name, .kind = CB_Y_NODE, .offset = offsetof(type, member) }

static const cb_yfield curtain_fields[] = {
    COUNT(curtain_text, "columns", s.columns, 2, 1000),
    COUNT(curtain_text, "nodes", s.nodes, 2, 1000),
    COUNT(curtain_text, "segments", s.segments, 1, SIM_CURTAIN_SEGMENTS),
    NUMBER(curtain_text, "hung_width_mm", hung_m, 0, 1e6, 1e-3),
    TRIPLE(curtain_text, "top_mm", top),
    TRIPLE(curtain_text, "across", across),
    TRIPLE(curtain_text, "down", down),
    COUNT(curtain_text, "pulls", s.pulls, 0, 1000),
    {.key = "self_collision", .kind = CB_Y_BOOL, .offset = offsetof(curtain_text, s.self_collision)},
    PART(curtain_text, "air", air),
    PART(curtain_text, "wind", wind),
    PART(curtain_text, "drag", drag),
};

static const cb_yfield air_fields[] = {
    NUMBER(sim_curtain_air, "density_kg_per_m3", density_kg_per_m3, 0, 1e4, 1),
    NUMBER(sim_curtain_air, "threshold_m_per_s", threshold_m_per_s, 0, 1e3, 1),
    NUMBER(sim_curtain_air, "corner", corner, 0, 1e4, 1),
    NUMBER(sim_curtain_air, "edge", edge, 0, 1e4, 1),
    NUMBER(sim_curtain_air, "inside", inside, 0, 1e4, 1),
    NUMBER(sim_curtain_air, "fast", fast, 0, 1e4, 1),
};

static const cb_yfield wind_fields[] = {
    TRIPLE(wind_text, "centre_mm", centre),
    TRIPLE(wind_text, "direction", direction),
    NUMBER(wind_text, "radius_mm", w.radius_m, 1, 1e7, 1e-3),
    NUMBER(wind_text, "apex_mm", w.apex_m, 1, 1e9, 1e-3),
    NUMBER(wind_text, "speed_m_per_s", speed_m_per_s, 0, 100, 1),
    NUMBER(wind_text, "thinning", w.thinning, 0, 100, 1),
    NUMBER(wind_text, "near_mm", w.near_m, 1, 1e7, 1e-3),
    COUNT(wind_text, "falloff", w.falloff, 0, 4),
    NUMBER(wind_text, "turbulence", w.turbulence, 0, 100, 1),
    NUMBER(wind_text, "turbulence_m_per_s", w.turbulence_m_per_s, 0, 1e3, 1),
    NUMBER(wind_text, "eddy_mm", w.eddy_m, 0, 1e6, 1e-3),
    COUNT(wind_text, "seed", seed, 0, 1000000000),
};

static const cb_yfield drag_fields[] = {
    {"column", CB_Y_INT, offsetof(hand, column), .required = true, .min = 0, .max = 1e5},
    {"node", CB_Y_INT, offsetof(hand, node), .required = true, .min = 1, .max = 1e5},
    NUMBER(hand, "stiffness_N_per_m", stiffness_N_per_m, 0, 1e9, 1),
    NUMBER(hand, "damping_Ns_per_m", damping_Ns_per_m, 0, 1e9, 1),
    {"path", CB_Y_NODE, offsetof(hand, path), .required = true},
};

static const cb_yfield place_fields[] = {
    {"time_s", CB_Y_NUM, offsetof(place, time_s), .required = true, .min = 0, .max = 1e6},
    {"at_mm", CB_Y_NUMLIST, offsetof(place, list), .required = true, .min = -1e9, .max = 1e9},
};

static cb_status read_mm(cb_ynode at, const char *key, const cb_numlist *list, double out_m[3], cb_err *err) {
  if (list->n == 0) return CB_OK;
  CB_TRY(sim_scene_triple(at, key, list, out_m, err));
  for (int k = 0; k < 3; k++) out_m[k] *= 1e-3;
  return CB_OK;
}

static cb_status read_unit(cb_ynode at, const char *key, const cb_numlist *list, double out[3], cb_err *err) {
  CB_TRY(sim_scene_triple(at, key, list, out, err));
  const double length = sim_norm(out);
  if (!(length > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s = [0, 0, 0]: a direction must have a length", key);
  for (int k = 0; k < 3; k++) out[k] /= length;
  return CB_OK;
}

/* What lets air through: the numbers of the scene's material, v = permeability (p/200 Pa)^exponent, else the
 * law a database has of it, else nothing. */
static cb_status find_passing(cb_ynode at, const sim_scene *s, double speed_m_per_s, double rho, double *out,
                              cb_err *err) {
  const cb_permeability_law given = {
      .reference_Pa = SIM_SCENE_PERMEABILITY_PA,
      .curve = {CB_PERMEABILITY_POWER, s->permeability_m_per_s, s->permeability_exponent}};
  const cb_permeability_law *law = s->permeability_m_per_s > 0 ? &given : NULL;
  if (s->permeability_m_per_s < 0) law = s->permeability_law;
  if (s->permeability_m_per_s < 0 && law == NULL && s->cloth[0])
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "wind: the law of permeability of '%s' is not known: permeability_mm_per_s was wanted "
        "in `material` (0: nothing passes)",
        s->cloth);
  if (law != NULL && speed_m_per_s > 0) *out = sim_curtain_passing(law, speed_m_per_s, rho);
  return CB_OK;
}

/* Pressure of air at that speed, and the share of it that the cloth lets through. */
static cb_status read_wind(cb_ynode at, sim_told *told, sim_curtain_setup *s, cb_err *err) {
  wind_text t = {.w = s->wind, .seed = 1};
  if (at.doc == NULL) return CB_OK;
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(wind_fields), &t, told, err));
  CB_TRY(read_mm(at, "centre_mm", &t.centre, t.w.centre_m, err));
  CB_TRY(read_unit(at, "direction", &t.direction, t.w.direction, err));
  const double rho = s->air.density_kg_per_m3;
  t.w.pressure_Pa = rho / 2 * t.speed_m_per_s * t.speed_m_per_s;
  if (t.w.pressure_Pa > 0) CB_TRY(find_passing(at, told->scene, t.speed_m_per_s, rho, &t.w.passing, err));
  t.w.seed = (uint64_t)t.seed;
  sim_hash_doubles(&told->hash, &t.w.passing, 1);
  s->wind = t.w;
  return CB_OK;
}

static cb_status read_path(sim_told *told, hand *h, cb_err *err) {
  CB_TRY(sim_scene_list(h->path, "path", PLACES, err));
  h->n = (int)cb_yaml_count(h->path);
  for (int i = 0; i < h->n; i++) {
    const cb_ynode at = cb_yaml_item(h->path, (size_t)i);
    place *p = &h->place[i];
    CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(place_fields), p, told, err));
    CB_TRY(read_mm(at, "at_mm", &p->list, p->at_m, err));
    if (i > 0 && !(p->time_s > p[-1].time_s))
      return cb_yaml_fail(at, err, CB_E_RANGE, "time_s = %g: later than the %g s before was wanted",
                          p->time_s, p[-1].time_s);
  }
  if (h->n < 2)
    return cb_yaml_fail(h->path, err, CB_E_RANGE,
                        "path: %d place%s: from one to another, at least 2 were wanted", h->n, CB_S(h->n));
  return CB_OK;
}

static cb_status read_hand(cb_ynode at, sim_told *told, const sim_curtain_setup *s, hand *h, cb_err *err) {
  *h = (hand){.stiffness_N_per_m = 100, .damping_Ns_per_m = 1};
  if (at.doc == NULL) return CB_OK;
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(drag_fields), h, told, err));
  if (h->column >= s->columns || h->node >= s->nodes)
    return cb_yaml_fail(at, err, CB_E_RANGE, "drag: column %d, node %d: less than %d and %d were wanted",
                        h->column, h->node, s->columns, s->nodes);
  return read_path(told, h, err);
}

static cb_status read_section(cb_ynode at, sim_told *told, hanging *g, cb_err *err) {
  curtain_text t = {.s = sim_curtain_setup_default(), .hung_m = -1};
  const sim_scene_sheet *sheet = &told->scene->sheet[0];
  sim_curtain_setup *s = &t.s;
  CB_TRY(sim_section_bind(at, SIM_SCENE_FIELDS(curtain_fields), &t, told, err));
  CB_TRY(read_mm(at, "top_mm", &t.top, s->top_m, err));
  CB_TRY(read_unit(at, "across", &t.across, s->across, err));
  CB_TRY(read_unit(at, "down", &t.down, s->down, err));
  if (sim_norm(sheet->at_m) > 0 || sim_norm(sheet->turned_rad) > 0)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "sheet: at_mm, turned_deg: a curtain hangs from top_mm, `across` and `down`");
  s->rod_m = sheet->length_m / (s->nodes - 1);
  s->weft_m = sheet->width_m / (s->columns - 1);
  s->areal_density_kg_per_m2 = told->scene->material.areal_density_kg_per_m2;
  s->thickness_m = told->scene->material.thickness_m;
  s->spacing_m = t.hung_m < 0 ? s->weft_m : t.hung_m / (s->columns - 1);
  memcpy(s->gravity_m_per_s2, told->scene->gravity_m_per_s2, sizeof s->gravity_m_per_s2);
  s->body = told->body;
  s->n_bodies = told->scene->n_bodies;
  if (t.air.doc) CB_TRY(sim_section_bind(t.air, SIM_SCENE_FIELDS(air_fields), &s->air, told, err));
  CB_TRY(read_wind(t.wind, told, s, err));
  CB_TRY(read_hand(t.drag, told, s, &g->hand, err));
  if (sim_curtain_setup_check(s, err) != CB_OK) return cb_fail_in(err, CB_E_RANGE, "%s", told->scene->name);
  g->setup = *s;
  return CB_OK;
}

/* ---- from the file to what moves ---- */

static void release(void *state) {
  hanging *g = state;
  sim_curtain_free(g->curtain);
  free(g->x);
  free(g->v);
  free(g->triangle);
}

static cb_status make(cb_ynode at, sim_told *told, void *state, cb_err *err) {
  hanging *g = state;
  CB_TRY(read_section(at, told, g, err));
  CB_TRY(sim_curtain_new(&g->setup, &g->curtain, err));
  g->x = calloc((size_t)sim_curtain_vertices(g->curtain), sizeof *g->x);
  g->v = calloc((size_t)sim_curtain_vertices(g->curtain), sizeof *g->v);
  g->triangle = calloc((size_t)sim_curtain_triangles(g->curtain), sizeof *g->triangle);
  if (!g->x || !g->v || !g->triangle) return cb_no_memory(err, "%s", told->scene->name);
  sim_curtain_surface(g->curtain, g->triangle);
  g->last.stretch = 1;
  return CB_OK;
}

/* The hand comes straight to where the person wants it. */
static cb_status lead_person(hanging *g, double dt_s, cb_err *err) {
  sim_curtain_drag *d = &g->person;
  for (int k = 0; k < 3; k++) {
    d->velocity_m_per_s[k] = (g->target_m[k] - d->target_m[k]) / dt_s;
    d->target_m[k] = g->target_m[k];
  }
  return sim_curtain_hold(g->curtain, d, err);
}

/* At the step's end, on the straight way from place to place. */
static cb_status lead(hanging *g, double time_s, double dt_s, cb_err *err) {
  const hand *h = &g->hand;
  if (g->held) return lead_person(g, dt_s, err);
  int i = 0;
  while (i < h->n && h->place[i].time_s <= time_s) i++;
  if (i == 0 || i == h->n) {
    sim_curtain_let_go(g->curtain);
    return CB_OK;
  }
  const place *from = &h->place[i - 1], *to = &h->place[i];
  sim_curtain_drag d = {.column = h->column,
                        .node = h->node,
                        .stiffness_N_per_m = h->stiffness_N_per_m,
                        .damping_Ns_per_m = h->damping_Ns_per_m};
  for (int k = 0; k < 3; k++) {
    d.velocity_m_per_s[k] = (to->at_m[k] - from->at_m[k]) / (to->time_s - from->time_s);
    d.target_m[k] = from->at_m[k] + d.velocity_m_per_s[k] * (time_s - from->time_s);
  }
  return sim_curtain_hold(g->curtain, &d, err);
}

/* Places of the second layer have no velocity of their own: of all vertices it is the way of the step over
 * its length. */
static cb_status step(void *state, double dt_s, sim_step_report *report, cb_err *err) {
  hanging *g = state;
  const int n = sim_curtain_vertices(g->curtain);
  (void)report;
  CB_TRY(lead(g, sim_curtain_time(g->curtain) + dt_s, dt_s, err));
  sim_curtain_places(g->curtain, g->v);
  CB_TRY(sim_curtain_step(g->curtain, dt_s, &g->last, err));
  sim_curtain_places(g->curtain, g->x);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) g->v[i][k] = (g->x[i][k] - g->v[i][k]) / dt_s;
  return CB_OK;
}

/* ---- a person's hand ---- */

/* Square of the distance of a place from a line. */
static double off_line(const double x[3], const double eye[3], const double ray[3]) {
  double way[3];
  sim_sub(x, eye, way);
  sim_add(way, -sim_dot(way, ray) / sim_dot(ray, ray), ray);
  return sim_dot(way, way);
}

static bool grab(void *state, const double eye_m[3], const double ray[3], double at_m[3]) {
  hanging *g = state;
  double least = INFINITY;
  for (int column = 0; column < g->setup.columns; column++)
    for (int node = 1; node < g->setup.nodes; node++) {
      double x[3];
      sim_curtain_node(g->curtain, column, node, x, NULL);
      const double off = off_line(x, eye_m, ray);
      if (!(off < least)) continue;
      least = off;
      g->person.column = column;
      g->person.node = node;
      memcpy(at_m, x, sizeof x);
    }
  g->person.stiffness_N_per_m = g->hand.stiffness_N_per_m;
  g->person.damping_Ns_per_m = g->hand.damping_Ns_per_m;
  memcpy(g->person.target_m, at_m, sizeof g->person.target_m);
  memcpy(g->target_m, at_m, sizeof g->target_m);
  g->held = true;
  return true;
}

static void pull(void *state, const double *target_m) {
  hanging *g = state;
  g->held = target_m != NULL;
  if (g->held) memcpy(g->target_m, target_m, sizeof g->target_m);
}

/* ---- what is seen and told of it ---- */

static int surfaces(void *state, sim_drawn *out) {
  hanging *g = state;
  sim_curtain_places(g->curtain, g->x);
  *out = (sim_drawn){.n_vertices = sim_curtain_vertices(g->curtain),
                     .n_triangles = sim_curtain_triangles(g->curtain),
                     .position_m = (const sim_vec3 *)g->x,
                     .velocity_m_per_s = (const sim_vec3 *)g->v,
                     .triangle = (const int(*)[3])g->triangle,
                     .face = {0.60F, 0.42F, 0.16F},
                     .back = {0.42F, 0.06F, 0.07F}};
  return 1;
}

static const char *const *columns(const void *state) {
  static const char *const all[] = {"kinetic_J", "lowest_m", "stretch", "touching",
                                    "corrected", "passing",  NULL};
  (void)state;
  return all;
}

static void values(void *state, double *value) {
  const hanging *g = state;
  double kinetic = 0, lowest = INFINITY;
  for (int column = 0; column < g->setup.columns; column++)
    for (int node = 0; node < g->setup.nodes; node++) {
      double x[3], v[3];
      sim_curtain_node(g->curtain, column, node, x, v);
      kinetic += sim_curtain_mass(g->curtain, column, node) * sim_dot(v, v) / 2;
      lowest = fmin(lowest, x[2]);
    }
  const double all[] = {
      kinetic, lowest, g->last.stretch, g->last.touching, g->last.corrected, g->setup.wind.passing};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) value[k] = all[k];
}

static cb_status archive(void *state, cb_archive *a, cb_err *err) {
  hanging *g = state;
  (void)err;
  sim_curtain_archive(g->curtain, a);
  cb_archive_f64(a, &g->v[0][0], 3 * (size_t)sim_curtain_vertices(g->curtain), CB_ARCHIVE_FAR);
  cb_archive_f64(a, &g->last.stretch, 1, CB_ARCHIVE_FAR);
  cb_archive_int(a, &g->last.touching, 1, 0, INT_MAX);
  cb_archive_int(a, &g->last.corrected, 1, 0, INT_MAX);
  return CB_OK;
}

const sim_model sim_curtain_model = {.takes = {.name = "curtain",
                                               .shapes = 1U << SIM_SCENE_RECTANGLE,
                                               .sheets_least = 1,
                                               .sheets_most = 1,
                                               .needs = {.areal_density = true, .thickness = true}},
                                     .state_bytes = sizeof(hanging),
                                     .make = make,
                                     .release = release,
                                     .step = step,
                                     .surfaces = surfaces,
                                     .grab = grab,
                                     .pull = pull,
                                     .columns = columns,
                                     .values = values,
                                     .archive = archive};
