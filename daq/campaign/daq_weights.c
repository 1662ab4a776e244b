#include "daq_weights_impl.h"
#include "cb_plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AIR_OF_CONVENTION 1.2       /* kg/m3, OIML D 28 */
#define DENSITY_OF_CONVENTION 8000. /* kg/m3 */
#define MIN_LOADS 5
#define NOMINAL_TOLERANCE 0.01 /* a weight that is further off is a slip of the pen */
/* Sensors of a laboratory: 1 hPa, 0.5 K, 5 % r.h. make 0.1, 0.17 and 0.04 % of the air's density; doubled for
 * their drift. */
#define U_REL_AIR_DENSITY 0.004

#define MEMBER(S, m) .offset = offsetof(S, m), .size = sizeof(((S *)0)->m)
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

typedef struct sections {
  daq_weights w;
  cb_ynode air, weights, loads;
} sections;

static const cb_yfield file_fields[] = {
    {"certificate", CB_Y_STR, MEMBER(sections, w.certificate), .required = true},
    {"gravity_m_per_s2", CB_Y_NUM, MEMBER(sections, w.gravity_m_per_s2), .required = true, .min = 9.7,
     .max = 9.9},
    {"u_gravity_m_per_s2", CB_Y_NUM, MEMBER(sections, w.u_gravity_m_per_s2), .required = true, .min = 0,
     .max = 0.1},
    {"temperature_coefficient_percent_per_K", CB_Y_NUM, MEMBER(sections, w.temperature_coefficient_per_K),
     .min = -10, .max = 10, .scale = 1e-2},
    {"temperature_range_K", CB_Y_NUM, MEMBER(sections, w.temperature_range_K), .min = 0, .max = 100},
    {"air", CB_Y_NODE, MEMBER(sections, air), .required = true},
    {"weights", CB_Y_NODE, MEMBER(sections, weights), .required = true},
    {"loads", CB_Y_NODE, MEMBER(sections, loads), .required = true},
};

typedef struct air {
  double density, u_density, temperature_degC, pressure_hPa, humidity_percent;
} air;

static const cb_yfield air_fields[] = {
    {"density_kg_per_m3", CB_Y_NUM, MEMBER(air, density), .min = 0.5, .max = 2},
    {"u_density_kg_per_m3", CB_Y_NUM, MEMBER(air, u_density), .min = 0, .max = 0.5},
    {"temperature_degC", CB_Y_NUM, MEMBER(air, temperature_degC), .min = 10, .max = 30},
    {"pressure_hPa", CB_Y_NUM, MEMBER(air, pressure_hPa), .min = 600, .max = 1100},
    {"humidity_percent", CB_Y_NUM, MEMBER(air, humidity_percent), .min = 0, .max = 80},
};

static const cb_yfield weight_fields[] = {
    {"name", CB_Y_STR, MEMBER(daq_weight, name), .required = true},
    {"nominal_g", CB_Y_NUM, MEMBER(daq_weight, nominal_kg), .required = true, .min = 1e-3, .max = 1e6,
     .scale = 1e-3},
    {"conventional_mass_g", CB_Y_NUM, MEMBER(daq_weight, conventional_kg), .min = 1e-3, .max = 1e6,
     .scale = 1e-3},
    {"U_mg", CB_Y_NUM, MEMBER(daq_weight, U_kg), .required = true, .min = 0, .max = 1e9, .scale = 1e-6},
    {"k", CB_Y_NUM, MEMBER(daq_weight, k), .min = 1, .max = 4},
    {"density_kg_per_m3", CB_Y_NUM, MEMBER(daq_weight, density_kg_per_m3), .min = 1000, .max = 23000},
};

/* ---- forces ---- */

double daq_air_density(double temperature_degC, double pressure_hPa, double humidity_percent) {
  return (0.34848 * pressure_hPa - 0.009 * humidity_percent * exp(0.061 * temperature_degC)) /
         (273.15 + temperature_degC);
}

/* Gravity minus buoyancy. */
static double force_of_N(const daq_weight *w, double gravity_m_per_s2, double air_density_kg_per_m3) {
  double mass_kg = w->conventional_kg * (1 - AIR_OF_CONVENTION / DENSITY_OF_CONVENTION) /
                   (1 - AIR_OF_CONVENTION / w->density_kg_per_m3);
  return mass_kg * gravity_m_per_s2 * (1 - air_density_kg_per_m3 / w->density_kg_per_m3);
}

/* ---- sections ---- */

static cb_status bind_air(cb_ynode at, daq_weights *w, cb_err *err) {
  air a = {.density = NAN,
           .u_density = NAN,
           .temperature_degC = NAN,
           .pressure_hPa = NAN,
           .humidity_percent = NAN};
  CB_TRY(cb_yaml_bind(at, air_fields, COUNT(air_fields), &a, err));
  bool measured = isfinite(a.temperature_degC) && isfinite(a.pressure_hPa) && isfinite(a.humidity_percent);
  if (isnan(a.density) && !measured)
    return cb_yaml_fail(
        at, err, CB_E_PARSE,
        "air: density_kg_per_m3, or all of temperature_degC, pressure_hPa and humidity_percent were wanted");
  w->air_density_kg_per_m3 = isfinite(a.density)
                                 ? a.density
                                 : daq_air_density(a.temperature_degC, a.pressure_hPa, a.humidity_percent);
  w->u_air_density_kg_per_m3 =
      isfinite(a.u_density) ? a.u_density : U_REL_AIR_DENSITY * w->air_density_kg_per_m3;
  w->temperature_degC = a.temperature_degC;
  return CB_OK;
}

static const daq_weight *find_weight(const daq_weights *w, const char *name) {
  for (size_t i = 0; i < w->n_weights; i++)
    if (strcmp(w->weight[i].name, name) == 0) return &w->weight[i];
  return NULL;
}

static cb_status bind_weight(cb_ynode at, daq_weights *w, cb_err *err) {
  daq_weight one = {.k = 2, .density_kg_per_m3 = DENSITY_OF_CONVENTION};
  CB_TRY(cb_yaml_bind(at, weight_fields, COUNT(weight_fields), &one, err));
  if (!one.name[0]) return cb_yaml_fail(at, err, CB_E_PARSE, "name = '': must not be empty");
  if (find_weight(w, one.name))
    return cb_yaml_fail(at, err, CB_E_PARSE, "name = '%s': there are two of them", one.name);
  if (one.conventional_kg == 0) one.conventional_kg = one.nominal_kg;
  if (fabs(one.conventional_kg / one.nominal_kg - 1) > NOMINAL_TOLERANCE)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "%s: conventional_mass_g = %g: more than 1 %% away from nominal_g = %g", one.name,
                        one.conventional_kg * 1e3, one.nominal_kg * 1e3);
  w->density_kg_per_m3 = fmin(w->density_kg_per_m3, one.density_kg_per_m3);
  w->k = fmin(w->k, one.k);
  w->weight[w->n_weights++] = one;
  return CB_OK;
}

static cb_status check_list(cb_ynode at, const char *key, size_t max, cb_err *err) {
  if (!cb_yaml_is_list(at)) return cb_yaml_fail(at, err, CB_E_PARSE, "%s: a list was wanted", key);
  if (cb_yaml_count(at) > max)
    return cb_yaml_fail(at, err, CB_E_RANGE, "%s: at most %zu are possible", key, max);
  return CB_OK;
}

static cb_status add_weight(cb_ynode at, const daq_weights *w, daq_load *load, bool used[DAQ_WEIGHTS_MAX],
                            cb_err *err) {
  const char *name = cb_yaml_scalar(at);
  const daq_weight *one = name ? find_weight(w, name) : NULL;
  if (!one)
    return cb_yaml_fail(at, err, CB_E_PARSE, "loads: '%.40s' is none of the weights",
                        name ? name : "a list or map");
  if (used[one - w->weight]) return cb_yaml_fail(at, err, CB_E_PARSE, "loads: '%s' cannot hang twice", name);
  used[one - w->weight] = true;
  size_t n = strlen(load->names);
  if (n + strlen(name) + 2 > sizeof load->names)
    return cb_yaml_fail(at, err, CB_E_RANGE, "loads: the names of one load are too long");
  if (n) load->names[n++] = ' ';
  strcpy(load->names + n, name);
  double force_N = force_of_N(one, w->gravity_m_per_s2, w->air_density_kg_per_m3);
  load->nominal_kg += one->nominal_kg;
  load->conventional_kg += one->conventional_kg;
  load->force_N += force_N;
  load->u_force_N += force_N * one->U_kg / one->k / one->conventional_kg;
  return CB_OK;
}

static cb_status bind_load(cb_ynode at, daq_weights *w, cb_err *err) {
  daq_load load = {0};
  bool used[DAQ_WEIGHTS_MAX] = {false};
  if (!cb_yaml_is_list(at) || cb_yaml_count(at) == 0)
    return cb_yaml_fail(at, err, CB_E_PARSE,
                        "loads: every load is a list of names of weights, like [W10, W20]");
  for (size_t i = 0; i < cb_yaml_count(at); i++) CB_TRY(add_weight(cb_yaml_item(at, i), w, &load, used, err));
  const daq_load *before = w->n_loads ? &w->load[w->n_loads - 1] : NULL;
  if (before && load.force_N <= before->force_N)
    return cb_yaml_fail(at, err, CB_E_RANGE, "loads: %g g follows %g g: loads must ascend",
                        load.nominal_kg * 1e3, before->nominal_kg * 1e3);
  w->load[w->n_loads++] = load;
  return CB_OK;
}

static cb_status bind_lists(const sections *s, daq_weights *w, cb_err *err) {
  CB_TRY(check_list(s->weights, "weights", DAQ_WEIGHTS_MAX, err));
  CB_TRY(check_list(s->loads, "loads", DAQ_LOADS_MAX, err));
  w->density_kg_per_m3 = w->k = INFINITY;
  for (size_t i = 0; i < cb_yaml_count(s->weights); i++)
    CB_TRY(bind_weight(cb_yaml_item(s->weights, i), w, err));
  for (size_t i = 0; i < cb_yaml_count(s->loads); i++) CB_TRY(bind_load(cb_yaml_item(s->loads, i), w, err));
  if (w->n_loads < MIN_LOADS)
    return cb_yaml_fail(s->loads, err, CB_E_RANGE, "loads: %zu load%s: at least %d are needed, and zero",
                        w->n_loads, CB_S(w->n_loads), MIN_LOADS);
  return CB_OK;
}

/* ---- loading ---- */

static cb_status read_weights(cb_yaml *doc, const char *name, daq_weights *w, cb_err *err) {
  cb_ynode root = cb_yaml_root(doc);
  sections s = {0};
  cb_status st = CB_OK;
  CB_GOTO(cb_yaml_bind(root, file_fields, COUNT(file_fields), &s, err));
  *w = s.w;
  if (!w->certificate[0])
    CB_GOTO(
        cb_yaml_fail(root, err, CB_E_PARSE, "certificate = '': without one the weights are not traceable"));
  CB_GOTO(bind_air(s.air, w, err));
  CB_GOTO(bind_lists(&s, w, err));
  w->text = strdup(cb_yaml_text(doc));
  if (!w->text) st = cb_no_memory(err, "%s", name);
done:
  cb_yaml_free(doc);
  return st;
}

cb_status daq_weights_load(const char *path, daq_weights *w, cb_err *err) {
  cb_yaml *doc;
  *w = (daq_weights){0};
  CB_TRY(cb_yaml_load(path, &doc, err));
  return read_weights(doc, path, w, err);
}

cb_status daq_weights_parse(const char *text, const char *name, daq_weights *w, cb_err *err) {
  cb_yaml *doc;
  *w = (daq_weights){0};
  CB_TRY(cb_yaml_parse(text, strlen(text), name, &doc, err));
  return read_weights(doc, name, w, err);
}

void daq_weights_clear(daq_weights *w) {
  free(w->text);
  w->text = NULL;
}
