#include "vrig_mishap.h"

#include <math.h>
#include <stddef.h>

#include "cb_num.h"

const char *const vrig_mishap_names[VRIG_N_MISHAPS + 1] = {
    [VRIG_MISHAP_NONE] = "none",
    [VRIG_MISHAP_GLUED] = "glued",
    [VRIG_MISHAP_LATE] = "late",
    [VRIG_MISHAP_CAUGHT] = "caught",
    [VRIG_MISHAP_TIPS] = "tips",
    [VRIG_MISHAP_WEIGHTS] = "weights",
    [VRIG_MISHAP_SHIFTS] = "shifts",
    [VRIG_MISHAP_TILT] = "tilt",
    [VRIG_MISHAP_TURNED] = "turned",
    [VRIG_MISHAP_OTHER_SIDE] = "other-side",
    [VRIG_MISHAP_SLOW] = "slow",
    [VRIG_MISHAP_STANDS] = "stands",
    [VRIG_MISHAP_UNEVEN] = "uneven",
    [VRIG_MISHAP_REVERSED] = "reversed",
    [VRIG_MISHAP_CABLE] = "cable",
    [VRIG_MISHAP_PULLEY] = "pulley",
    [VRIG_MISHAP_CLIPPED] = "clipped",
    [VRIG_MISHAP_COARSE] = "coarse",
    [VRIG_MISHAP_ZERO_DRIFT] = "zero-drift",
    [VRIG_MISHAP_ZERO_JUMP] = "zero-jump",
    [VRIG_MISHAP_REPEATED] = "repeated",
};

static const struct trait {
  double size, way_m; /* defaults; 0: the kind has none */
} traits[VRIG_N_MISHAPS] = {
    [VRIG_MISHAP_NONE] = {0, 0},
    [VRIG_MISHAP_GLUED] = {0, 0},
    [VRIG_MISHAP_LATE] = {0, 15e-3},
    [VRIG_MISHAP_CAUGHT] = {0, 10e-3},
    [VRIG_MISHAP_TIPS] = {10, 0},
    [VRIG_MISHAP_WEIGHTS] = {0, 0},
    [VRIG_MISHAP_SHIFTS] = {0.5e-3, 10e-3},
    [VRIG_MISHAP_TILT] = {1 * CB_DEG, 0},
    [VRIG_MISHAP_TURNED] = {5 * CB_DEG, 0},
    [VRIG_MISHAP_OTHER_SIDE] = {1.2, 0},
    [VRIG_MISHAP_SLOW] = {0.5, 0},
    [VRIG_MISHAP_STANDS] = {0, 12e-3},
    [VRIG_MISHAP_UNEVEN] = {0.3, 5e-3},
    [VRIG_MISHAP_REVERSED] = {0, 0},
    [VRIG_MISHAP_CABLE] = {2, 0},
    [VRIG_MISHAP_PULLEY] = {0.05, 2e-3},
    [VRIG_MISHAP_CLIPPED] = {0.5, 0},
    [VRIG_MISHAP_COARSE] = {0.05, 0},
    [VRIG_MISHAP_ZERO_DRIFT] = {0.02, 0},
    [VRIG_MISHAP_ZERO_JUMP] = {0.1, 10e-3},
    [VRIG_MISHAP_REPEATED] = {0, 0},
};

vrig_mishap vrig_mishap_default(vrig_mishap_kind kind) {
  return (vrig_mishap){(int)kind, traits[kind].size, traits[kind].way_m};
}

bool vrig_mishap_of_reading(const vrig_mishap *m) { return m->kind >= VRIG_MISHAP_CABLE; }

bool vrig_mishap_of_zero(const vrig_mishap *m) {
  return m->kind == VRIG_MISHAP_ZERO_DRIFT || m->kind == VRIG_MISHAP_ZERO_JUMP;
}

static bool is(const vrig_course *c, vrig_mishap_kind kind) { return c->mishap.kind == (int)kind; }

double vrig_mishap_friction(const vrig_course *c) {
  if (is(c, VRIG_MISHAP_TIPS)) return 1 + c->mishap.size * fmax(c->way_m, 0);
  return is(c, VRIG_MISHAP_OTHER_SIDE) ? c->mishap.size : 1;
}

double vrig_mishap_static(const vrig_course *c) {
  bool holds = is(c, VRIG_MISHAP_GLUED) || (is(c, VRIG_MISHAP_LATE) && c->way_m < c->mishap.way_m);
  if (holds) return INFINITY;
  return is(c, VRIG_MISHAP_CAUGHT) && c->caught && !c->let_go ? 1 + c->mishap.size : 1;
}

double vrig_mishap_added_mass(const vrig_course *c) {
  return is(c, VRIG_MISHAP_WEIGHTS) ? c->mishap.size : 1;
}

double vrig_mishap_turned_rad(const vrig_course *c) { return is(c, VRIG_MISHAP_TURNED) ? c->mishap.size : 0; }
double vrig_mishap_tilt_rad(const vrig_course *c) { return is(c, VRIG_MISHAP_TILT) ? c->mishap.size : 0; }

double vrig_mishap_on_cell_N(const vrig_course *c) {
  const vrig_mishap *m = &c->mishap;
  if (!c->begun) return 0;
  switch (m->kind) {
    case VRIG_MISHAP_CABLE: return c->direction * m->size * c->way_m;
    case VRIG_MISHAP_PULLEY: return c->direction * m->size * fmod(fmax(c->way_m, 0) / m->way_m, 1);
    case VRIG_MISHAP_ZERO_DRIFT: return m->size * c->since_s;
    case VRIG_MISHAP_ZERO_JUMP: return c->way_m >= m->way_m ? m->size : 0;
    default: return 0;
  }
}

double vrig_mishap_end_N(const vrig_course *c) {
  return is(c, VRIG_MISHAP_CLIPPED) ? c->mishap.size : INFINITY;
}

double vrig_mishap_digit_N(const vrig_course *c) { return is(c, VRIG_MISHAP_COARSE) ? c->mishap.size : 0; }
