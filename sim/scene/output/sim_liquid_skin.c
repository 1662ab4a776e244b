/* The grid goes up layer by layer: two layers of densities, and the vertices on the edges that begin in them.
 *
 * A cube is cut into the six tetrahedra along its diagonal from corner 0 to corner 7; bit k of a corner's
 * number is its step along axis k. Each edge then belongs to one node, its lower end, and has one of seven
 * directions. All cubes are cut alike, so the tetrahedra of neighbours share their faces. */
#include "sim_liquid_skin.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_num.h"

#define CELL 0.6            /* of the spacing */
#define NODES_MAX (1 << 24) /* in a layer */
#define DIRECTIONS 8        /* of an edge: bits of the step; 0 is none */

/* The corners between 0 and 7 of the six tetrahedra, and whether the four are in positive order. */
static const int way[6][2] = {{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}};

typedef struct place {
  double z_m;
  int number;
} place;

typedef struct grid {
  const double (*x_m)[3];
  int n;
  place *by_height; /* particles from below */
  float level;
  double lo[3], cell_m, support_m, volume_m3;
  int size[3];                  /* nodes */
  float *density[2];            /* of the layer, and of the one above */
  int (*vertex[2])[DIRECTIONS]; /* on the edges that begin at a node; -1: not made yet */
  sim_liquid_skin *skin;
} grid;

/* ---- densities ---- */

static float kernel(double r, double h) {
  const double q = r / h, a = 1 - q, b = q < 0.5 ? 0.5 - q : 0;
  return q < 1 ? (float)(8 / (CB_PI * h * h * h) * (2 * a * a * a - 8 * b * b * b)) : 0;
}

static int node_below(const grid *g, int axis, double x_m) {
  return (int)floor((x_m - g->lo[axis]) / g->cell_m);
}

static void add_particle(const grid *g, const double x[3], double z_m, float *density) {
  const double up = z_m - x[2], reach = sqrt(fmax(0, g->support_m * g->support_m - up * up));
  for (int j = node_below(g, 1, x[1] - reach) + 1; j <= node_below(g, 1, x[1] + reach); j++)
    for (int i = node_below(g, 0, x[0] - reach) + 1; i <= node_below(g, 0, x[0] + reach); i++) {
      const double dx = g->lo[0] + i * g->cell_m - x[0], dy = g->lo[1] + j * g->cell_m - x[1];
      density[j * g->size[0] + i] +=
          (float)g->volume_m3 * kernel(sqrt(dx * dx + dy * dy + up * up), g->support_m);
    }
}

/* first: the lowest particle that is in reach of the layer, from one layer to the next. */
static void fill_layer(const grid *g, int layer, int *first, float *density) {
  const double z_m = g->lo[2] + layer * g->cell_m;
  memset(density, 0, (size_t)g->size[0] * (size_t)g->size[1] * sizeof *density);
  while (*first < g->n && g->by_height[*first].z_m < z_m - g->support_m) ++*first;
  for (int k = *first; k < g->n && g->by_height[k].z_m <= z_m + g->support_m; k++)
    add_particle(g, g->x_m[g->by_height[k].number], z_m, density);
}

/* ---- tetrahedra ---- */

typedef struct corner {
  int bits, x, y, layer; /* layer: 0, or 1 for the one above */
  float density;
} corner;

/* The vertex between two corners, of which a is the lower end. */
static int vertex_between(grid *g, const corner *a, const corner *b, int layer) {
  int *slot = &g->vertex[a->layer][a->y * g->size[0] + a->x][b->bits ^ a->bits];
  if (*slot >= 0) return *slot;
  sim_liquid_skin *s = g->skin;
  double(*grown)[3] = cb_array_grow(s->position_m, &s->vertex_room, s->n_vertices + 1, sizeof *grown);
  if (!grown) return -1;
  s->position_m = grown;
  const double share = (double)((g->level - a->density) / (b->density - a->density));
  const int at[3] = {a->x, a->y, layer + a->layer}, step = b->bits ^ a->bits;
  for (int k = 0; k < 3; k++)
    s->position_m[s->n_vertices][k] = g->lo[k] + g->cell_m * (at[k] + (step >> k & 1) * share);
  *slot = (int)s->n_vertices++;
  return *slot;
}

static bool add_triangle(sim_liquid_skin *s, int a, int b, int c, bool turned) {
  int(*grown)[3] = cb_array_grow(s->triangle, &s->triangle_room, s->n_triangles + 1, sizeof *grown);
  if (!grown || a < 0 || b < 0 || c < 0) return false;
  s->triangle = grown;
  memcpy(s->triangle[s->n_triangles++], (const int[3]){a, turned ? c : b, turned ? b : c}, sizeof *grown);
  return true;
}

static int vertex_of(grid *g, const corner *c, int a, int b, int layer) {
  return vertex_between(g, &c[a < b ? a : b], &c[a < b ? b : a], layer);
}

/* c: corners in ascending order. turned: they are not in positive order. The corners inside come first in
 * `order`; the surface is the triangle, or the two, between them and the others. */
static bool cut(grid *g, const corner c[4], bool turned, int layer) {
  int order[4], n = 0;
  for (int side = 1; side >= 0; side--)
    for (int k = 0; k < 4; k++)
      if ((c[k].density >= g->level) == (side == 1)) order[n++] = k;
  int inside = 0;
  for (int k = 0; k < 4; k++) {
    inside += c[k].density >= g->level;
    for (int j = 0; j < k; j++) turned ^= order[j] > order[k];
  }
  if (inside == 0 || inside == 4) return true;
  if (inside != 2) {
    const int one = inside == 1 ? 0 : 3, from = inside == 1 ? 1 : 0;
    int v[3];
    for (int k = 0; k < 3; k++) v[k] = vertex_of(g, c, order[one], order[from + k], layer);
    return add_triangle(g->skin, v[0], v[1], v[2], turned);
  }
  int v[4];
  for (int k = 0; k < 4; k++) v[k] = vertex_of(g, c, order[k / 2], order[2 + (k == 1 || k == 2)], layer);
  return add_triangle(g->skin, v[0], v[1], v[2], turned) && add_triangle(g->skin, v[0], v[2], v[3], turned);
}

static bool cut_cube(grid *g, int x, int y, int layer) {
  corner all[8];
  int inside = 0;
  for (int b = 0; b < 8; b++) {
    all[b] = (corner){b, x + (b & 1), y + (b >> 1 & 1), b >> 2, 0};
    all[b].density = g->density[all[b].layer][all[b].y * g->size[0] + all[b].x];
    inside += all[b].density >= g->level;
  }
  if (inside == 0 || inside == 8) return true;
  for (int t = 0; t < 6; t++) {
    const int low = way[t][0] < way[t][1] ? way[t][0] : way[t][1], high = way[t][0] ^ way[t][1] ^ low;
    const corner c[4] = {all[0], all[low], all[high], all[7]};
    if (!cut(g, c, low != way[t][0], layer)) return false;
  }
  return true;
}

/* ---- layers ---- */

static void no_vertices(grid *g, int which) {
  memset(g->vertex[which], 0xFF, (size_t)g->size[0] * (size_t)g->size[1] * sizeof *g->vertex[which]); /* -1 */
}

static bool march(grid *g) {
  int first = 0;
  fill_layer(g, 0, &first, g->density[0]);
  no_vertices(g, 0);
  for (int layer = 0; layer + 1 < g->size[2]; layer++) {
    fill_layer(g, layer + 1, &first, g->density[1]);
    no_vertices(g, 1);
    for (int y = 0; y + 1 < g->size[1]; y++)
      for (int x = 0; x + 1 < g->size[0]; x++)
        if (!cut_cube(g, x, y, layer)) return false;
    float *density = g->density[0];
    int(*vertex)[DIRECTIONS] = g->vertex[0];
    g->density[0] = g->density[1], g->density[1] = density;
    g->vertex[0] = g->vertex[1], g->vertex[1] = vertex;
  }
  return true;
}

static int compare_heights(const void *a, const void *b) {
  const place *p = a, *q = b;
  return p->z_m < q->z_m ? -1 : p->z_m > q->z_m ? 1 : p->number - q->number;
}

static cb_status make_grid(grid *g, double spacing_m, cb_err *err) {
  g->cell_m = CELL * spacing_m;
  g->support_m = 2 * spacing_m;
  g->volume_m3 = spacing_m * spacing_m * spacing_m;
  for (int k = 0; k < 3; k++) {
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < g->n; i++) lo = fmin(lo, g->x_m[i][k]), hi = fmax(hi, g->x_m[i][k]);
    const double cells = (hi - lo + 2 * g->support_m) / g->cell_m + 2;
    CB_TRY(cb_check_range(cells, 1, NODES_MAX, "surface of a liquid: cells along an axis", "", err));
    g->lo[k] = lo - g->support_m - g->cell_m / 2;
    g->size[k] = (int)cells + 1;
  }
  CB_TRY(cb_check_range((double)g->size[0] * g->size[1], 1, NODES_MAX,
                        "surface of a liquid: cells of a layer", "", err));
  const size_t nodes = (size_t)g->size[0] * (size_t)g->size[1];
  bool ok = (g->by_height = malloc((size_t)g->n * sizeof *g->by_height)) != NULL;
  for (int k = 0; k < 2; k++) {
    ok = (g->density[k] = malloc(nodes * sizeof *g->density[k])) != NULL && ok;
    ok = (g->vertex[k] = malloc(nodes * sizeof *g->vertex[k])) != NULL && ok;
  }
  return ok ? CB_OK : cb_no_memory(err, "surface of %d particles", g->n);
}

cb_status sim_liquid_skin_find(const double (*x_m)[3], int n, double spacing_m, double level,
                               sim_liquid_skin *skin, cb_err *err) {
  grid g = {.x_m = x_m, .n = n, .level = (float)level, .skin = skin};
  skin->n_vertices = skin->n_triangles = 0;
  CB_TRY(cb_check_range(spacing_m, 1e-9, 1e9, "surface of a liquid: spacing", "m", err));
  CB_TRY(cb_check_range(level, 0.01, 0.99, "surface of a liquid: level", "", err));
  if (n == 0) return CB_OK;
  cb_status st = make_grid(&g, spacing_m, err);
  if (st == CB_OK) {
    for (int i = 0; i < n; i++) g.by_height[i] = (place){x_m[i][2], i};
    qsort(g.by_height, (size_t)n, sizeof *g.by_height, compare_heights);
    if (!march(&g)) st = cb_no_memory(err, "surface of %d particles", n);
  }
  free(g.by_height);
  for (int k = 0; k < 2; k++) {
    free(g.density[k]);
    free(g.vertex[k]);
  }
  return st;
}

void sim_liquid_skin_clear(sim_liquid_skin *skin) {
  free(skin->position_m);
  free(skin->triangle);
  *skin = (sim_liquid_skin){0};
}
