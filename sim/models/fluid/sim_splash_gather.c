/* Which particles are near which triangles: the fluid's own cells, searched by the triangles' boxes. */
#include <math.h>
#include <string.h>

#include "cb_array.h"
#include "sim_splash_impl.h"

#define SLOW 2          /* gaps in a step */
#define ROUND_UP 1.0001 /* what is left of doubles in floats */

typedef struct box {
  float lo[3], hi[3]; /* relative to the fluid's middle */
  int from[3], to[3]; /* cells */
} box;

static int cell_at(const sim_fluid *f, int axis, double x_m) {
  return (int)fmax(1, fmin(f->cells.n[axis] - 2, (x_m - f->cells.origin[axis]) / f->support));
}

/* Around a triangle at both ends of its way, and so much more. */
static box box_of(const sim_splash *s, const int t[3], const double (*end_m)[3], double more_m) {
  const sim_fluid *f = s->fluid;
  const double(*begin_m)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  box b;
  for (int k = 0; k < 3; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int c = 0; c < 3; c++) {
      lo = fmin(lo, fmin(begin_m[t[c]][k], end_m[t[c]][k]));
      hi = fmax(hi, fmax(begin_m[t[c]][k], end_m[t[c]][k]));
    }
    b.lo[k] = (float)(lo - more_m - f->middle[k]);
    b.hi[k] = (float)(hi + more_m - f->middle[k]);
    b.from[k] = cell_at(f, k, lo - more_m - s->slow_m);
    b.to[k] = cell_at(f, k, hi + more_m + s->slow_m);
  }
  return b;
}

/* How far everybody goes. The few that are fast are not looked for in cells: they would make all boxes
 * large. */
static void find_ways(sim_splash *s) {
  const sim_fluid *f = s->fluid;
  s->slow_m = SLOW * s->gap_m;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f->n; i++) {
    double way = 0;
    for (int k = 0; k < 3; k++) way = fmax(way, fabs(s->end[i][k] - f->x[i][k]));
    s->way[i] = (float)(way * ROUND_UP);
  }
  s->n_fast = 0;
  for (int i = 0; i < f->n; i++)
    if (s->way[i] > s->slow_m) s->fast[s->n_fast++] = i;
}

static bool make_room(sim_splash_list *l, int more) {
  const size_t wanted = (size_t)l->n + (size_t)more;
  if (wanted <= l->capacity) return true;
  sim_splash_pair *grown = cb_array_grow(l->pair, &l->capacity, wanted, sizeof *grown);
  if (grown) l->pair = grown;
  return grown != NULL;
}

static inline bool inside(const sim_splash *s, const box *b, int i) {
  const float *x = s->fluid->at[0], *y = s->fluid->at[1], *z = s->fluid->at[2], way = s->way[i];
  return (x[i] + way >= b->lo[0]) & (x[i] - way <= b->hi[0]) & (y[i] + way >= b->lo[1]) &
         (y[i] - way <= b->hi[1]) & (z[i] + way >= b->lo[2]) & (z[i] - way <= b->hi[2]);
}

static inline void search_run(const sim_splash *s, const box *b, int triangle, int from, int to,
                              sim_splash_list *l) {
  int n = l->n;
  for (int i = from; i < to; i++) {
    l->pair[n] = (sim_splash_pair){i, triangle};
    n += inside(s, b, i) & (s->way[i] <= s->slow_m);
  }
  l->n = n;
}

static bool search_cells(const sim_splash *s, const box *b, int triangle, sim_splash_list *l) {
  const sim_cells *c = &s->fluid->cells;
  for (int layer = b->from[2]; layer <= b->to[2]; layer++)
    for (int row = b->from[1]; row <= b->to[1]; row++) {
      const int line = (layer * c->n[1] + row) * c->n[0], from = c->start[line + b->from[0]],
                to = c->start[line + b->to[0] + 1];
      if (from == to) continue;
      if (!make_room(l, to - from)) return false;
      search_run(s, b, triangle, from, to, l);
    }
  return true;
}

static bool search_fast(const sim_splash *s, const box *b, int triangle, sim_splash_list *l) {
  if (!make_room(l, s->n_fast)) return false;
  for (int k = 0; k < s->n_fast; k++) {
    l->pair[l->n] = (sim_splash_pair){s->fast[k], triangle};
    l->n += inside(s, b, s->fast[k]);
  }
  return true;
}

/* Particles that have left the grid's inner cells are counted to the outermost: so are boxes beyond. */
static bool search_chunk(sim_splash *s, int chunk, const double (*end_m)[3]) {
  const sim_mesh *m = sim_wet_cloth_mesh(s->sheet);
  const int last = chunk * SIM_SPLASH_CHUNK + SIM_SPLASH_CHUNK;
  sim_splash_list *l = &s->list[chunk];
  l->n = 0;
  for (int t = chunk * SIM_SPLASH_CHUNK; t < last && t < m->n_triangles; t++) {
    const box b = box_of(s, m->triangle[t], end_m, s->gap_m + s->slack_m);
    if (!search_cells(s, &b, t, l) || !search_fast(s, &b, t, l)) return false;
  }
  return true;
}

/* From triangles to particles: a counting sort, in the order of the triangles. */
static bool turn_over(sim_splash *s, int n_chunks) {
  const int n = s->fluid->n;
  memset(s->first, 0, ((size_t)n + 1) * sizeof *s->first);
  for (int c = 0; c < n_chunks; c++)
    for (int p = 0; p < s->list[c].n; p++) s->first[s->list[c].pair[p].particle]++;
  int sum = 0;
  for (int i = 0; i <= n; i++) {
    sum += s->first[i];
    s->first[i] = sum;
  }
  int *grown = cb_array_grow(s->triangle, &s->triangles_capacity, (size_t)sum + 1, sizeof *grown);
  if (!grown) return false;
  s->triangle = grown;
  for (int c = n_chunks - 1; c >= 0; c--)
    for (int p = s->list[c].n - 1; p >= 0; p--)
      s->triangle[--s->first[s->list[c].pair[p].particle]] = s->list[c].pair[p].triangle;
  return true;
}

cb_status sim_splash_gather(sim_splash *s, const double (*end_m)[3], cb_err *err) {
  const int n_chunks = (sim_wet_cloth_mesh(s->sheet)->n_triangles + SIM_SPLASH_CHUNK - 1) / SIM_SPLASH_CHUNK;
  bool ok = true;
  find_ways(s);
#pragma omp parallel for schedule(dynamic, 1) reduction(&& : ok)
  for (int c = 0; c < n_chunks; c++) ok = search_chunk(s, c, end_m) && ok;
  ok = ok && turn_over(s, n_chunks);
  return ok ? CB_OK : cb_no_memory(err, "splash: pairs of particles and triangles");
}
