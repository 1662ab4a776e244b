/* How large triangles should be: Narain, Samii, O'Brien (2012), section 4. */

#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "sim_remesh.h"
#include "sim_remesh_state.h"
#include "sim_vec.h"

sim_remesh_rules sim_remesh_rules_default(double edge_min_m, double edge_max_m) {
  return (sim_remesh_rules){.edge_min_m = edge_min_m,
                            .edge_max_m = edge_max_m,
                            .aspect = 2,
                            .turn_rad = 20 * CB_DEG,
                            .change_m_per_s = 0.5,
                            .compression = 0.1};
}

double sim_remesh_soft_m(const sim_material *m, double share) {
  const double stiff = fmax(sim_curve_slope(&m->warp), sim_curve_slope(&m->weft));
  return sqrt(576 * share * fmin(m->bending_Nm[0][0], m->bending_Nm[1][1]) / stiff);
}

cb_status sim_remesh_rules_check(const sim_remesh_rules *r, cb_err *err) {
  CB_TRY(cb_check_range(r->edge_min_m, 1e-5, 10, "remesh: smallest edge", "m", err));
  CB_TRY(cb_check_range(r->edge_max_m, r->edge_min_m, 100, "remesh: largest edge", "m", err));
  CB_TRY(cb_check_range(r->aspect, 1, 100, "remesh: aspect", "", err));
  CB_TRY(cb_check_range(r->turn_rad, 0, 3, "remesh: turn", "rad", err));
  CB_TRY(cb_check_range(r->soft_m, 0, 1e3, "remesh: softness", "m", err));
  CB_TRY(cb_check_range(r->change_m_per_s, 0, 1e3, "remesh: change of velocity", "m/s", err));
  CB_TRY(cb_check_range(r->compression, 0, 0.99, "remesh: compression", "", err));
  CB_TRY(cb_check_range(r->near_m, 0, 10, "remesh: nearness of bodies", "m", err));
  if (r->near_m == 0) return CB_OK;
  return cb_check_range(r->near_edge_m, r->edge_min_m, r->edge_max_m, "remesh: edge at a body", "m", err);
}

/* m += weight (a a^T), of rows of three. */
static void add_outer(double m[3], double weight, double u, double v) {
  m[0] += weight * u * u;
  m[1] += weight * u * v;
  m[2] += weight * v * v;
}

/* Symmetric 2 x 2: l[0] >= l[1], d the direction of l[0]. */
static void principal(const double m[3], double l[2], double d[2]) {
  const double mean = 0.5 * (m[0] + m[2]), half = 0.5 * (m[0] - m[2]), r = hypot(half, m[1]),
               angle = 0.5 * atan2(m[1], half);
  l[0] = mean + r;
  l[1] = mean - r;
  d[0] = cos(angle);
  d[1] = sin(angle);
}

static void compose_metric(const double l[2], const double d[2], double m[3]) {
  memset(m, 0, 3 * sizeof *m);
  add_outer(m, l[0], d[0], d[1]);
  add_outer(m, l[1], -d[1], d[0]);
}

void sim_remesh_limit(const sim_remesh_rules *r, double metric[3]) {
  const double least = 1 / (r->edge_max_m * r->edge_max_m), most = 1 / (r->edge_min_m * r->edge_min_m);
  double l[2], d[2];
  principal(metric, l, d);
  l[0] = fmin(fmax(l[0], least), most);
  l[1] = fmin(fmax(fmax(l[1], least), l[0] / (r->aspect * r->aspect)), most);
  compose_metric(l, d, metric);
}

/* The derivatives of a field along u and v. */
static void slopes(const sim_mesh *m, int t, const double (*field)[3], double along[2][3]) {
  const double(*c)[2] = (const double(*)[2])m->corner_m[t];
  const int *v = m->triangle[t];
  const double ax = c[1][0] - c[0][0], ay = c[1][1] - c[0][1], bx = c[2][0] - c[0][0], by = c[2][1] - c[0][1],
               twice = ax * by - ay * bx;
  double p[3], q[3];
  sim_sub(field[v[1]], field[v[0]], p);
  sim_sub(field[v[2]], field[v[0]], q);
  for (int k = 0; k < 3; k++) {
    along[0][k] = (by * p[k] - ay * q[k]) / twice;
    along[1][k] = (ax * q[k] - bx * p[k]) / twice;
  }
}

/* How much a triangle wants of each. */
static void want(const sim_remesh_rules *r, const sim_remesh_state *s, int t, const double *curvature,
                 double out[3]) {
  double w[2][3], l[2], d[2], metric[3];
  memset(out, 0, 3 * sizeof *out);
  if (curvature) {
    const double bent[3] = {curvature[0], curvature[2], curvature[1]};
    principal(bent, l, d);
    for (int k = 0; k < 2; k++)
      l[k] =
          fmax(r->turn_rad > 0 ? pow(l[k] / r->turn_rad, 2) : 0, r->soft_m > 0 ? fabs(l[k]) / r->soft_m : 0);
    compose_metric(l, d, out);
  }
  if (r->change_m_per_s > 0) {
    slopes(&s->mesh, t, (const sim_vec3 *)s->v_m_per_s, w);
    for (int k = 0; k < 3; k++) add_outer(out, 1 / (r->change_m_per_s * r->change_m_per_s), w[0][k], w[1][k]);
  }
  if (r->compression > 0) {
    slopes(&s->mesh, t, (const sim_vec3 *)s->x_m, w);
    const double stretched[3] = {sim_dot(w[0], w[0]), sim_dot(w[0], w[1]), sim_dot(w[1], w[1])};
    principal(stretched, l, d);
    for (int k = 0; k < 2; k++)
      l[k] = pow(fmax(0, 1 - sqrt(fmax(l[k], 0))) / (r->compression * r->edge_min_m), 2);
    compose_metric(l, d, metric);
    for (int k = 0; k < 3; k++) out[k] += metric[k];
  }
}

static double at_bodies(const sim_remesh_rules *r, const double x[3], const sim_body *bodies, int n) {
  double part = 0;
  sim_touch touch;
  for (int b = 0; b < n && r->near_m > 0; b++)
    if (sim_body_near(&bodies[b], x, r->near_m, &touch))
      part = fmax(part, fmin(1, 1 - touch.distance_m / r->near_m));
  return part > 0 ? pow(part / r->near_edge_m, 2) : 0;
}

static bool is_rigid(const sim_remesh_state *s, int t) {
  const int *v = s->mesh.triangle[t];
  return s->gripped[v[0]] && s->gripped[v[1]] && s->gripped[v[2]];
}

/* The mean by area of the triangles around; rigid ones want nothing, and do not count beside others. */
void sim_remesh_sizes(const sim_remesh_rules *r, const sim_remesh_state *s,
                      const double (*curvature_per_m)[3], const sim_body *bodies, int n_bodies,
                      double (*metric)[3]) {
  const sim_mesh *m = &s->mesh;
  for (int i = 0; i < m->n_vertices; i++) {
    double area = 0;
    memset(metric[i], 0, sizeof *metric);
    for (int f = m->fan_start[i]; f < m->fan_start[i + 1]; f++) {
      const int t = m->fan[f] / 3;
      double own[3];
      if (is_rigid(s, t)) continue;
      want(r, s, t, curvature_per_m ? curvature_per_m[t] : NULL, own);
      area += m->area_m2[t];
      for (int k = 0; k < 3; k++) metric[i][k] += m->area_m2[t] * own[k];
    }
    const double body = at_bodies(r, s->x_m[i], bodies, n_bodies);
    for (int k = 0; k < 3; k++) metric[i][k] = (area > 0 ? metric[i][k] / area : 0) + (k == 1 ? 0 : body);
    sim_remesh_limit(r, metric[i]);
  }
}
