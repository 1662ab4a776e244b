/* A read-out that sends one text line per reading: "0.4312\r\n", "12;0.4312;ok\n", "-0.00190 N-m\r\n". Pure function on bytes. */
#ifndef DAQ_LINE_H
#define DAQ_LINE_H

#include <stddef.h>

#include "daq_parse.h"

/* The first line in n bytes (ended by CR or LF; empty lines are skipped) and its field as a number. Invalid: a line without
 * that field, a field that is no finite decimal number, a control character, a line of more than 255 bytes. separator: one
 * character, or "" for white space. The number is as it stands in the line. */
daq_parse daq_line_parse(const char *bytes, size_t n, int field, const char *separator, double *number, size_t *used);

#endif
