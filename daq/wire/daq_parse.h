/* The result of a parser of an instrument's bytes. A parser is a pure function on the bytes received so
 * far. */
#ifndef DAQ_PARSE_H
#define DAQ_PARSE_H

typedef enum daq_parse {
  DAQ_PARSE_VALID,   /* a message; *used bytes belong to it */
  DAQ_PARSE_INVALID, /* the first *used bytes are no message: drop them and parse again */
  DAQ_PARSE_MORE     /* the bytes may be the beginning of a message; *used = 0 */
} daq_parse;

#endif
