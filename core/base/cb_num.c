#include "cb_num.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"

static bool is_sign(char c) { return c == '+' || c == '-'; }

static size_t count_digits(const char *s) {
  size_t n = 0;
  while (isdigit((unsigned char)s[n])) n++;
  return n;
}

/* The decimal forms only: strtod alone would also take "0x10", "nan", "inf" and leading blanks. */
static size_t decimal_length(const char *s) {
  size_t i = is_sign(s[0]), whole = count_digits(s + i), fraction = 0;
  i += whole;
  if (s[i] == '.') {
    fraction = count_digits(s + i + 1);
    i += 1 + fraction;
  }
  if (whole + fraction == 0) return 0;
  if (s[i] == 'e' || s[i] == 'E') {
    size_t from = i + 1 + is_sign(s[i + 1]), digits = count_digits(s + from);
    if (digits > 0) i = from + digits;
  }
  return i;
}

/* Of its mantissa. */
static bool is_zero(const char *token) {
  const size_t n = strcspn(token, "eE");
  return strcspn(token, "123456789") >= n;
}

static cb_status convert(const char *text, size_t n, const char *what, double *out, cb_err *err) {
  char token[64];
  if (n >= sizeof token)
    return cb_fail(err, CB_E_PARSE, "%s = '%.40s...': a number of %zu characters is not believable", what,
                   text, n);
  memcpy(token, text, n);
  token[n] = '\0';
  double v = strtod(token, NULL);
  if (!isfinite(v)) return cb_fail(err, CB_E_RANGE, "%s = '%s': too large for a double", what, token);
  if (fabs(v) < DBL_MIN && !is_zero(token))
    return cb_fail(err, CB_E_RANGE, "%s = '%s': too small for a double", what, token);
  *out = v;
  return CB_OK;
}

cb_status cb_parse_double(const char *text, const char *what, double *out, cb_err *err) {
  size_t n = decimal_length(text);
  if (n == 0 || text[n] != '\0')
    return cb_fail(err, CB_E_PARSE, "%s = '%.60s': must be a finite decimal number such as 1.5 or -2e-3",
                   what, text);
  return convert(text, n, what, out, err);
}

cb_status cb_parse_int(const char *text, const char *what, long long *out, cb_err *err) {
  const char *digits = text + (text[0] == '+' || text[0] == '-');
  size_t n = strspn(digits, "0123456789");
  if (n == 0 || digits[n] != '\0')
    return cb_fail(err, CB_E_PARSE, "%s = '%.60s': must be a whole number", what, text);
  errno = 0;
  long long v = strtoll(text, NULL, 10);
  if (errno == ERANGE)
    return cb_fail(err, CB_E_RANGE, "%s = '%.60s': too large for a whole number", what, text);
  *out = v;
  return CB_OK;
}

cb_status cb_check_range(double value, double min, double max, const char *what, const char *unit,
                         cb_err *err) {
  if (value >= min && value <= max) return CB_OK;
  const char *gap = unit[0] ? " " : "";
  if (!isfinite(value)) return cb_fail(err, CB_E_NUM, "%s = %g: must be a finite number", what, value);
  if (isinf(max))
    return cb_fail(err, CB_E_RANGE, "%s = %.10g%s%s: must be >= %.10g%s%s", what, value, gap, unit, min, gap,
                   unit);
  if (isinf(min))
    return cb_fail(err, CB_E_RANGE, "%s = %.10g%s%s: must be <= %.10g%s%s", what, value, gap, unit, max, gap,
                   unit);
  return cb_fail(err, CB_E_RANGE, "%s = %.10g%s%s: must be between %.10g and %.10g%s%s", what, value, gap,
                 unit, min, max, gap, unit);
}

/* Exact by definition: 1 in = 25.4 mm, 1 ft = 12 in, 1 lb = 0.45359237 kg, g_n = 9.80665 m/s2. */
#define LB_KG 0.45359237
#define FT_M 0.3048
static const cb_unit units[] = {
    {"m", CB_DIM_LENGTH, 1, 0},
    {"mm", CB_DIM_LENGTH, 1e-3, 0},
    {"cm", CB_DIM_LENGTH, 1e-2, 0},
    {"um", CB_DIM_LENGTH, 1e-6, 0},
    {"in", CB_DIM_LENGTH, 0.0254, 0},
    {"m2", CB_DIM_AREA, 1, 0},
    {"cm2", CB_DIM_AREA, 1e-4, 0},
    {"mm2", CB_DIM_AREA, 1e-6, 0},
    {"s", CB_DIM_TIME, 1, 0},
    {"ms", CB_DIM_TIME, 1e-3, 0},
    {"min", CB_DIM_TIME, 60, 0},
    {"h", CB_DIM_TIME, 3600, 0},
    {"kg", CB_DIM_MASS, 1, 0},
    {"g", CB_DIM_MASS, 1e-3, 0},
    {"mg", CB_DIM_MASS, 1e-6, 0},
    {"lb", CB_DIM_MASS, LB_KG, 0},
    {"N", CB_DIM_FORCE, 1, 0},
    {"mN", CB_DIM_FORCE, 1e-3, 0},
    {"kN", CB_DIM_FORCE, 1e3, 0},
    {"gf", CB_DIM_FORCE, 1e-3 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"kgf", CB_DIM_FORCE, CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"lbf", CB_DIM_FORCE, LB_KG *CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"ozf", CB_DIM_FORCE, LB_KG / 16 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    /* and a moment per width a force */
    {"gf cm/cm", CB_DIM_FORCE, 1e-3 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"N m/m", CB_DIM_FORCE, 1, 0},
    {"rad", CB_DIM_ANGLE, 1, 0},
    {"deg", CB_DIM_ANGLE, CB_DEG, 0},
    {"m/s", CB_DIM_SPEED, 1, 0},
    {"mm/s", CB_DIM_SPEED, 1e-3, 0},
    {"cm/s", CB_DIM_SPEED, 1e-2, 0},
    {"mm/min", CB_DIM_SPEED, 1e-3 / 60, 0},
    /* a flow through an area is a speed */
    {"m3/m2/s", CB_DIM_SPEED, 1, 0},
    {"L/m2/s", CB_DIM_SPEED, 1e-3, 0},
    {"L/dm2/min", CB_DIM_SPEED, 0.1 / 60, 0},
    {"cm3/cm2/s", CB_DIM_SPEED, 1e-2, 0},
    {"cfm/ft2", CB_DIM_SPEED, FT_M / 60, 0},
    {"m/s2", CB_DIM_ACCELERATION, 1, 0},
    {"mm/s2", CB_DIM_ACCELERATION, 1e-3, 0},
    {"Hz", CB_DIM_FREQUENCY, 1, 0},
    {"kHz", CB_DIM_FREQUENCY, 1e3, 0},
    {"Pa", CB_DIM_PRESSURE, 1, 0},
    {"kPa", CB_DIM_PRESSURE, 1e3, 0},
    {"MPa", CB_DIM_PRESSURE, 1e6, 0},
    {"hPa", CB_DIM_PRESSURE, 1e2, 0},
    {"mbar", CB_DIM_PRESSURE, 1e2, 0},
    {"gf/cm2", CB_DIM_PRESSURE, 10 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"mmH2O", CB_DIM_PRESSURE, CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"inH2O", CB_DIM_PRESSURE, 25.4 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"N/m", CB_DIM_STIFFNESS, 1, 0},
    {"N/mm", CB_DIM_STIFFNESS, 1e3, 0},
    {"N/cm", CB_DIM_STIFFNESS, 1e2, 0},
    {"gf/cm", CB_DIM_STIFFNESS, 0.1 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    /* work per area is a force per width */
    {"gf cm/cm2", CB_DIM_STIFFNESS, 0.1 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"J/m2", CB_DIM_STIFFNESS, 1, 0},
    /* KES-F shear, per degree of the shear angle */
    {"gf/cm/deg", CB_DIM_STIFFNESS, 0.1 * CB_STANDARD_GRAVITY_M_PER_S2 / CB_DEG, 0},
    {"kg/m2", CB_DIM_AREAL_DENSITY, 1, 0},
    {"g/m2", CB_DIM_AREAL_DENSITY, 1e-3, 0},
    {"mg/cm2", CB_DIM_AREAL_DENSITY, 1e-2, 0},
    {"1", CB_DIM_RATIO, 1, 0},
    {"%", CB_DIM_RATIO, 1e-2, 0},
    {"K", CB_DIM_TEMPERATURE, 1, 0},
    {"degC", CB_DIM_TEMPERATURE, 1, 273.15},
    {"mV/V", CB_DIM_SIGNAL, 1, 0},
    {"m3/s", CB_DIM_FLOW, 1, 0},
    {"m3/h", CB_DIM_FLOW, 1.0 / 3600, 0},
    {"L/s", CB_DIM_FLOW, 1e-3, 0},
    {"L/min", CB_DIM_FLOW, 1e-3 / 60, 0},
    {"L/h", CB_DIM_FLOW, 1e-3 / 3600, 0},
    {"cm3/s", CB_DIM_FLOW, 1e-6, 0},
    {"cfm", CB_DIM_FLOW, FT_M *FT_M *FT_M / 60, 0},
    {"Pa s/m", CB_DIM_AIR_RESISTANCE, 1, 0},
    {"Rayl", CB_DIM_AIR_RESISTANCE, 1, 0},
    {"kPa s/m", CB_DIM_AIR_RESISTANCE, 1e3, 0},
    {"1/m", CB_DIM_CURVATURE, 1, 0},
    {"1/cm", CB_DIM_CURVATURE, 1e2, 0},
    {"1/mm", CB_DIM_CURVATURE, 1e3, 0},
    {"N m", CB_DIM_RIGIDITY, 1, 0},
    {"uN m", CB_DIM_RIGIDITY, 1e-6, 0},
    {"mN mm", CB_DIM_RIGIDITY, 1e-6, 0},
    {"gf cm2/cm", CB_DIM_RIGIDITY, 1e-5 * CB_STANDARD_GRAVITY_M_PER_S2, 0},
    {"mN cm", CB_DIM_RIGIDITY, 1e-5, 0},
    {"mg cm", CB_DIM_RIGIDITY, 1e-8 * CB_STANDARD_GRAVITY_M_PER_S2, 0}, /* of a mass's weight */
};

const cb_unit *cb_unit_find(const char *name) {
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(units[i].name, name) == 0) return &units[i];
  return NULL;
}

void cb_unit_list(cb_dim dim, char *out, size_t size) {
  out[0] = '\0';
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (units[i].dim == dim) cb_text_add(out, size, ", ", "%s", units[i].name);
}

const char *cb_shortest(double value, char out[32]) {
  for (int digits = 15; digits <= 17; digits++) {
    (void)snprintf(out, 32, "%.*g", digits, value);
    if (strtod(out, NULL) == value) break;
  }
  return out;
}

double cb_round_decimals(double value, int decimals) {
  char text[64];
  int n = snprintf(text, sizeof text, "%.*f", decimals, value);
  return n > 0 && (size_t)n < sizeof text ? strtod(text, NULL) : value;
}

double cb_direction_rad(double angle_deg) { return remainder(angle_deg, 180) * CB_DEG; }
