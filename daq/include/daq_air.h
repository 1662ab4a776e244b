/* The air at the bench, from a sensor whose kernel driver shows it as files: an IIO device (in_temp_input,
 * in_humidityrelative_input) or a hwmon device (temp1_input, humidity1_input). All of them are thousandths of
 * a degree Celsius and of a percent (Linux, Documentation/ABI/testing/sysfs-bus-iio;
 * Documentation/hwmon/sht3x). */
#ifndef DAQ_AIR_H
#define DAQ_AIR_H

#include "cb_conditions.h"
#include "cb_err.h"

/* Fills in what is not known of temperature and humidity from the sensor in a folder, such as
 * /sys/bus/iio/devices/iio:device0. "" is no folder, and changes nothing; a value without a file stays
 * unknown. CB_E_DEVICE: there is neither, or a file cannot be read. CB_E_PARSE, CB_E_RANGE: it holds no such
 * value. */
CB_CHECKED cb_status daq_air_fill(const char *folder, cb_conditions *c, cb_err *err);

#endif
