/* Discs: rings of vertices around the origin. With equal edges everywhere, each ring has six vertices more
 * than the one inside. The triangles are then equilateral except for the rings' curvature, and rings lie 3/pi
 * edges apart. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_mesh_draft.h"

#define RINGS_MAX 100000

typedef struct ring {
  double radius_m, turn; /* turn: angle of its first vertex, in turns */
  int n, curve;
} ring;

/* ---- rings ---- */

/* The annulus between two circles: edges along the radius, and the factor that makes whole rings. */
typedef struct annulus {
  sim_circle inner, outer;
  double edges, stretch;
  int rings;
} annulus;

static double slope(const annulus *a) {
  return (a->outer.edge_m - a->inner.edge_m) / (a->outer.radius_m - a->inner.radius_m);
}

static annulus annulus_of(const sim_disc *d, int k, double scale) {
  annulus a = {.inner = d->circle[k], .outer = d->circle[k + 1]};
  a.inner.edge_m *= scale;
  a.outer.edge_m *= scale;
  double width = a.outer.radius_m - a.inner.radius_m, step = a.outer.edge_m - a.inner.edge_m;
  /* The integral of dr/edge(r) */
  a.edges = width / a.inner.edge_m;
  if (step != 0) a.edges *= log1p(step / a.inner.edge_m) / (step / a.inner.edge_m);
  a.rings = (int)fmin(RINGS_MAX, fmax(1, round(a.edges * CB_PI / 3)));
  a.stretch = a.edges * CB_PI / (3 * a.rings);
  return a;
}

/* Radius of the annulus's ring i = 0 ... rings. */
static double radius_of(const annulus *a, int i) {
  double s = a->edges * i / a->rings, g = slope(a);
  if (i == 0) return a->inner.radius_m;
  if (i == a->rings) return a->outer.radius_m;
  return a->inner.radius_m + a->inner.edge_m * (g != 0 ? expm1(g * s) / g : s);
}

static ring ring_of(const annulus *a, int i, const ring *before) {
  ring r = {.radius_m = radius_of(a, i), .n = 1};
  if (r.radius_m > 0) {
    double edge = (a->inner.edge_m + slope(a) * (r.radius_m - a->inner.radius_m)) * a->stretch;
    r.n = (int)fmin(SIM_MESH_MAX_VERTICES, fmax(3, round(2 * CB_PI * r.radius_m / edge)));
  }
  if (before) r.turn = fmod(before->turn + (r.n == before->n ? 0.5 / r.n : 0), 1.0 / r.n);
  return r;
}

/* Makes all rings from the inside; out NULL: counts them only. Returns the number of vertices; INFINITY: too
 * many. */
static double plan(const sim_disc *d, double scale, ring *out, int *n_rings) {
  double vertices = 0;
  ring last;
  *n_rings = 0;
  for (int k = 0; k + 1 < d->n_circles; k++) {
    annulus a = annulus_of(d, k, scale);
    if (a.rings == RINGS_MAX) return INFINITY;
    for (int i = k > 0; i <= a.rings; i++) {
      last = ring_of(&a, i, *n_rings ? &last : NULL);
      if (i == a.rings) last.curve = k + 2;
      if (i == 0 && last.radius_m > 0) last.curve = 1;
      vertices += last.n;
      if (out) out[*n_rings] = last;
      ++*n_rings;
    }
  }
  return vertices;
}

/* ---- scale ---- */

static double count_at(const void *disc, double scale) {
  int n_rings;
  return plan(disc, scale, NULL, &n_rings);
}

static double scale_of(const sim_disc *d) {
  const sim_circle *first = &d->circle[0], *last = &d->circle[d->n_circles - 1];
  if (d->about_vertices <= 0) return 1;
  double area = CB_PI * (last->radius_m - first->radius_m) * (last->radius_m + first->radius_m), longest = 0,
         shortest = INFINITY;
  for (int i = 0; i < d->n_circles; i++) {
    longest = fmax(longest, d->circle[i].edge_m);
    shortest = fmin(shortest, d->circle[i].edge_m);
  }
  return sim_draft_edge(count_at, d, d->about_vertices, 0.5 * sqrt(area / d->about_vertices) / longest,
                        4 * last->radius_m / shortest);
}

static cb_status check_disc(const sim_disc *d, cb_err *err) {
  if (d->n_circles < 2 || d->n_circles > SIM_CIRCLES_MAX)
    return cb_fail(err, CB_E_RANGE, "disc: %d circles: 2 to %d were wanted", d->n_circles, SIM_CIRCLES_MAX);
  for (int i = 0; i < d->n_circles; i++) {
    const sim_circle *c = &d->circle[i];
    if (!(c->radius_m >= 0 && isfinite(c->radius_m) && (i == 0 || c->radius_m > c[-1].radius_m)))
      return cb_fail(err, CB_E_RANGE,
                     "disc: radius_m = %g of circle %d: must be >= 0, finite and larger than the one before",
                     c->radius_m, i);
    if (!(c->edge_m > 0 && isfinite(c->edge_m)))
      return cb_fail(err, CB_E_RANGE, "disc: edge_m = %g of circle %d: must be > 0 and finite", c->edge_m, i);
  }
  if (d->pattern != SIM_PATTERN_EQUILATERAL && d->pattern != SIM_PATTERN_IRREGULAR)
    return cb_fail(err, CB_E_RANGE, "disc: pattern %d: must be equilateral or irregular", (int)d->pattern);
  if (d->about_vertices < 0 || d->about_vertices > SIM_MESH_MAX_VERTICES)
    return cb_fail(err, CB_E_RANGE, "disc: about_vertices = %d: must be 0 to %d", d->about_vertices,
                   SIM_MESH_MAX_VERTICES);
  return cb_check_range(d->warp_rad, -INFINITY, INFINITY, "disc: warp", "rad", err);
}

/* ---- the mesh ---- */

static double turn_of(const sim_draft_row *row, int i) { return row->from + (double)i / row->n; }

static void put_ring(const ring *r, sim_draft *d) {
  for (int i = 0; i < r->n; i++) {
    double angle = 2 * CB_PI * (r->turn + (double)i / r->n);
    sim_draft_vertex(d, r->radius_m * cos(angle), r->radius_m * sin(angle), r->curve);
  }
}

static sim_draft_row row_of(const ring *r, int first) {
  return (sim_draft_row){
      .first = first, .n = r->n, .steps = r->n > 1 ? r->n : 0, .at = turn_of, .from = r->turn};
}

static void put_rings(const ring *r, int n, sim_draft *d) {
  put_ring(&r[0], d);
  for (int i = 1, first = 0; i < n; first += r[i - 1].n, i++) {
    sim_draft_row inner = row_of(&r[i - 1], first), outer = row_of(&r[i], d->n_vertices);
    put_ring(&r[i], d);
    sim_draft_zip(d, &outer, &inner);
  }
}

typedef struct scaled {
  const sim_disc *disc;
  double scale;
} scaled;

static double edge_at(const void *context, const double at_m[2]) {
  const scaled *s = context;
  const sim_circle *c = s->disc->circle;
  double r = hypot(at_m[0], at_m[1]);
  int k = 0;
  while (k + 2 < s->disc->n_circles && r > c[k + 1].radius_m) k++;
  double part = fmin(1, fmax(0, (r - c[k].radius_m) / (c[k + 1].radius_m - c[k].radius_m)));
  return s->scale * (c[k].edge_m + part * (c[k + 1].edge_m - c[k].edge_m));
}

/* A ring of few vertices cuts its corners; it must not cut into the ring inside. */
static cb_status check_rings(const ring *r, int n, cb_err *err) {
  for (int i = 1; i < n; i++)
    if (!(r[i].radius_m * cos(CB_PI / r[i].n) > r[i - 1].radius_m))
      return cb_fail(err, CB_E_RANGE,
                     "disc: %d edges around r = %g m cut into the ring of r = %g m: shorter edges or more "
                     "vertices were wanted",
                     r[i].n, r[i].radius_m, r[i - 1].radius_m);
  return CB_OK;
}

static cb_status draw_disc(const sim_disc *disc, double scale, sim_draft *d, cb_err *err) {
  int n_rings;
  double vertices = plan(disc, scale, NULL, &n_rings);
  if (!(vertices <= SIM_MESH_MAX_VERTICES))
    return cb_fail(err, CB_E_RANGE, "disc: %g vertices: at most %d were wanted", vertices,
                   SIM_MESH_MAX_VERTICES);
  ring *rings = calloc((size_t)n_rings + 1, sizeof *rings);
  if (!rings) return cb_no_memory(err, "disc, %d rings", n_rings);
  (void)plan(disc, scale, rings, &n_rings);
  cb_status st = check_rings(rings, n_rings, err);
  if (st == CB_OK) st = sim_draft_init(d, (int)vertices, 2 * (int)vertices, err);
  if (st == CB_OK) put_rings(rings, n_rings, d);
  free(rings);
  if (st == CB_OK && disc->pattern == SIM_PATTERN_IRREGULAR)
    st = sim_draft_relax(d, &(sim_sizing){edge_at, &(scaled){disc, scale}}, disc->seed, err);
  return st;
}

cb_status sim_mesh_disc(const sim_disc *disc, sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){0};
  CB_TRY(check_disc(disc, err));
  sim_draft d = {0};
  cb_status st = draw_disc(disc, scale_of(disc), &d, err);
  if (st == CB_OK) st = sim_draft_finish(&d, disc->warp_rad, out, err);
  sim_draft_clear(&d);
  return st;
}
