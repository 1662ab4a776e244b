#include "conf_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"

#define LENGTH_M 0.1
#define STRIP_WIDTH_M 0.02
#define FEWEST_CELLS 3 /* along an overhang */
#define MOST_CELLS 50  /* finer meshes tell nothing new, and take long */
#define FALL_FROM_M 1.0
#define ABOVE_PLANE_M 0.002 /* so that nobody's contact thickness begins in the plane */

const char *const conf_kind_names[] = {"cantilever", "strip", "shear", "fall", "slope", NULL};

const double conf_levels[CONF_KINDS][6] = {
    {10, 76, 378}, {0.002, 0.005, 0.01}, {0.005, 0.01}, {1}, {0.8, 0.95, 1.05, 1.2, 1.5}};

static double property(conf_kind kind, const exch_cloth *s) {
  switch (kind) {
    case CONF_CANTILEVER: return s->bending_warp_N_m.value;
    case CONF_STRIP: return s->stretch_warp_N_per_m.value;
    case CONF_SHEAR: return s->shear_N_per_m.value;
    case CONF_SLOPE: return s->friction.value;
    case CONF_FALL:
    case CONF_KINDS: break;
  }
  return CB_STANDARD_GRAVITY_M_PER_S2;
}

/* Of a strip with this level: (B level / (w g))^(1/3). */
static double overhang_m(double level, const exch_cloth *s) {
  return cbrt(level * s->bending_warp_N_m.value /
              (s->areal_density_kg_per_m2.value * CB_STANDARD_GRAVITY_M_PER_S2));
}

bool conf_case_possible(conf_kind kind, double level, double edge_m, const exch_cloth *s) {
  if (!(s->areal_density_kg_per_m2.value > 0 && property(kind, s) > 0)) return false;
  const double cells = kind == CONF_CANTILEVER ? overhang_m(level, s) / edge_m : FEWEST_CELLS;
  return cells > FEWEST_CELLS - 0.5 && cells < MOST_CELLS;
}

/* ---- the mesh ---- */

/* A cantilever has one more row of cells, within the clamp. */
static void choose_cells(conf_case *c, double edge_m, const exch_cloth *s) {
  const bool hangs = c->kind == CONF_CANTILEVER;
  const int n = (int)lround((hangs ? overhang_m(c->level, s) : LENGTH_M) / edge_m);
  c->edge_m = hangs ? edge_m : LENGTH_M / n;
  c->length_m = n * c->edge_m;
  c->nx = hangs ? n + 1 : n;
  c->ny = c->kind == CONF_SHEAR ? 2 * n : n;
  if (hangs) c->ny = (int)fmax(1, round(STRIP_WIDTH_M / c->edge_m));
  c->n_vertices = (c->nx + 1) * (c->ny + 1);
}

static bool is_pinned(const conf_case *c, int column) {
  switch (c->kind) {
    case CONF_CANTILEVER: return column < 2;
    case CONF_STRIP: return column == 0;
    case CONF_SHEAR: return column == 0 || column == c->nx;
    case CONF_FALL:
    case CONF_SLOPE:
    case CONF_KINDS: break;
  }
  return false;
}

static void lay_mesh(conf_case *c) {
  const double x = c->kind == CONF_CANTILEVER ? -c->edge_m : 0, z = c->kind == CONF_FALL ? FALL_FROM_M
                                                                    : c->plane           ? ABOVE_PLANE_M
                                                                                         : 0;
  for (int k = 0; k < c->n_vertices; k++) {
    const int i = k / (c->ny + 1), j = k % (c->ny + 1);
    c->vertex[k][0] = x + i * c->edge_m;
    c->vertex[k][1] = j * c->edge_m;
    c->vertex[k][2] = z;
    c->pinned[k] = is_pinned(c, i);
  }
}

/* ---- the load ---- */

static void choose_load(conf_case *c, const exch_cloth *s) {
  const double w = s->areal_density_kg_per_m2.value, tangent = c->level * s->friction.value;
  double *g = c->gravity_m_per_s2;
  c->rest = c->kind <= CONF_SHEAR;
  c->plane = c->kind == CONF_SLOPE;
  switch (c->kind) {
    case CONF_STRIP: g[0] = 2 * c->level * s->stretch_warp_N_per_m.value / (w * LENGTH_M); break;
    case CONF_SHEAR: g[1] = -2 * c->level * s->shear_N_per_m.value / (w * LENGTH_M); break;
    case CONF_CANTILEVER:
    case CONF_FALL: g[2] = -CB_STANDARD_GRAVITY_M_PER_S2; break;
    case CONF_SLOPE:
      g[0] = CB_STANDARD_GRAVITY_M_PER_S2 * tangent / hypot(1, tangent);
      g[2] = -CB_STANDARD_GRAVITY_M_PER_S2 / hypot(1, tangent);
      break;
    case CONF_KINDS: break;
  }
}

/* A hanging strip swings at about 2 sqrt(g / L). */
static void choose_times(conf_case *c) {
  double last = c->kind == CONF_FALL ? 0.4 : 1.2;
  if (c->kind == CONF_CANTILEVER) last = fmax(2, 20 * sqrt(c->length_m / CB_STANDARD_GRAVITY_M_PER_S2));
  for (int k = 0; k < CONF_TIMES; k++) c->time_s[k] = last * (k + 1) / CONF_TIMES;
}

cb_status conf_case_init(conf_kind kind, double level, double edge_m, const exch_cloth *measured,
                         conf_case *out, cb_err *err) {
  *out = (conf_case){.kind = kind, .level = level, .cloth = *measured};
  if (!(edge_m >= 0.001 && edge_m <= 0.025))
    return cb_fail(err, CB_E_RANGE, "edges of %g mm: 1 to 25 mm were wanted", 1e3 * edge_m);
  if (!conf_case_possible(kind, level, edge_m, measured))
    return cb_fail(err, CB_E_NOTFOUND,
                   "'%s': no experiment %s at level %g with edges of %g mm: it wants areal density and "
                   "stiffness, and 3 to 50 edges along its length",
                   measured->name, conf_kind_names[kind], level, 1e3 * edge_m);
  choose_cells(out, edge_m, measured);
  out->vertex = calloc((size_t)out->n_vertices, sizeof *out->vertex);
  out->pinned = calloc((size_t)out->n_vertices, sizeof *out->pinned);
  if (!out->vertex || !out->pinned) {
    conf_case_clear(out);
    return cb_no_memory(err, "an experiment");
  }
  choose_load(out, measured);
  choose_times(out);
  lay_mesh(out);
  return CB_OK;
}

void conf_case_clear(conf_case *c) {
  free(c->vertex);
  free(c->pinned);
  c->vertex = NULL;
  c->pinned = NULL;
}
