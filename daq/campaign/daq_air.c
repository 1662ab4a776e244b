#include "daq_air.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"

#define THOUSANDTH 1e-3

/* NAN: there is no such file. */
static cb_status read_file(const char *path, double min, double max, double *value, cb_err *err) {
  char text[32];
  *value = NAN;
  FILE *f = fopen(path, "re");
  if (!f && errno == ENOENT) return CB_OK;
  const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  const bool failed = !f || ferror(f);
  if (failed) cb_err_say(err, "%s: the sensor of the air cannot be read: %s", path, strerror(errno));
  if (f) (void)fclose(f);
  if (failed) return CB_E_DEVICE;
  text[n] = '\0';
  text[strcspn(text, "\n")] = '\0';
  CB_TRY(cb_parse_double(text, path, value, err));
  *value *= THOUSANDTH;
  if (*value >= min && *value <= max) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: %g is outside %g to %g: a sensor of air was wanted", path, *value, min,
                 max);
}

/* Under the name of IIO or of hwmon. */
static cb_status read_either(const char *folder, const char *const names[2], double min, double max,
                             double *value, cb_err *err) {
  char path[400];
  *value = NAN;
  for (int i = 0; i < 2 && isnan(*value); i++) {
    (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    CB_TRY(read_file(path, min, max, value, err));
  }
  return CB_OK;
}

static cb_status read_sensor(const char *folder, double *temperature_degC, double *humidity_percent,
                             cb_err *err) {
  static const char *const temperature[] = {"in_temp_input", "temp1_input"}, *const humidity[] = {
                                                                                 "in_humidityrelative_input",
                                                                                 "humidity1_input"};
  *humidity_percent = NAN;
  CB_TRY(read_either(folder, temperature, -50, 100, temperature_degC, err));
  CB_TRY(read_either(folder, humidity, 0, 100, humidity_percent, err));
  if (!isnan(*temperature_degC) || !isnan(*humidity_percent)) return CB_OK;
  return cb_fail(
      err, CB_E_DEVICE,
      "%s: no sensor of the air is there: in_temp_input, in_humidityrelative_input, temp1_input or "
      "humidity1_input was wanted",
      folder);
}

cb_status daq_air_fill(const char *folder, cb_conditions *c, cb_err *err) {
  double temperature_degC, humidity_percent;
  if (!folder[0]) return CB_OK;
  CB_TRY(read_sensor(folder, &temperature_degC, &humidity_percent, err));
  if (isnan(c->temperature_degC)) c->temperature_degC = temperature_degC;
  if (isnan(c->humidity_percent)) c->humidity_percent = humidity_percent;
  return CB_OK;
}
