/* Text lines from a read-out, and the simplest protocol: one line per reading, "0.4312\r\n",
 * "12;0.4312;ok\n", "-0.00190 N-m\r\n". Pure functions on bytes.
 *
 * terminator is as in the rig file: "cr", "lf", "crlf" or one printable character; "" is CR or LF, whichever
 * comes. */
#ifndef DAQ_LINE_H
#define DAQ_LINE_H

#include <stddef.h>

/* The result of a parser of an instrument's bytes. A parser is a pure function on the bytes received so
 * far. */

typedef enum daq_parse {
  DAQ_PARSE_VALID,   /* a message; *used bytes belong to it */
  DAQ_PARSE_INVALID, /* the first *used bytes are no message: drop them and parse again */
  DAQ_PARSE_MORE     /* the bytes may be the beginning of a message; *used = 0 */
} daq_parse;

/* Returns the length of the line end at the beginning of n > 0 bytes; 0: there is none. */
size_t daq_line_end(const char *bytes, size_t n, const char *terminator);

/* Copies the first line that is not empty, without its end, as a string of less than cap bytes (daq_parse).
 * Invalid are a control character or a byte beyond ASCII, a line that is too long, and endless line ends.
 * With a printable terminator, CR and LF count as blanks. */
daq_parse daq_line_cut(const char *bytes, size_t n, const char *terminator, char *line, size_t cap,
                       size_t *used);

#define DAQ_LINE_MAX 256 /* with the terminator */

/* Parses a field (from 0) of the first line as a number, unscaled. separator is one character, or "" for
 * white space. Invalid are also a line without that field, and a field that is no finite decimal number, or
 * one whose exponent has no sign or one digit.
 * *number is set where the field is a number. */
daq_parse daq_line_parse(const char *bytes, size_t n, const char *terminator, int field,
                         const char *separator, double *number, size_t *used);

/* Bytes that could not be understood, as a text for a person: printable ones as they are, the rest as \r, \n,
 * \xNN. "..." marks that there are more. */

#define DAQ_QUOTE_SIZE 64

/* Writes the first of n bytes as text, as many as fit. */
void daq_quote(const char *bytes, size_t n, char out[DAQ_QUOTE_SIZE]);

#endif
