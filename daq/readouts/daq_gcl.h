/* Mark-10 gauges with GCL2 (Series 5 and 7, M7i, and the 7i indicator): "-18.78 lbF<CR><LF>", tension
 * negative, no plus sign; "*10<CR><LF>" for a refused command. Manuals: Series 5 p. 17-20, 7i p. 29-31. Pure
 * functions. The older BG series counts AOUTn differently and is not supported. */
#ifndef DAQ_GCL_H
#define DAQ_GCL_H

#include <stddef.h>

#include "daq_line.h"

typedef enum daq_gcl_kind { DAQ_GCL_READING, DAQ_GCL_ERROR, DAQ_GCL_TEXT } daq_gcl_kind;
typedef struct daq_gcl_message {
  daq_gcl_kind kind;
  double number;  /* reading */
  char unit[16];  /* reading: in the gauge's spelling; "": none */
  int code;       /* error: 10, 11, 12, 22 */
  char text[256]; /* the line */
} daq_gcl_message;

/* Parses the first message of n bytes (daq_line.h). */
daq_parse daq_gcl_parse(const char *bytes, size_t n, daq_gcl_message *m, size_t *used);

/* Returns the gauge's unit in this program's spelling (cb_unit): "lbF" -> "lbf"; NULL if it is no force. */
const char *daq_gcl_unit(const char *gauge);
/* Returns the meaning of an error code; "unknown error" for one that is not in the manual. */
const char *daq_gcl_error(int code);
/* Returns the n of AOUTn for the slowest stream of at least rate_Hz; 0: no gauge is that fast. */
int daq_gcl_rate(double rate_Hz);

#endif
