#include "vrig_mishap_plan.h"

#include <math.h>

#include "cb_num.h"

/* The key of a size says its unit. */
typedef enum size_key {
  NO_SIZE,
  EXCESS,
  GROWTH,
  TIMES,
  SHIFT,
  TILT,
  TURN,
  SPEED,
  SWING,
  DRAG,
  TOOTH,
  END,
  DIGIT,
  DRIFT,
  JUMP,
  N_SIZE_KEYS
} size_key;

static const size_key size_keys[VRIG_N_MISHAPS] = {
    [VRIG_MISHAP_CAUGHT] = EXCESS,    [VRIG_MISHAP_TIPS] = GROWTH,      [VRIG_MISHAP_WEIGHTS] = TIMES,
    [VRIG_MISHAP_SHIFTS] = SHIFT,     [VRIG_MISHAP_TILT] = TILT,        [VRIG_MISHAP_TURNED] = TURN,
    [VRIG_MISHAP_OTHER_SIDE] = TIMES, [VRIG_MISHAP_SLOW] = SPEED,       [VRIG_MISHAP_UNEVEN] = SWING,
    [VRIG_MISHAP_CABLE] = DRAG,       [VRIG_MISHAP_PULLEY] = TOOTH,     [VRIG_MISHAP_CLIPPED] = END,
    [VRIG_MISHAP_COARSE] = DIGIT,     [VRIG_MISHAP_ZERO_DRIFT] = DRIFT, [VRIG_MISHAP_ZERO_JUMP] = JUMP,
};

typedef struct said {
  int kind, at_pull;
  double every_pulls, way_m, size[N_SIZE_KEYS]; /* NAN: not said */
} said;

#define AT(m) offsetof(said, m)
#define SIZE(key_, i, min_, max_, scale_)                                                               \
  {                                                                                                     \
    .key = key_, .kind = CB_Y_NUM, .offset = AT(size) + (i) * sizeof(double), .min = min_, .max = max_, \
    .scale = scale_                                                                                     \
  }

static const cb_yfield fields[] = {
    {.key = "kind", .kind = CB_Y_ENUM, .offset = AT(kind), .required = true, .choices = vrig_mishap_names},
    {.key = "at_pull", .kind = CB_Y_INT, .offset = AT(at_pull), .min = 1, .max = 1e9},
    {.key = "every_pulls", .kind = CB_Y_NUM, .offset = AT(every_pulls), .min = 1, .max = 1e9, .scale = 1},
    {.key = "way_mm", .kind = CB_Y_NUM, .offset = AT(way_m), .min = 0.1, .max = 1e4, .scale = 1e-3},
    SIZE("excess", EXCESS, 0, 10, 1),
    SIZE("growth_per_m", GROWTH, -10, 1000, 1),
    SIZE("times", TIMES, 0, 10, 1),
    SIZE("shift_mm", SHIFT, -100, 100, 1e-3),
    SIZE("tilt_deg", TILT, -30, 30, CB_DEG),
    SIZE("turn_deg", TURN, -360, 360, CB_DEG),
    SIZE("speed_times", SPEED, 0.01, 10, 1),
    SIZE("swing", SWING, 0.001, 0.95, 1),
    SIZE("drag_N_per_m", DRAG, -1e4, 1e4, 1),
    SIZE("tooth_N", TOOTH, -1e4, 1e4, 1),
    SIZE("end_N", END, 1e-6, 1e6, 1),
    SIZE("digit_N", DIGIT, 1e-9, 1e4, 1),
    SIZE("drift_N_per_s", DRIFT, -1e4, 1e4, 1),
    SIZE("jump_N", JUMP, -1e4, 1e4, 1),
};

#define N_FIELDS (sizeof fields / sizeof fields[0])
#define FIRST_SIZE (N_FIELDS - N_SIZE_KEYS + 1)

/* No key that belongs to another kind. */
static cb_status check_keys(cb_ynode at, const said *s, const vrig_mishap *m, cb_err *err) {
  const char *kind = vrig_mishap_names[s->kind];
  if (!isnan(s->way_m) && m->way_m == 0)
    return cb_yaml_fail(at, err, CB_E_PARSE, "way_mm: a mishap '%s' has none", kind);
  for (size_t i = 1; i < N_SIZE_KEYS; i++)
    if (!isnan(s->size[i]) && i != (size_t)size_keys[s->kind])
      return cb_yaml_fail(at, err, CB_E_PARSE, "%s: a mishap '%s' has none", fields[FIRST_SIZE + i - 1].key,
                          kind);
  return CB_OK;
}

static cb_status read_rule(cb_ynode at, vrig_mishap_rule *r, cb_err *err) {
  said s = {.way_m = NAN};
  for (size_t i = 0; i < N_SIZE_KEYS; i++) s.size[i] = NAN;
  CB_TRY(cb_yaml_bind(at, fields, N_FIELDS, &s, err));
  if (s.kind == VRIG_MISHAP_NONE)
    return cb_yaml_fail(at, err, CB_E_PARSE, "kind = 'none': a mishap was wanted");
  if ((s.at_pull == 0) == (s.every_pulls == 0))
    return cb_yaml_fail(at, err, CB_E_PARSE, "a mishap '%s' needs either at_pull or every_pulls",
                        vrig_mishap_names[s.kind]);
  *r = (vrig_mishap_rule){vrig_mishap_default((vrig_mishap_kind)s.kind), s.at_pull, s.every_pulls};
  CB_TRY(check_keys(at, &s, &r->mishap, err));
  if (!isnan(s.way_m)) r->mishap.way_m = s.way_m;
  if (!isnan(s.size[size_keys[s.kind]])) r->mishap.size = s.size[size_keys[s.kind]];
  return CB_OK;
}

cb_status vrig_mishap_plan_read(cb_ynode list, vrig_mishap_plan *p, cb_err *err) {
  *p = (vrig_mishap_plan){0};
  if (!list.doc) return CB_OK;
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_PARSE, "mishaps: a list was wanted");
  size_t n = cb_yaml_count(list);
  if (n > VRIG_MISHAP_RULES)
    return cb_yaml_fail(list, err, CB_E_RANGE, "mishaps: %zu of them, at most %d are allowed", n,
                        VRIG_MISHAP_RULES);
  for (; p->n < n; p->n++) CB_TRY(read_rule(cb_yaml_item(list, p->n), &p->rule[p->n], err));
  return CB_OK;
}

vrig_mishap vrig_mishap_plan_draw(const vrig_mishap_plan *p, unsigned long pull, cb_rng *rng) {
  vrig_mishap out = {0};
  for (size_t i = 0; i < p->n; i++) {
    const vrig_mishap_rule *r = &p->rule[i];
    bool wanted =
        r->at_pull > 0 ? pull == (unsigned long)r->at_pull : cb_rng_uniform(rng) * r->every_pulls < 1;
    if (wanted && out.kind == VRIG_MISHAP_NONE) out = r->mishap;
  }
  return out;
}
