/* A cloth hangs from two rigid pads, which press it with a force N. It is in balance for m g = 2 mu N; m g
 * above that, it slides with g - 2 mu N / m. */
#include <math.h>

#include "cb_num.h"
#include "conf_extra.h"

#define SIZE_M ((double[2]){0.1, 0.04}) /* along the warp, down; across */
#define BEGIN_S 0.2                     /* the pads close, then gravity begins */
#define HOLDS_S 1.2
#define SLIDES_S 0.12

/* The lower border lies between two rows of all common meshes. */
static const conf_pads pads = {.x_m = {-0.02, 0.043}, .y_m = {-0.02, 0.06}, .apart_m = 0.002};

static bool possible(double level, double edge_m, const exch_cloth *s) {
  (void)level;
  return s->friction.value > 0 && edge_m <= SIZE_M[1] / 2;
}

static double mass_kg(const exch_cloth *s) {
  return s->areal_density_kg_per_m2.value * SIZE_M[0] * SIZE_M[1];
}

static cb_status make(conf_case *c, double edge_m, cb_err *err) {
  const int ny = (int)lround(SIZE_M[1] / edge_m);
  const double e = SIZE_M[1] / ny;
  const int nx = (int)lround(SIZE_M[0] / e);
  CB_TRY(conf_mesh_room(c, (nx + 1) * (ny + 1), nx * ny, false, err));
  conf_mesh_grid(c, &(conf_grid){0, 0, nx, ny, {0, 0, pads.apart_m / 2}, e});
  c->edge_m = e;
  c->length_m = nx * e;
  c->pads = pads;
  c->pads.force_N = mass_kg(&c->cloth) * c->length_m / SIZE_M[0] * CB_STANDARD_GRAVITY_M_PER_S2 /
                    (2 * c->level * c->cloth.friction.value);
  c->gravity_m_per_s2[0] = CB_STANDARD_GRAVITY_M_PER_S2;
  c->gravity_from_s = BEGIN_S;
  conf_even_times(c, c->level < 1 ? HOLDS_S : SLIDES_S);
  for (int k = 0; k < CONF_TIMES; k++) c->time_s[k] += BEGIN_S;
  return CB_OK;
}

static void judge(const conf_case *c, const exch_cloth *s, const double (*position)[3], conf_finding *out) {
  const double weight = mass_kg(s) * c->length_m / SIZE_M[0] * CB_STANDARD_GRAVITY_M_PER_S2;
  conf_slide_judge(c, s, position, 2 * c->pads.force_N / weight * CB_STANDARD_GRAVITY_M_PER_S2, out);
}

const conf_extra conf_pinch = {possible, make, judge};
