#include "conf_extra.h"

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

const char *const conf_kind_names[] = {"cantilever", "strip",   "shear", "fall",       "slope", "drift",
                                       "layers",     "capstan", "pinch", "tablecloth", NULL};

const double conf_levels[CONF_KINDS][6] = {{10, 76, 378},
                                           {0.002, 0.005, 0.01},
                                           {0.005, 0.01},
                                           {1},
                                           {0.8, 0.95, 1.05, 1.2, 1.5},
                                           {1, 2},
                                           {0.8, 0.95, 1.05, 1.2},
                                           {0.8, 1.2},
                                           {0.5, 0.95, 1.2},
                                           {3, 6}};

const conf_extra *const conf_extras[CONF_KINDS] = {[CONF_DRIFT] = &conf_drift,
                                                   [CONF_LAYERS] = &conf_layers,
                                                   [CONF_CAPSTAN] = &conf_capstan,
                                                   [CONF_PINCH] = &conf_pinch,
                                                   [CONF_TABLECLOTH] = &conf_tablecloth};

bool conf_case_holds(conf_kind kind, double level) {
  return (kind == CONF_SLOPE || (kind >= CONF_LAYERS && kind <= CONF_PINCH)) && level < 1;
}

static double property(conf_kind kind, const exch_cloth *s) {
  switch (kind) {
    case CONF_CANTILEVER: return s->bending_warp_N_m.value;
    case CONF_STRIP: return s->stretch_warp_N_per_m.value;
    case CONF_SHEAR: return s->shear_N_per_m.value;
    case CONF_SLOPE: return s->friction.value;
    default: break;
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
  if (conf_extras[kind]) return conf_extras[kind]->possible(level, edge_m, s);
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
}

static bool is_pinned(const conf_case *c, int column) {
  switch (c->kind) {
    case CONF_CANTILEVER: return column < 2;
    case CONF_STRIP: return column == 0;
    case CONF_SHEAR: return column == 0 || column == c->nx;
    default: break;
  }
  return false;
}

static void lay_mesh(conf_case *c) {
  const double x = c->kind == CONF_CANTILEVER ? -c->edge_m : 0, z = c->kind == CONF_FALL ? FALL_FROM_M
                                                                    : c->plane           ? ABOVE_PLANE_M
                                                                                         : 0;
  conf_mesh_grid(c, &(conf_grid){0, 0, c->nx, c->ny, {x, 0, z}, c->edge_m});
  for (int k = 0; k < c->n_vertices; k++) c->pinned[k] = is_pinned(c, k / (c->ny + 1));
}

/* ---- the load ---- */

static void choose_load(conf_case *c, const exch_cloth *s) {
  const double w = s->areal_density_kg_per_m2.value;
  double *g = c->gravity_m_per_s2;
  c->rest = c->kind <= CONF_SHEAR;
  c->plane = c->kind == CONF_SLOPE;
  switch (c->kind) {
    case CONF_STRIP: g[0] = 2 * c->level * s->stretch_warp_N_per_m.value / (w * LENGTH_M); break;
    case CONF_SHEAR: g[1] = -2 * c->level * s->shear_N_per_m.value / (w * LENGTH_M); break;
    case CONF_SLOPE: conf_tilt(c, c->level * s->friction.value); break;
    default: g[2] = -CB_STANDARD_GRAVITY_M_PER_S2;
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
  if (conf_extras[kind]) return conf_extras[kind]->make(out, edge_m, err);
  choose_cells(out, edge_m, measured);
  CB_TRY(conf_mesh_room(out, (out->nx + 1) * (out->ny + 1), out->nx * out->ny, false, err));
  choose_load(out, measured);
  choose_times(out);
  lay_mesh(out);
  return CB_OK;
}

void conf_case_clear(conf_case *c) {
  free(c->vertex);
  free(c->start);
  free(c->face);
  free(c->pinned);
  c->vertex = c->start = NULL;
  c->face = NULL;
  c->pinned = NULL;
}
