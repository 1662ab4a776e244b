/* The FUTEK IPM500 (D500) display in continuous mode: "+999.99<CR>[<LF>]", always with sign and decimal
 * point. A letter A to H before CR is an alarm or overload of the device. A pure function on bytes. */
#ifndef DAQ_D500_H
#define DAQ_D500_H

#include <stddef.h>

#include "daq_line.h"

/* Parses the first message of n bytes (daq_line.h). *letter receives 0, or 'A' to 'H'. */
daq_parse daq_d500_parse(const char *bytes, size_t n, double *number, char *letter, size_t *used);

#endif
