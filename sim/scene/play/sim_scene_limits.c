#include "sim_scene_limits.h"

#include <math.h>
#include <string.h>

#include "sim_hash.h"
#include "sim_vec.h"
#include "cb_plural.h"

enum { METHOD_NONE = SIM_LIMIT_KINDS };
const char *const sim_limits_methods[] = {"principal", "warp-weft", "mapped", "principal-own", "none", NULL};

/* ---- making ---- */

static cb_status read_range(cb_ynode at, const char *key, const cb_numlist *list, sim_limit_range *out,
                            cb_err *err) {
  if (list->n == 0) return CB_OK;
  if (list->n != 2)
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s has %zu number%s: 2 were wanted, the least and the greatest",
                        key, list->n, CB_S(list->n));
  *out = (sim_limit_range){list->v[0], list->v[1]};
  return CB_OK;
}

static cb_status set_ranges(const sim_limits_text *t, cb_ynode at, const sim_scene *scene,
                            sim_limit_range range[2], cb_err *err) {
  const cb_stretch_law *law = scene->stretch_law;
  const bool given = t->warp.n > 0 && t->weft.n > 0;
  if (t->limit_N_per_m > 0 && law == NULL)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "limit_N_per_m: a material whose law of stretch a database has was wanted");
  if (law != NULL && !given)
    CB_TRY(sim_limit_of_law(law, t->limit_N_per_m > 0 ? t->limit_N_per_m : INFINITY, range, err));
  CB_TRY(read_range(at, "warp_ratio", &t->warp, &range[0], err));
  return read_range(at, "weft_ratio", &t->weft, &range[1], err);
}

/* The setup's parts that belong to one mesh. */
static void point_to_cloth(sim_limit_setup *s, const sim_cloth *cloth, const bool *held) {
  s->mesh = sim_cloth_mesh(cloth);
  s->mass_kg = sim_cloth_mass(cloth);
  s->held = held;
}

cb_status sim_scene_limits_make(const sim_limits_text *t, cb_ynode at, sim_told *told, const sim_cloth *cloth,
                                const bool *held, sim_scene_limits *s, cb_err *err) {
  *s = (sim_scene_limits){.setup = sim_limit_setup_default(NULL, NULL)};
  point_to_cloth(&s->setup, cloth, held);
  s->setup.tolerance = t->tolerance;
  CB_TRY(set_ranges(t, at, told->scene, s->setup.range, err));
  if (t->method == METHOD_NONE)
    s->setup.range[0] = s->setup.range[1] = (sim_limit_range){0, INFINITY};
  else
    s->setup.kind = (sim_limit_kind)t->method;
  for (int k = 0; k < 2; k++)
    sim_hash_doubles(&told->hash, (const double[]){s->setup.range[k].low, s->setup.range[k].high}, 2);
  return t->method == METHOD_NONE ? CB_OK : sim_limit_new(&s->setup, &s->limit, err);
}

void sim_scene_limits_clear(sim_scene_limits *s) {
  sim_limit_free(s->limit);
  s->limit = NULL;
}

cb_status sim_scene_limits_go_on(sim_scene_limits *s, const sim_cloth *cloth, const bool *held, cb_err *err) {
  point_to_cloth(&s->setup, cloth, held);
  if (s->limit == NULL) return CB_OK;
  sim_scene_limits_clear(s);
  return sim_limit_new(&s->setup, &s->limit, err);
}

/* ---- playing ---- */

cb_status sim_scene_limits_step(sim_scene_limits *s, sim_cloth *cloth, int n_bodies, double dt_s,
                                sim_step_report *report, cb_err *err) {
  return s->limit ? sim_limit_step(s->limit, cloth, n_bodies, dt_s, report, &s->last, err)
                  : sim_cloth_step(cloth, dt_s, report, err);
}

/* Angle between the normals of two triangles. */
static double angle_at(const sim_mesh *m, const sim_edge *e, const double (*x)[3]) {
  double n[2][3], a[3], b[3], across[3];
  for (int k = 0; k < 2; k++) {
    const int *c = m->triangle[e->triangle[k]];
    sim_sub(x[c[1]], x[c[0]], a);
    sim_sub(x[c[2]], x[c[0]], b);
    sim_cross(a, b, n[k]);
  }
  sim_cross(n[0], n[1], across);
  return atan2(sim_norm(across), sim_dot(n[0], n[1]));
}

/* Sum of the angles at edges times their lengths, over the area: for a cylinder, its curvature [1/m]. */
static double wrinkles_per_m(const sim_mesh *m, const double (*x)[3]) {
  double sum = 0, area_m2 = 0, d[3];
  for (int t = 0; t < m->n_triangles; t++) area_m2 += m->area_m2[t];
  for (int e = 0; e < m->n_edges; e++) {
    if (m->edge[e].triangle[1] < 0) continue;
    sim_sub(x[m->edge[e].vertex[1]], x[m->edge[e].vertex[0]], d);
    sum += sim_norm(d) * angle_at(m, &m->edge[e], x);
  }
  return sum / area_m2;
}

void sim_scene_limits_look(const sim_scene_limits *s, double (*x)[3], double value[SIM_LIMITS_N_COLUMNS]) {
  sim_limit_look l;
  sim_limit_see(&s->setup, (const sim_vec3 *)x, &l);
  const double strain[] = {l.warp[0], l.warp[1], l.weft[0], l.weft[1], l.any[0], l.any[1], l.excess},
               rest[] = {l.outside, s->last.rounds, s->last.systems,
                         wrinkles_per_m(s->setup.mesh, (const sim_vec3 *)x)};
  memcpy(value, strain, sizeof strain);
  memcpy(value + sizeof strain / sizeof *strain, rest, sizeof rest);
}

void sim_scene_limits_archive(sim_scene_limits *s, cb_archive *a) {
  if (s->limit != NULL) sim_limit_archive(s->limit, a);
  sim_limit_report_archive(&s->last, a);
}
