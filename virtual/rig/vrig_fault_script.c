#include "vrig_fault_script.h"

#include <math.h>
#include <string.h>

#include "cb_yaml.h"
#include "vrig_device.h"

const char *const vrig_wire_names[] = {"force", "stage", NULL};

const char *const vrig_fault_names[VRIG_N_FAULTS + 1] = {
    [VRIG_FAULT_TORN] = "torn",
    [VRIG_FAULT_LOST_BYTE] = "lost-byte",
    [VRIG_FAULT_FLIPPED_BIT] = "flipped-bit",
    [VRIG_FAULT_GARBAGE] = "garbage",
    [VRIG_FAULT_NOT_A_NUMBER] = "not-a-number",
    [VRIG_FAULT_DOUBLED] = "doubled",
    [VRIG_FAULT_DROPPED] = "dropped",
    [VRIG_FAULT_PIECES] = "pieces",
    [VRIG_FAULT_STALE] = "stale",
    [VRIG_FAULT_FOREIGN] = "foreign",
    [VRIG_FAULT_SILENCE] = "silence",
    [VRIG_FAULT_BURST] = "burst",
    [VRIG_FAULT_UNPLUGGED] = "unplugged",
    [VRIG_FAULT_CLOCK] = "clock",
    [VRIG_FAULT_OVERLOAD] = "overload",
    [VRIG_FAULT_SATURATION] = "saturation",
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_STALL] = "stall",
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_REJECT] = "reject",
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_ALARM] = "alarm",
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_ESTOP] = "estop",
};

_Static_assert((int)VRIG_FAULT_OF_STAGE_END == (int)VRIG_FAULT_OF_STAGE + (int)VRIG_STAGE_ESTOP,
               "a kind per fault of a stage");

#define FORCE (1 << VRIG_WIRE_FORCE)
#define STAGE (1 << VRIG_WIRE_STAGE)

typedef struct trait {
  int wires;
  double duration_s, factor; /* defaults; 0: the kind has none */
} trait;

/* 16 ms is the latency timer of an FTDI adapter as the kernel sets it (FTDI AN232B-04, "Data Throughput,
 * Latency and Handshaking"). */
static const trait traits[VRIG_N_FAULTS] = {
    [VRIG_FAULT_TORN] = {FORCE | STAGE, 0, 0},
    [VRIG_FAULT_LOST_BYTE] = {FORCE | STAGE, 0, 0},
    [VRIG_FAULT_FLIPPED_BIT] = {FORCE | STAGE, 0, 0},
    [VRIG_FAULT_GARBAGE] = {FORCE | STAGE, 0, 0},
    [VRIG_FAULT_NOT_A_NUMBER] = {FORCE, 0, 0},
    [VRIG_FAULT_DOUBLED] = {FORCE | STAGE, 0, 0},
    [VRIG_FAULT_DROPPED] = {FORCE | STAGE, 0, 0},
    [VRIG_FAULT_PIECES] = {FORCE | STAGE, 0.005, 0},
    [VRIG_FAULT_STALE] = {STAGE, 0, 0},
    [VRIG_FAULT_FOREIGN] = {STAGE, 0, 0},
    [VRIG_FAULT_SILENCE] = {FORCE | STAGE, 0.1, 0},
    [VRIG_FAULT_BURST] = {FORCE | STAGE, 0.016, 0},
    [VRIG_FAULT_UNPLUGGED] = {FORCE | STAGE, 0.5, 0},
    [VRIG_FAULT_CLOCK] = {FORCE, 0.5, 1.02},
    [VRIG_FAULT_OVERLOAD] = {FORCE, 0.02, 1.5},
    [VRIG_FAULT_SATURATION] = {FORCE, 0.02, 3},
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_STALL] = {STAGE, 1, 0},
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_REJECT] = {STAGE, 0, 0},
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_ALARM] = {STAGE, 1, 0},
    [VRIG_FAULT_OF_STAGE + VRIG_STAGE_ESTOP] = {STAGE, 1, 0},
};

bool vrig_fault_fits(vrig_fault_kind kind, vrig_wire wire) { return (traits[kind].wires & (1 << wire)) != 0; }

vrig_fault_rule vrig_fault_default(vrig_fault_kind kind, vrig_wire wire) {
  return (vrig_fault_rule){.kind = (int)kind,
                           .wire = (int)wire,
                           .at_s = NAN,
                           .duration_s = traits[kind].duration_s,
                           .factor = traits[kind].factor};
}

/* ---- one rule ---- */

#define AT(type, m) .offset = offsetof(type, m), .size = sizeof(((type *)0)->m)
#define N(list) (sizeof(list) / sizeof((list)[0]))
#define LONGEST_S 1e7

static const cb_yfield rule_fields[] = {
    {"kind", CB_Y_ENUM, AT(vrig_fault_rule, kind), .required = true, .choices = vrig_fault_names},
    {"port", CB_Y_ENUM, AT(vrig_fault_rule, wire), .choices = vrig_wire_names},
    {"at_s", CB_Y_NUM, AT(vrig_fault_rule, at_s), .min = 0, .max = LONGEST_S},
    {"every_s", CB_Y_NUM, AT(vrig_fault_rule, every_s), .min = 1e-4, .max = LONGEST_S},
    {"duration_s", CB_Y_NUM, AT(vrig_fault_rule, duration_s), .min = 1e-4, .max = LONGEST_S},
    {"factor", CB_Y_NUM, AT(vrig_fault_rule, factor), .min = 0.5, .max = 100},
};

static cb_status check_rule(const vrig_fault_rule *r, cb_ynode at, cb_err *err) {
  const char *kind = vrig_fault_names[r->kind];
  bool said_port = cb_yaml_get(at, "port").doc != NULL;
  if (!said_port && traits[r->kind].wires == (FORCE | STAGE))
    return cb_yaml_fail(at, err, CB_E_PARSE, "a fault '%s' needs a port: force | stage", kind);
  if (!vrig_fault_fits((vrig_fault_kind)r->kind, (vrig_wire)r->wire))
    return cb_yaml_fail(at, err, CB_E_PARSE, "port = '%s': '%s' is no fault of that port",
                        vrig_wire_names[r->wire], kind);
  if (isnan(r->at_s) == (r->every_s == 0))
    return cb_yaml_fail(at, err, CB_E_PARSE, "a fault '%s' needs either at_s or every_s", kind);
  if (traits[r->kind].duration_s == 0 && cb_yaml_get(at, "duration_s").doc)
    return cb_yaml_fail(at, err, CB_E_PARSE, "duration_s: a fault '%s' has none", kind);
  if (traits[r->kind].factor == 0 && cb_yaml_get(at, "factor").doc)
    return cb_yaml_fail(at, err, CB_E_PARSE, "factor: a fault '%s' has none", kind);
  return CB_OK;
}

static cb_status read_rule(cb_ynode at, vrig_fault_rule *r, cb_err *err) {
  vrig_fault_rule said = {.at_s = NAN, .wire = -1};
  CB_TRY(cb_yaml_bind(at, rule_fields, N(rule_fields), &said, err));
  const trait *t = &traits[said.kind];
  *r = said;
  if (r->wire < 0) r->wire = t->wires == STAGE ? VRIG_WIRE_STAGE : VRIG_WIRE_FORCE;
  if (r->duration_s == 0) r->duration_s = t->duration_s;
  if (r->factor == 0) r->factor = t->factor;
  return check_rule(r, at, err);
}

static cb_status read_rules(cb_ynode list, vrig_fault_script *s, cb_err *err) {
  if (!list.doc) return CB_OK;
  if (!cb_yaml_is_list(list)) return cb_yaml_fail(list, err, CB_E_PARSE, "faults: a list was wanted");
  s->n = cb_yaml_count(list);
  if (s->n > VRIG_FAULT_RULES)
    return cb_yaml_fail(list, err, CB_E_RANGE, "faults: %zu of them, at most %d are allowed", s->n,
                        VRIG_FAULT_RULES);
  for (size_t i = 0; i < s->n; i++) CB_TRY(read_rule(cb_yaml_item(list, i), &s->rule[i], err));
  return CB_OK;
}

/* ---- the mix ---- */

typedef struct mix_nodes {
  vrig_fault_mix mix;
  cb_ynode weights[VRIG_N_WIRES];
} mix_nodes;

static const cb_yfield mix_fields[] = {
    {"every_s", CB_Y_NUM, AT(mix_nodes, mix.every_s), .required = true, .min = 1e-4, .max = LONGEST_S},
    {"count", CB_Y_INT, AT(mix_nodes, mix.count), .required = true, .min = 1, .max = 1e9},
    {"force", CB_Y_NODE, AT(mix_nodes, weights[VRIG_WIRE_FORCE])},
    {"stage", CB_Y_NODE, AT(mix_nodes, weights[VRIG_WIRE_STAGE])},
};

static cb_status read_weights(cb_ynode map, vrig_wire wire, double weight[VRIG_N_FAULTS], cb_err *err) {
  cb_yfield fields[VRIG_N_FAULTS];
  size_t n = 0;
  if (!map.doc) return CB_OK;
  for (int k = 0; k < VRIG_N_FAULTS; k++)
    if (vrig_fault_fits((vrig_fault_kind)k, wire))
      fields[n++] = (cb_yfield){.key = vrig_fault_names[k],
                                .kind = CB_Y_NUM,
                                .offset = (size_t)k * sizeof(double),
                                .min = 0,
                                .max = 1e6};
  return cb_yaml_bind(map, fields, n, weight, err);
}

static cb_status read_mix(cb_ynode map, vrig_fault_mix *mix, cb_err *err) {
  mix_nodes m = {0};
  double sum = 0;
  if (!map.doc) return CB_OK;
  CB_TRY(cb_yaml_bind(map, mix_fields, N(mix_fields), &m, err));
  for (int w = 0; w < VRIG_N_WIRES; w++) {
    CB_TRY(read_weights(m.weights[w], (vrig_wire)w, m.mix.weight[w], err));
    for (int k = 0; k < VRIG_N_FAULTS; k++) sum += m.mix.weight[w][k];
  }
  if (!(sum > 0)) return cb_yaml_fail(map, err, CB_E_RANGE, "mix: no fault has a weight above 0");
  *mix = m.mix;
  mix->present = true;
  return CB_OK;
}

/* ---- the file ---- */

typedef struct top {
  vrig_fault_script script;
  cb_ynode faults, mix, mishaps;
} top;

static const cb_yfield top_fields[] = {
    {"seed", CB_Y_INT, AT(top, script.seed), .min = 0, .max = 2147483647},
    {"from_s", CB_Y_NUM, AT(top, script.from_s), .min = 0, .max = LONGEST_S},
    {"log_lines", CB_Y_BOOL, AT(top, script.log_lines)},
    {"faults", CB_Y_NODE, AT(top, faults)},
    {"mix", CB_Y_NODE, AT(top, mix)},
    {"mishaps", CB_Y_NODE, AT(top, mishaps)},
};

static cb_status read_script(cb_yaml *doc, vrig_fault_script *s, cb_err *err) {
  top t = {.script.seed = 1};
  cb_status st = CB_OK;
  CB_GOTO(cb_yaml_bind(cb_yaml_root(doc), top_fields, N(top_fields), &t, err));
  CB_GOTO(read_rules(t.faults, &t.script, err));
  CB_GOTO(read_mix(t.mix, &t.script.mix, err));
  CB_GOTO(vrig_mishap_plan_read(t.mishaps, &t.script.mishaps, err));
  if (t.script.n == 0 && !t.script.mix.present && t.script.mishaps.n == 0)
    st =
        cb_yaml_fail(cb_yaml_root(doc), err, CB_E_PARSE,
                     "none of 'faults', 'mix', 'mishaps': a script in which nothing goes wrong is a mistake");
done:
  if (st == CB_OK) *s = t.script;
  cb_yaml_free(doc);
  return st;
}

cb_status vrig_fault_script_load(const char *path, vrig_fault_script *s, cb_err *err) {
  cb_yaml *doc;
  *s = (vrig_fault_script){0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  return read_script(doc, s, err);
}

cb_status vrig_fault_script_parse(const char *text, size_t n, const char *name, vrig_fault_script *s,
                                  cb_err *err) {
  cb_yaml *doc;
  *s = (vrig_fault_script){0};
  CB_TRY(cb_yaml_parse(text, n, name, &doc, err));
  return read_script(doc, s, err);
}
