/* Private to daq: the readings of the last second. */
#ifndef DAQ_WINDOW_H
#define DAQ_WINDOW_H

#include <stddef.h>

#define DAQ_WINDOW_SIZE 32768 /* readings; a power of two. Of a faster stream the window is shorter */

typedef struct daq_window {
  double t_s[DAQ_WINDOW_SIZE], value[DAQ_WINDOW_SIZE], work[DAQ_WINDOW_SIZE];
  size_t pushed;
} daq_window;

typedef struct daq_window_facts {
  size_t n;
  double mean, sd, digit; /* NAN where the readings do not tell */
} daq_window_facts;

void daq_window_push(daq_window *w, double t_s, double value);
/* Of the readings that are no older than seconds before now_s. */
daq_window_facts daq_window_tell(daq_window *w, double now_s, double seconds);

#endif
