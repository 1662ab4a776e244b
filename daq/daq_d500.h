/* The FUTEK IPM500 (D500) display in continuous mode: "+999.99<CR>[<LF>]", sign and decimal point always there, before CR
 * possibly a letter A to H: an alarm or overload of the device. Pure function on bytes. */
#ifndef DAQ_D500_H
#define DAQ_D500_H

#include <stddef.h>

#include "daq_parse.h"

/* *letter: 0, or 'A' .. 'H'. */
daq_parse daq_d500_parse(const char *bytes, size_t n, double *number, char *letter, size_t *used);

#endif
