/* Text lines from a read-out, and the plainest protocol of them: one line per reading, "0.4312\r\n", "12;0.4312;ok\n",
 * "-0.00190 N-m\r\n". Pure functions on bytes.
 *
 * terminator, as in the rig file: "cr", "lf", "crlf" or one printable character; "" is CR or LF, whichever comes. */
#ifndef DAQ_LINE_H
#define DAQ_LINE_H

#include <stddef.h>

#include "daq_parse.h"

/* The length of the line end with which the n > 0 bytes begin; 0: they do not begin with one. */
size_t daq_line_end(const char *bytes, size_t n, const char *terminator);

/* The first line that is not empty, without its end, as a string of less than cap bytes. Invalid: a control character or a byte
 * beyond ASCII in it, a line that is too long, endless line ends. Beside a printable terminator CR and LF are blanks. */
daq_parse daq_line_cut(const char *bytes, size_t n, const char *terminator, char *line, size_t cap, size_t *used);

#define DAQ_LINE_MAX 256 /* with the terminator */

/* The first line and its field as a number. Invalid: what daq_line_cut finds so, a line without that field, a field that is no
 * finite decimal number. separator: one character, or "" for white space. The number is as it stands in the line. */
daq_parse daq_line_parse(const char *bytes, size_t n, const char *terminator, int field, const char *separator, double *number,
                         size_t *used);

#endif
