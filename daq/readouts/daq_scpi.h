/* Answers of multimeters with SCPI: SCPI-99 (volume 1, 7.2.1.4: 9.9E37 for an overload; volume 2, 21.8:
 * SYSTem:ERRor?), IEEE 488.2 (10.14: *IDN? is maker, model, serial number, firmware). Pure functions. */
#ifndef DAQ_SCPI_H
#define DAQ_SCPI_H

#include <stdbool.h>
#include <stddef.h>

#include "daq_line.h"

typedef struct daq_scpi_reading {
  double number; /* of `field`, between commas; not with overload */
  bool overload; /* 9.9E37, or -9.9E37 */
} daq_scpi_reading;

/* Parses the first answer of n bytes (daq_line.h). */
daq_parse daq_scpi_parse(const char *bytes, size_t n, int field, daq_scpi_reading *r, size_t *used);

/* The serial number of an answer to *IDN?, "" where it has none ("0"). */
void daq_scpi_serial(const char *identity, char serial[64]);

/* The code of an answer to SYSTem:ERRor? (+0,"No error"); false: it is none. */
bool daq_scpi_error(const char *answer, int *code);

#endif
