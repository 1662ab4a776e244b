/* What may be done to a mesh under edit, and what should be. */
#include <math.h>
#include <string.h>

#include "sim_mesh_edit.h"
#include "sim_vec.h"

#define QUALITY 0.2    /* of a triangle that is made, where those before were not worse */
#define NO_AREA 1e-9   /* of the square of an edge */
#define STRAIGHT 1e-12 /* sine of an angle that is rounding */
#define TURN 0.5       /* cosine: no normal turns by more than 60 deg where a vertex goes */
#define ROUNDING 1e-9

static bool all_gripped(const sim_mesh_edit *p, const int v[3]) {
  return p->vertex[v[0]].gripped && p->vertex[v[1]].gripped && p->vertex[v[2]].gripped;
}

static void normal_of(const sim_mesh_edit *p, const int v[3], double out[3]) {
  double a[3], b[3];
  sim_sub(p->vertex[v[1]].x_m, p->vertex[v[0]].x_m, a);
  sim_sub(p->vertex[v[2]].x_m, p->vertex[v[0]].x_m, b);
  sim_cross(a, b, out);
}

/* Do the sides face alike within an angle of this cosine? */
static bool faces(const sim_mesh_edit *p, const int now[3], const int before[3], double cosine) {
  double n[3], m[3];
  normal_of(p, now, n);
  normal_of(p, before, m);
  return sim_dot(n, m) > cosine * sim_norm(n) * sim_norm(m);
}

/* Of a place from the triangle's plane. */
static double height(const sim_mesh_edit *p, const int v[3], const double x_m[3]) {
  double n[3], d[3];
  normal_of(p, v, n);
  sim_sub(x_m, p->vertex[v[0]].x_m, d);
  const double length = sim_norm(n);
  return length > 0 ? fabs(sim_dot(n, d)) / length : 0;
}

static bool has_area(const sim_mesh_edit *p, const int v[3]) {
  double longest2 = 0;
  for (int k = 0; k < 3; k++) {
    const double *a = p->vertex[v[k]].cloth_m, *b = p->vertex[v[sim_after(k)]].cloth_m;
    longest2 = fmax(longest2, (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
  }
  return sim_mesh_edit_area(p, v) > NO_AREA * longest2;
}

/* Splits leave W as it is, so they are not asked. */
static bool fits(const sim_mesh_edit *p, const int v[3]) {
  double corner[3][2], slope[2][3], w[2][3] = {{0}};
  if (p->fits == NULL) return true;
  for (int c = 0; c < 3; c++) memcpy(corner[c], p->vertex[v[c]].cloth_m, sizeof corner[c]);
  sim_mesh_slopes((const double(*)[2])corner, slope);
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 3; c++) sim_add(w[a], slope[a][c], p->vertex[v[c]].x_m);
  return p->fits(p->fits_of, (const sim_vec3 *)w);
}

/* ---- flips ---- */

typedef struct quad {
  int a, b, c, d; /* triangles (a, b, c) and (d, c, b) */
} quad;

static bool quad_of(const sim_mesh_edit *p, int half, quad *q) {
  const sim_patch_triangle *t = &p->triangle[half / 3];
  const int k = half % 3, u = t->neighbour[k];
  if (u < 0) return false;
  *q = (quad){t->vertex[k], t->vertex[sim_after(k)], t->vertex[sim_before(k)], -1};
  const int *w = p->triangle[u].vertex;
  for (int i = 0; i < 3; i++)
    if (w[i] != q->b && w[i] != q->c) q->d = w[i];
  return true;
}

/* The outline of what is gripped stays, and nothing more becomes rigid. */
static bool grips_stay(const sim_mesh_edit *p, const quad *q) {
  const bool a = p->vertex[q->a].gripped, b = p->vertex[q->b].gripped, c = p->vertex[q->c].gripped,
             d = p->vertex[q->d].gripped;
  if (a && b && c && d) return true;
  return !(b && c) && !(a && d && (b || c));
}

bool sim_mesh_edit_may_flip(const sim_mesh_edit *p, int half) {
  quad q;
  if (!quad_of(p, half, &q) || !grips_stay(p, &q)) return false;
  const int before[2][3] = {{q.a, q.b, q.c}, {q.d, q.c, q.b}}, now[2][3] = {{q.a, q.b, q.d}, {q.d, q.c, q.a}};
  for (int i = 0; i < 2; i++) {
    if (!has_area(p, now[i]) || !fits(p, now[i])) return false;
    if (height(p, now[i], p->vertex[i == 0 ? q.c : q.b].x_m) > p->shift_m) return false;
    for (int j = 0; j < 2; j++)
      if (!faces(p, now[i], before[j], 0)) return false;
  }
  int corner[SIM_RING];
  return sim_mesh_edit_half(p, q.a, q.d) < 0 && sim_mesh_edit_ring(p, q.a, corner) < SIM_RING &&
         sim_mesh_edit_ring(p, q.d, corner) < SIM_RING;
}

/* The cotangent of the angle at `apex`, times the two areas' root of the determinant, in one metric. */
static double apart(const double m[3], const double *apex, const double *p, const double *q, double *cross) {
  const double a[2] = {p[0] - apex[0], p[1] - apex[1]}, b[2] = {q[0] - apex[0], q[1] - apex[1]};
  *cross = a[0] * b[1] - a[1] * b[0];
  return m[0] * a[0] * b[0] + m[1] * (a[0] * b[1] + a[1] * b[0]) + m[2] * a[1] * b[1];
}

/* Bossen and Heckbert (1996), the paper's eq. 8: the two angles against the edge are more than 180 degrees
 * together in the mean metric of the four. The same four have the same mean after a flip, so that none is
 * undone at once. */
bool sim_mesh_edit_wants_flip(const sim_mesh_edit *p, int half) {
  quad q;
  if (!quad_of(p, half, &q)) return false;
  const sim_patch_vertex *a = &p->vertex[q.a], *b = &p->vertex[q.b], *c = &p->vertex[q.c],
                         *d = &p->vertex[q.d];
  double m[3], cross_a, cross_d;
  for (int i = 0; i < 3; i++) m[i] = a->metric[i] + b->metric[i] + c->metric[i] + d->metric[i];
  const double dot_a = apart(m, a->cloth_m, b->cloth_m, c->cloth_m, &cross_a),
               dot_d = apart(m, d->cloth_m, c->cloth_m, b->cloth_m, &cross_d);
  return dot_a * cross_d + dot_d * cross_a < -ROUNDING * (fabs(dot_a) * cross_d + fabs(dot_d) * cross_a);
}

/* ---- collapses ---- */

/* Between its neighbours on a straight piece of the border. */
static bool is_straight(const sim_mesh_edit *p, int v, int before, int after) {
  const double *x = p->vertex[v].cloth_m, *y = p->vertex[before].cloth_m, *z = p->vertex[after].cloth_m;
  const double a[2] = {y[0] - x[0], y[1] - x[1]}, b[2] = {z[0] - x[0], z[1] - x[1]};
  const double cross = a[0] * b[1] - a[1] * b[0], dot = a[0] * b[0] + a[1] * b[1];
  return dot < 0 && fabs(cross) <= -STRAIGHT * dot;
}

/* The vertex may leave: no load, no corner of the border, no outline of the grips. */
static bool may_leave(const sim_mesh_edit *p, int gone, int stays, const int *around, int n_around,
                      bool on_border) {
  if (p->vertex[gone].load_kg > 0) return false;
  if (p->vertex[gone].gripped)
    for (int i = 0; i < n_around; i++)
      if (!p->vertex[around[i]].gripped) return false;
  if (!on_border) return true;
  return (stays == around[0] || stays == around[n_around - 1]) &&
         is_straight(p, gone, around[0], around[n_around - 1]);
}

/* Exactly the corners opposite to the edge are neighbours of both, or the cloth would be pinched; and not too
 * many will meet there. */
static bool link_is_clean(const sim_mesh_edit *p, int stays, const int *around, int n_around,
                          bool on_border) {
  int corner[SIM_RING], other[SIM_RING + 1], common = 0;
  const int n = sim_mesh_edit_ring(p, stays, corner);
  if (n + n_around > SIM_RING) return false;
  const int n_other = sim_mesh_edit_around(p, corner, n, other);
  for (int i = 0; i < n_around; i++)
    for (int j = 0; j < n_other; j++) common += around[i] == other[j];
  return common == (on_border ? 1 : 2);
}

/* One of the triangles that the collapse leaves. */
static bool is_fair(const sim_mesh_edit *p, const int before[3], const int now[3], double worst) {
  if (!has_area(p, now) || all_gripped(p, now) != all_gripped(p, before)) return false;
  for (int k = 0; k < 3; k++)
    if (now[k] != before[k] && height(p, now, p->vertex[before[k]].x_m) > p->shift_m) return false;
  for (int k = 0; k < 3; k++)
    if (sim_mesh_edit_length2(p, now[k], now[sim_after(k)]) > SIM_REMESH_COARSE * SIM_REMESH_COARSE &&
        sim_mesh_edit_length2(p, now[k], now[sim_after(k)]) >
            sim_mesh_edit_length2(p, before[k], before[sim_after(k)]))
      return false;
  return sim_mesh_edit_quality(p, now) >= fmin(QUALITY, worst) && faces(p, now, before, TURN);
}

bool sim_mesh_edit_may_collapse(const sim_mesh_edit *p, int gone, int stays) {
  int corner[SIM_RING], around[SIM_RING + 1];
  const int n = sim_mesh_edit_ring(p, gone, corner);
  if (n > SIM_RING) return false;
  const int n_around = sim_mesh_edit_around(p, corner, n, around);
  const bool on_border = n_around > n;
  if (!may_leave(p, gone, stays, around, n_around, on_border) ||
      !link_is_clean(p, stays, around, n_around, on_border))
    return false;
  double worst = 1;
  int left = 0;
  for (int i = 0; i < n; i++)
    worst = fmin(worst, sim_mesh_edit_quality(p, p->triangle[corner[i] / 3].vertex));
  for (int i = 0; i < n; i++) {
    const int *v = p->triangle[corner[i] / 3].vertex;
    if (v[0] == stays || v[1] == stays || v[2] == stays) continue;
    int now[3] = {v[0], v[1], v[2]};
    now[corner[i] % 3] = stays;
    if (!is_fair(p, v, now, worst) || !fits(p, now)) return false;
    left++;
  }
  return left > 0;
}
