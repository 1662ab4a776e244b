#include <math.h>

#include "cb_num.h"
#include "sim_mesh.h"
#include "sim_mesh_draft.h"

const char *const sim_pattern_text[SIM_PATTERN_COUNT] = {"right", "alternating", "equilateral", "irregular"};

typedef struct grid {
  double length_m, width_m;
  int columns, rows; /* of cells */
  bool equilateral;
} grid;

/* ---- edge length ---- */

static bool in_rows(sim_pattern p) { return p == SIM_PATTERN_EQUILATERAL || p == SIM_PATTERN_IRREGULAR; }
static double row_height(sim_pattern p) { return in_rows(p) ? sqrt(0.75) : 1; }
static double cells(double length, double cell) { return fmax(1, round(length / cell)); }

static double count_at(const void *context, double edge_m) {
  const sim_rectangle *r = context;
  double columns = cells(r->length_m, edge_m), rows = cells(r->width_m, edge_m * row_height(r->pattern));
  return (columns + 1) * (rows + 1) + (in_rows(r->pattern) ? ceil(rows / 2) : 0);
}

static double edge_of(const sim_rectangle *r) {
  if (r->edge_m > 0) return r->edge_m;
  if (r->cells_across > 0) return r->width_m / r->cells_across / row_height(r->pattern);
  double mean = sqrt(r->length_m * r->width_m / r->about_vertices);
  return sim_draft_edge(count_at, r, r->about_vertices, 0.1 * mean, 2 * (r->length_m + r->width_m));
}

static cb_status check_rectangle(const sim_rectangle *r, cb_err *err) {
  const double sizes[] = {r->length_m, r->width_m};
  static const char *const names[] = {"length_m", "width_m"};
  for (int i = 0; i < 2; i++)
    if (!(sizes[i] > 0) || isinf(sizes[i]))
      return cb_fail(err, CB_E_RANGE, "rectangle: %s = %g: must be > 0 and finite", names[i], sizes[i]);
  if ((unsigned)r->pattern >= SIM_PATTERN_COUNT)
    return cb_fail(err, CB_E_RANGE, "rectangle: pattern %d: must be 0 to %d", (int)r->pattern,
                   SIM_PATTERN_COUNT - 1);
  if ((r->edge_m > 0) + (r->cells_across > 0) + (r->about_vertices > 0) != 1)
    return cb_fail(err, CB_E_RANGE,
                   "rectangle: edge_m = %g, cells_across = %d, about_vertices = %d: exactly one must be > 0",
                   r->edge_m, r->cells_across, r->about_vertices);
  CB_TRY(cb_check_range(r->warp_rad, -INFINITY, INFINITY, "rectangle: warp", "rad", err));
  double n = count_at(r, edge_of(r));
  if (!(n <= SIM_MESH_MAX_VERTICES))
    return cb_fail(err, CB_E_RANGE, "rectangle: %g vertices: at most %d were wanted", n,
                   SIM_MESH_MAX_VERTICES);
  return CB_OK;
}

/* ---- the patterns ---- */

static double even_row(const sim_draft_row *row, int i) { return row->scale * ((double)i / row->steps); }

/* Half a cell to the side, but for both ends. */
static double odd_row(const sim_draft_row *row, int i) {
  if (i == 0) return 0;
  return i == row->steps ? row->scale : row->scale * ((i - 0.5) / (row->steps - 1));
}

static sim_draft_row row_of(const grid *g, int j, int first) {
  bool odd = g->equilateral && j % 2;
  int steps = g->columns + odd;
  return (sim_draft_row){
      .first = first, .n = steps + 1, .steps = steps, .at = odd ? odd_row : even_row, .scale = g->length_m};
}

static void put_row(const grid *g, const sim_draft_row *row, int j, sim_draft *d) {
  for (int i = 0; i <= row->steps; i++) {
    bool border = j == 0 || j == g->rows || i == 0 || i == row->steps;
    sim_draft_vertex(d, row->at(row, i), g->width_m * ((double)j / g->rows), border);
  }
}

static void put_squares(const grid *g, int j, bool alternate, sim_draft *d) {
  for (int i = 0; i < g->columns; i++) {
    int a = (g->columns + 1) * j + i, b = a + 1, c = a + g->columns + 1, e = c + 1;
    if (alternate && (i + j) % 2) {
      sim_draft_triangle(d, a, b, c);
      sim_draft_triangle(d, b, e, c);
    } else {
      sim_draft_triangle(d, a, b, e);
      sim_draft_triangle(d, a, e, c);
    }
  }
}

static void put_rows(const grid *g, sim_draft *d) {
  for (int j = 0, first = 0; j < g->rows; j++) {
    sim_draft_row below = row_of(g, j, first), above = row_of(g, j + 1, first + below.n);
    sim_draft_zip(d, &below, &above);
    first += below.n;
  }
}

static double same_everywhere(const void *edge_m, const double at_m[2]) {
  (void)at_m;
  return *(const double *)edge_m;
}

static cb_status draw_grid(const sim_rectangle *r, const grid *g, sim_draft *d, cb_err *err) {
  int odd_rows = g->equilateral ? (g->rows + 1) / 2 : 0; /* each has a vertex more, and two halves of
                                                            triangles at its ends */
  CB_TRY(sim_draft_init(d, (g->columns + 1) * (g->rows + 1) + odd_rows,
                        g->rows * (2 * g->columns + g->equilateral), err));
  for (int j = 0; j <= g->rows; j++) {
    sim_draft_row row = row_of(g, j, d->n_vertices);
    put_row(g, &row, j, d);
  }
  if (g->equilateral) {
    put_rows(g, d);
  } else {
    for (int j = 0; j < g->rows; j++) put_squares(g, j, r->pattern == SIM_PATTERN_ALTERNATING, d);
  }
  if (r->pattern != SIM_PATTERN_IRREGULAR) return CB_OK;
  double edge_m = g->length_m / g->columns;
  return sim_draft_relax(d, &(sim_sizing){same_everywhere, &edge_m}, r->seed, err);
}

cb_status sim_mesh_rectangle(const sim_rectangle *r, sim_mesh *out, cb_err *err) {
  *out = (sim_mesh){0};
  CB_TRY(check_rectangle(r, err));
  double edge_m = edge_of(r);
  grid g = {.length_m = r->length_m,
            .width_m = r->width_m,
            .columns = (int)cells(r->length_m, edge_m),
            .rows = (int)cells(r->width_m, edge_m * row_height(r->pattern)),
            .equilateral = in_rows(r->pattern)};
  sim_draft d = {0};
  cb_status st = draw_grid(r, &g, &d, err);
  if (st == CB_OK) st = sim_draft_finish(&d, r->warp_rad, out, err);
  sim_draft_clear(&d);
  return st;
}
