/* Mark-10 gauges that speak GCL2 (Series 5 and 7, M7i, and the 7i indicator): "-18.78 lbF<CR><LF>", tension negative, plus sign left
 * out; "*10<CR><LF>" for a command refused. Manuals: Series 5 p. 17-20, 7i p. 29-31. Pure functions.
 * (The older BG series counts AOUTn differently: it is another instrument.) */
#ifndef DAQ_GCL_H
#define DAQ_GCL_H

#include <stddef.h>

#include "daq_parse.h"

typedef enum daq_gcl_kind { DAQ_GCL_READING, DAQ_GCL_ERROR, DAQ_GCL_TEXT } daq_gcl_kind;
typedef struct daq_gcl_message {
  daq_gcl_kind kind;
  double number;  /* reading */
  char unit[16];  /* reading: as the gauge spells it, "" where it sends none */
  int code;       /* error: 10, 11, 12, 22 */
  char text[256]; /* the line */
} daq_gcl_message;

daq_parse daq_gcl_parse(const char *bytes, size_t n, daq_gcl_message *m, size_t *used);

/* "lbF" -> "lbf": the gauge's unit in this program's spelling (cb_unit); NULL for what is no force. */
const char *daq_gcl_unit(const char *gauge);
/* What an error code means; "unknown error" for one that the manual does not have. */
const char *daq_gcl_error(int code);
/* The n of AOUTn for the slowest stream that is not slower than rate_Hz; 0: no gauge is so fast. */
int daq_gcl_rate(double rate_Hz);

#endif
