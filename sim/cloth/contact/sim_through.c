/* Detects a body that came through the cloth within a step: the cloth came across the body's core. */
#include "sim_through.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_body_inner.h"
#include "sim_contacts_impl.h"
#include "sim_solid.h"
#include "sim_vec.h"

#define NEAR_SHARE 1e-3 /* of a body's inner radius: the tolerance at its core */
#define RIM_SHARE \
  0.25 /* of a body's size: wider triangles do not lie over its rim; for them the body is a point */

typedef struct swept {
  double low[3], high[3];
} swept;

static void widen(swept *b, const double start[3], const double end[3]) {
  for (int k = 0; k < 3; k++) {
    b->low[k] = sim_lesser(b->low[k], sim_lesser(start[k], end[k]));
    b->high[k] = sim_greater(b->high[k], sim_greater(start[k], end[k]));
  }
}

static const swept none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static bool beside(const swept *a, const swept *b) {
  for (int k = 0; k < 3; k++)
    if (a->low[k] > b->high[k] || a->high[k] < b->low[k]) return true;
  return false;
}

typedef struct point_way {
  double low_m; /* of the box, along the axis of the list */
  swept box;
  int point;
} point_way;

/* The ways of the points in a step, each in a box that is near_m wider, by their lows along one axis. */
typedef struct ways {
  int n, axis;
  double widest_m; /* along the axis */
  swept all;
  point_way way[SIM_CORE_MOST];
} ways;

static point_way way_of(int point, const double start[3], const double end[3], double near_m) {
  point_way w = {.box = none, .point = point};
  widen(&w.box, start, end);
  for (int k = 0; k < 3; k++) {
    w.box.low[k] -= near_m;
    w.box.high[k] += near_m;
  }
  return w;
}

static int by_low(const void *a, const void *b) {
  const point_way *u = a, *v = b;
  return (u->low_m > v->low_m) - (u->low_m < v->low_m);
}

static void list_ways(const double (*start)[3], const double (*end)[3], int n, double near_m, ways *w) {
  w->n = n;
  w->all = none;
  w->axis = 0;
  w->widest_m = 0;
  for (int p = 0; p < n; p++) {
    w->way[p] = way_of(p, start[p], end[p], near_m);
    widen(&w->all, w->way[p].box.low, w->way[p].box.high);
  }
  for (int k = 1; k < 3; k++)
    if (w->all.high[k] - w->all.low[k] > w->all.high[w->axis] - w->all.low[w->axis]) w->axis = k;
  for (int p = 0; p < n; p++) {
    point_way *own = &w->way[p];
    own->low_m = own->box.low[w->axis];
    w->widest_m = sim_greater(w->widest_m, own->box.high[w->axis] - own->low_m);
  }
  qsort(w->way, (size_t)n, sizeof w->way[0], by_low);
}

/* The first way whose box may reach the height `at` along the axis. */
static int first_way(const ways *w, double at) {
  int low = 0, high = w->n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (w->way[middle].low_m + w->widest_m < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool moves_here(const int *v, const bool *gripped, int first, int n) {
  for (int i = 0; i < 3; i++)
    if (v[i] < first || v[i] >= first + n) return false;
  return !gripped || !(gripped[v[0]] && gripped[v[1]] && gripped[v[2]]);
}

/* At from + far d. */
static bool is_inside(const sim_solid *solid, const double from[3], double far, const double d[3]) {
  double x[3] = {from[0], from[1], from[2]}, normal[3];
  sim_add(x, far, d);
  return sim_solid_distance(solid, x, normal) < 0;
}

/* A triangle that is wider than the body is thick may cut the body's rim, with its corners on both faces.
 * That is so at a core point if, at the triangle's width in some direction, the body is on one side and not
 * on the other. */
static bool at_rim(const sim_solid *solid, int point, double wide_m) {
  const sim_core *core = sim_solid_core(solid);
  swept all = none;
  double size[3];
  for (int i = 0; i < core->n; i++) widen(&all, core->x_m[i], core->x_m[i]);
  sim_sub(all.high, all.low, size);
  if (wide_m <= core->inner_m || wide_m > RIM_SHARE * sim_norm(size)) return false;
  for (int way = 14; way < 27; way++) {
    const int step[3] = {way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1};
    const double d[3] = {step[0], step[1], step[2]}, far = wide_m / sim_norm(d);
    if (is_inside(solid, core->x_m[point], far, d) != is_inside(solid, core->x_m[point], -far, d))
      return true;
  }
  return false;
}

static bool comes_across(const int *v, const double (*x0)[3], const double (*x1)[3], const double start[3],
                         const double end[3], double near_m) {
  double from[4][3], to[4][3];
  memcpy(from[0], start, sizeof from[0]);
  memcpy(to[0], end, sizeof to[0]);
  for (int i = 0; i < 3; i++) {
    memcpy(from[i + 1], x0[v[i]], sizeof from[0]);
    memcpy(to[i + 1], x1[v[i]], sizeof to[0]);
  }
  return sim_core_meets_triangle((const sim_vec3 *)from, (const sim_vec3 *)to, near_m);
}

static double longest_edge(const double (*x)[3], const int *v) {
  double longest = 0, d[3];
  for (int i = 0; i < 3; i++) {
    sim_sub(x[v[i]], x[v[(i + 1) % 3]], d);
    longest = fmax(longest, sim_norm(d));
  }
  return longest;
}

/* Whether a triangle in this box comes across one of the points. */
static bool across_any(const ways *w, const swept *box, const int *v, const double (*x0)[3],
                       const double (*x1)[3], const double (*start_m)[3], const double (*end_m)[3],
                       double near_m, const sim_solid *solid) {
  for (int k = first_way(w, box->low[w->axis]); k < w->n && w->way[k].low_m <= box->high[w->axis]; k++) {
    const int p = w->way[k].point;
    if (!beside(&w->way[k].box, box) && comes_across(v, x0, x1, start_m[p], end_m[p], near_m) &&
        (!solid || !at_rim(solid, p, longest_edge(x1, v))))
      return true;
  }
  return false;
}

int sim_through_find(const sim_mesh *mesh, const bool *gripped, int first, int n, const double (*x0)[3],
                     const double (*x1)[3], const double (*start_m)[3], const double (*end_m)[3], int points,
                     double near_m, const sim_solid *solid) {
  ways w;
  int found = INT_MAX;
  list_ways(start_m, end_m, points, 2 * near_m, &w);
#pragma omp parallel for schedule(static) reduction(min : found) if (mesh->n_triangles > CB_FEW)
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int *v = mesh->triangle[t];
    swept box = none;
    for (int i = 0; i < 3; i++) widen(&box, x0[v[i]], x1[v[i]]);
    if (t < found && !beside(&w.all, &box) && moves_here(v, gripped, first, n) &&
        across_any(&w, &box, v, x0, x1, start_m, end_m, near_m, solid))
      found = t;
  }
  return found == INT_MAX ? -1 : found;
}

cb_status sim_through_fail(const sim_mesh *mesh, const bool *gripped, const double (*x)[3], int triangle,
                           const char *body, double inner_m, double time_s, double dt_s, cb_err *err) {
  const int *v = mesh->triangle[triangle];
  const bool held = gripped && (gripped[v[0]] || gripped[v[1]] || gripped[v[2]]);
  const double longest_m = longest_edge(x, v);
  double middle[3] = {0, 0, 0};
  char wanted[120];
  for (int i = 0; i < 3; i++) sim_add(middle, 1e3 / 3, x[v[i]]);
  if (held)
    (void)snprintf(wanted, sizeof wanted, "a grip holds it there, which no body stops: another motion");
  else if (longest_m > inner_m)
    (void)snprintf(wanted, sizeof wanted,
                   "it is %.3g mm wide there: a finer mesh, or cloth that is stretched less,",
                   1e3 * longest_m);
  else
    (void)snprintf(wanted, sizeof wanted, "a step of at most %.2g ms", 1e3 * dt_s / 2);
  return cb_fail(err, CB_E_NUM,
                 "%s came through the cloth at t = %g s: triangle %d at (%.4g, %.4g, %.4g) mm got to its "
                 "middle, %.3g mm below its surface; "
                 "%s is wanted",
                 body, time_s, triangle, middle[0], middle[1], middle[2], 1e3 * inner_m, wanted);
}

/* ---- rigid bodies ---- */

/* A vertex in the cylinder's frame: two components across, one along the axis. */
static void in_frame(const sim_body *b, const double u[3], const double v[3], const double x[3],
                     double out[3]) {
  double d[3];
  sim_sub(x, b->origin_m, d);
  out[0] = sim_dot(d, u);
  out[1] = sim_dot(d, v);
  out[2] = sim_dot(d, b->axis);
}

typedef struct frames {
  const sim_body *body[2]; /* at the start, at the end */
  double u[2][3], v[2][3];
} frames;

static frames frames_of(const sim_body *start, const sim_body *end, double dt_s) {
  frames f = {.body = {start, end}};
  double any[3] = {0, 0, 0};
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(start->axis[k]) < fabs(start->axis[least])) least = k;
  any[least] = 1;
  sim_cross(start->axis, any, f.u[0]);
  const double length = sim_norm(f.u[0]);
  for (int k = 0; k < 3; k++) f.u[0][k] /= length;
  memcpy(f.u[1], f.u[0], sizeof f.u[0]);
  sim_turn(f.u[1], start->spin_rad_per_s, dt_s);
  for (int e = 0; e < 2; e++) sim_cross(f.body[e]->axis, f.u[e], f.v[e]);
  return f;
}

/* Tests an edge against the axis, which is made as long as the edge needs it. */
static bool edge_meets_axis(const sim_stage *s, const frames *f, const int *v, double near_m) {
  double way[2][4][3] = {{{0}}}, low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 2; i++) {
    in_frame(f->body[0], f->u[0], f->v[0], s->x[v[i]], way[0][i]);
    in_frame(f->body[1], f->u[1], f->v[1], s->at[v[i]], way[1][i]);
    for (int e = 0; e < 2; e++) {
      low = fmin(low, way[e][i][2]);
      high = fmax(high, way[e][i][2]);
    }
  }
  for (int e = 0; e < 2; e++) {
    way[e][2][2] = low - f->body[0]->radius_m;
    way[e][3][2] = high + f->body[0]->radius_m;
  }
  return sim_core_meets_edge((const sim_vec3 *)way[0], (const sim_vec3 *)way[1], near_m);
}

static int find_at_axis(const sim_contacts *c, const sim_stage *s, int body) {
  const sim_mesh *mesh = s->setup->mesh;
  const bool *gripped = s->setup->gripped;
  const frames f = frames_of(&c->bodies[body], &c->bodies_next[body], s->dt_s);
  int found = INT_MAX;
#pragma omp parallel for schedule(static) reduction(min : found) if (mesh->n_edges > CB_FEW)
  for (int e = 0; e < mesh->n_edges; e++) {
    const int *v = mesh->edge[e].vertex;
    if (gripped && gripped[v[0]] && gripped[v[1]]) continue;
    if (e < found && edge_meets_axis(s, &f, v, NEAR_SHARE * c->bodies[body].radius_m)) found = e;
  }
  return found == INT_MAX ? -1 : mesh->edge[found].triangle[0];
}

static int find_at_core(const sim_contacts *c, const sim_stage *s, int body) {
  double start[SIM_CORE_MOST][3], end[SIM_CORE_MOST][3];
  const sim_body *b = &c->bodies[body], *next = &c->bodies_next[body];
  const sim_core *core = b->shape == SIM_TRIANGLES ? sim_solid_core(b->solid) : NULL;
  const double middle[3] = {0, 0, 0};
  const int n = core ? core->n : 1;
  for (int i = 0; i < n; i++) {
    sim_body_place(b, core ? core->x_m[i] : middle, start[i]);
    sim_body_place(next, core ? core->x_m[i] : middle, end[i]);
  }
  return sim_through_find(s->setup->mesh, s->setup->gripped, 0, s->n, (const sim_vec3 *)s->x,
                          (const sim_vec3 *)s->at, (const sim_vec3 *)start, (const sim_vec3 *)end, n,
                          NEAR_SHARE * sim_body_inner_m(b), core ? b->solid : NULL);
}

cb_status sim_through_check(const sim_contacts *c, const sim_stage *s, double time_s, cb_err *err) {
  for (int b = 0; b < s->setup->n_bodies; b++) {
    char name[64];
    const sim_shape shape = c->bodies[b].shape;
    if (shape == SIM_PLANE) continue;
    const int t = shape == SIM_CYLINDER ? find_at_axis(c, s, b) : find_at_core(c, s, b);
    if (t < 0) continue;
    (void)snprintf(name, sizeof name, "body %d (%s)", b + 1, sim_shape_names[shape]);
    return sim_through_fail(s->setup->mesh, s->setup->gripped, (const sim_vec3 *)s->at, t, name,
                            sim_body_inner_m(&c->bodies[b]), time_s + s->dt_s, s->dt_s, err);
  }
  return CB_OK;
}
