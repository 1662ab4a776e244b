/* What a run is compared with: another run, or a scan. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_obj.h"
#include "show_view_impl.h"
#include "sim_query.h"

#define OBJ_BYTES ((size_t)1 << 28)
#define CELLS_ACROSS 128 /* of the grid, at most */

struct show_against {
  char name[SHOW_NAME_BYTES];
  show_frames *frames; /* NULL: a scan */
  show_frame scan;     /* its one surface */
  double *time_s;      /* of the frames */
};

/* ---- reading ---- */

static cb_status read_scan(const char *path, show_against *a, cb_err *err) {
  cb_obj o;
  show_surface *s = &a->scan.surface[0];
  cb_status st = cb_obj_read(path, OBJ_BYTES, &o, err);
  if (st == CB_OK) {
    *s = (show_surface){.cloth = true, .n_vertices = (int)o.n_vertices, .n_triangles = (int)o.n_triangles};
    s->position_m = malloc(o.n_vertices * sizeof *s->position_m + 1);
    s->triangle = malloc(o.n_triangles * sizeof *s->triangle + 1);
    a->scan.n_surfaces = 1;
    if (!s->position_m || !s->triangle) st = cb_no_memory(err, "%s", path);
  }
  for (size_t v = 0; st == CB_OK && v < o.n_vertices; v++)
    for (int k = 0; k < 3; k++) s->position_m[v][k] = (float)o.vertex[v][k];
  if (st == CB_OK) memcpy(s->triangle, o.triangle, o.n_triangles * sizeof *s->triangle);
  cb_obj_clear(&o);
  return st;
}

static cb_status read_times(show_against *a, cb_err *err) {
  const int n = show_frames_count(a->frames);
  show_frame f;
  a->time_s = malloc(((size_t)n + 1) * sizeof *a->time_s);
  if (!a->time_s) return cb_no_memory(err, "view, %d frames", n);
  for (int k = 0; k < n; k++) {
    CB_TRY(show_frames_read(a->frames, k, &f, err));
    a->time_s[k] = f.time_s;
    show_frame_clear(&f);
  }
  return n > 0 ? CB_OK : cb_fail(err, CB_E_RANGE, "%s: has no frame to compare with", a->name);
}

/* The file's name without folder; of frames.show, the folder's. */
static void name_it(const char *path, char out[SHOW_NAME_BYTES]) {
  const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
  if (slash && strcmp(from, SHOW_FRAMES_FILE) == 0) {
    for (from = slash; from > path && from[-1] != '/';) from--;
    (void)snprintf(out, SHOW_NAME_BYTES, "%.*s", (int)(slash - from), from);
  } else {
    (void)snprintf(out, SHOW_NAME_BYTES, "%s", from);
  }
}

static cb_status read_against(const char *path, show_against *a, cb_err *err) {
  const size_t n = strlen(path), m = strlen(SHOW_FRAMES_FILE);
  name_it(path, a->name);
  if (n < m || strcmp(path + n - m, SHOW_FRAMES_FILE) != 0) return read_scan(path, a, err);
  CB_TRY(show_frames_open(path, &a->frames, err));
  return read_times(a, err);
}

cb_status show_against_open(const char *path, show_against **out, cb_err *err) {
  *out = calloc(1, sizeof **out);
  return *out ? read_against(path, *out, err) : cb_no_memory(err, "%s", path);
}

void show_against_free(show_against *a) {
  if (!a) return;
  show_frame_clear(&a->scan);
  show_frames_close(a->frames);
  free(a->time_s);
  free(a);
}

const char *show_against_name(const show_against *a) { return a->name; }

/* ---- the nearest point ---- */

/* A grid of cells over all cloth of a frame; each lists the triangles whose box meets it. */
typedef struct grid {
  double low[3], cell_m;
  int n[3], *first, *list; /* of cell c: list[first[c]] .. list[first[c + 1] - 1] */
  int n_triangles;
  double (*corner)[3][3];
} grid;

static void grid_clear(grid *g) {
  free(g->first);
  free(g->list);
  free(g->corner);
}

static int cell_at(const grid *g, int axis, double x) {
  const double c = floor((x - g->low[axis]) / g->cell_m);
  return c < 0 ? 0 : c >= g->n[axis] ? g->n[axis] - 1 : (int)c;
}

static cb_status gather(grid *g, const show_frame *f, double high[3], cb_err *err) {
  size_t n = 0;
  for (int s = 0; s < f->n_surfaces; s++) n += f->surface[s].cloth ? (size_t)f->surface[s].n_triangles : 0;
  g->corner = malloc((n + 1) * sizeof *g->corner);
  if (!g->corner) return cb_no_memory(err, "view, %zu triangles", n);
  for (int c = 0; c < 3; c++) g->low[c] = INFINITY, high[c] = -INFINITY;
  for (int s = 0; s < f->n_surfaces; s++)
    for (int t = 0; f->surface[s].cloth && t < f->surface[s].n_triangles; t++, g->n_triangles++)
      for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) {
          const double x = f->surface[s].position_m[f->surface[s].triangle[t][k]][c];
          g->corner[g->n_triangles][k][c] = x;
          g->low[c] = fmin(g->low[c], x);
          high[c] = fmax(high[c], x);
        }
  return CB_OK;
}

static void box_of(const grid *g, int t, int low[3], int high[3]) {
  for (int c = 0; c < 3; c++) {
    const double x[3] = {g->corner[t][0][c], g->corner[t][1][c], g->corner[t][2][c]};
    low[c] = cell_at(g, c, fmin(x[0], fmin(x[1], x[2])));
    high[c] = cell_at(g, c, fmax(x[0], fmax(x[1], x[2])));
  }
}

/* Counts, or with `list` fills, the cells of every triangle. */
static void visit_cells(grid *g, int *at, bool fill) {
  for (int t = 0; t < g->n_triangles; t++) {
    int low[3], high[3];
    box_of(g, t, low, high);
    for (int z = low[2]; z <= high[2]; z++)
      for (int y = low[1]; y <= high[1]; y++)
        for (int x = low[0]; x <= high[0]; x++) {
          int *n = &at[(z * g->n[1] + y) * g->n[0] + x];
          if (fill) g->list[*n] = t;
          (*n)++;
        }
  }
}

static cb_status grid_make(const show_frame *f, grid *g, cb_err *err) {
  double high[3], size = 0;
  CB_TRY(gather(g, f, high, err));
  for (int c = 0; c < 3; c++) size = fmax(size, high[c] - g->low[c]);
  const double across = fmin(CELLS_ACROSS, fmax(1, sqrt(g->n_triangles)));
  g->cell_m = g->n_triangles > 0 && size > 0 ? size / across : 1;
  for (int c = 0; c < 3; c++) g->n[c] = g->n_triangles > 0 ? 1 + (int)((high[c] - g->low[c]) / g->cell_m) : 1;
  const size_t cells = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  int *at = calloc(cells + 1, sizeof *at);
  g->first = calloc(cells + 1, sizeof *g->first);
  if (at && g->first) {
    visit_cells(g, at, false);
    for (size_t c = 0; c < cells; c++) g->first[c + 1] = g->first[c] + at[c];
    memcpy(at, g->first, cells * sizeof *at);
    g->list = malloc(((size_t)g->first[cells] + 1) * sizeof *g->list);
    if (g->list) visit_cells(g, at, true);
  }
  free(at);
  return g->list ? CB_OK : cb_no_memory(err, "view, %zu cells", cells);
}

static double distance_to(const grid *g, int t, const double x[3]) {
  double point[4][3], weight[4];
  memcpy(point[0], x, sizeof point[0]);
  memcpy(point[1], g->corner[t], sizeof g->corner[t]);
  return sim_closest(SIM_VERTEX_TRIANGLE, (const double(*)[3])point, weight);
}

/* Of the cells that are `ring` away from the middle one. */
static double nearest_in_ring(const grid *g, const int at[3], int ring, const double x[3], double best) {
  for (int k = at[2] - ring; k <= at[2] + ring; k++)
    for (int j = at[1] - ring; j <= at[1] + ring; j++) {
      const bool face = abs(k - at[2]) == ring || abs(j - at[1]) == ring;
      for (int i = at[0] - ring; i <= at[0] + ring; i += face || ring == 0 ? 1 : 2 * ring) {
        if (i < 0 || j < 0 || k < 0 || i >= g->n[0] || j >= g->n[1] || k >= g->n[2]) continue;
        const int c = (k * g->n[1] + j) * g->n[0] + i;
        for (int l = g->first[c]; l < g->first[c + 1]; l++) best = fmin(best, distance_to(g, g->list[l], x));
      }
    }
  return best;
}

/* A point outside of the grid begins at the nearest cell: cells `ring` away are at least (ring - 1) cells
 * away from it, too. */
static double nearest(const grid *g, const float p[3]) {
  const double x[3] = {p[0], p[1], p[2]};
  const int at[3] = {cell_at(g, 0, x[0]), cell_at(g, 1, x[1]), cell_at(g, 2, x[2])};
  const int most = g->n[0] + g->n[1] + g->n[2];
  double best = INFINITY;
  for (int ring = 0; ring <= most && (ring - 1) * g->cell_m < best; ring++)
    best = nearest_in_ring(g, at, ring, x, best);
  return best;
}

/* ---- a frame ---- */

static cb_status add_distance(const show_against *a, const grid *g, show_surface *s, cb_err *err) {
  if (s->n_channels == SHOW_CHANNELS_MAX || g->n_triangles == 0) return CB_OK;
  show_channel *c = &s->channel[s->n_channels];
  c->value = malloc((size_t)s->n_vertices * sizeof *c->value + 1);
  if (!c->value) return cb_no_memory(err, "view, %d vertices", s->n_vertices);
  s->n_channels++;
  (void)snprintf(c->name, sizeof c->name, "distance to %.19s", a->name);
  (void)snprintf(c->unit, sizeof c->unit, "m");
#pragma omp parallel for schedule(dynamic, 256)
  for (int v = 0; v < s->n_vertices; v++) c->value[v] = (float)nearest(g, s->position_m[v]);
  return CB_OK;
}

/* A copy of another's surface under a name of its own. */
static cb_status add_copy(const show_surface *from, show_frame *f, cb_err *err) {
  static const float colour[3] = {0.72F, 0.22F, 0.16F};
  if (f->n_surfaces == SHOW_SURFACES_MAX) return CB_OK;
  show_surface *s = &f->surface[f->n_surfaces++];
  *s = *from;
  s->n_channels = 0;
  s->as_before = false;
  (void)snprintf(s->name, sizeof s->name, "~%.30s", from->name[0] ? from->name : "scan");
  memcpy(s->colour, colour, sizeof colour);
  s->position_m = malloc((size_t)s->n_vertices * sizeof *s->position_m + 1);
  s->triangle = malloc((size_t)s->n_triangles * sizeof *s->triangle + 1);
  if (!s->position_m || !s->triangle) return cb_no_memory(err, "view, %d vertices", s->n_vertices);
  memcpy(s->position_m, from->position_m, (size_t)s->n_vertices * sizeof *s->position_m);
  memcpy(s->triangle, from->triangle, (size_t)s->n_triangles * sizeof *s->triangle);
  return CB_OK;
}

static cb_status add_from(const show_against *a, const show_frame *other, show_frame *f, cb_err *err) {
  grid g = {.n_triangles = 0};
  const int own = f->n_surfaces;
  cb_status st = grid_make(other, &g, err);
  for (int s = 0; st == CB_OK && s < own; s++)
    if (f->surface[s].cloth) st = add_distance(a, &g, &f->surface[s], err);
  for (int s = 0; st == CB_OK && s < other->n_surfaces; s++)
    if (other->surface[s].cloth) st = add_copy(&other->surface[s], f, err);
  grid_clear(&g);
  return st;
}

cb_status show_against_add(show_against *a, show_frame *f, cb_err *err) {
  show_frame other;
  if (!a->frames) return add_from(a, &a->scan, f, err);
  int k = 0;
  for (int i = 1; i < show_frames_count(a->frames); i++)
    if (fabs(a->time_s[i] - f->time_s) < fabs(a->time_s[k] - f->time_s)) k = i;
  cb_status st = show_frames_read(a->frames, k, &other, err);
  if (st == CB_OK) st = add_from(a, &other, f, err);
  show_frame_clear(&other);
  return st;
}
