/* Private to daq: the dead man's handle on a terminal. A terminal tells of keys that are pressed, never of
 * keys that are let go: while one is held down it comes again and again. A key is held as long as it comes.
 * Pure: no clock, no stage. Times are monotonic wall seconds. */
#ifndef DAQ_JOG_H
#define DAQ_JOG_H

#include <stdbool.h>
#include <stddef.h>

#define DAQ_JOG_GAPS 4

typedef struct daq_jog {
  int key;                       /* that is held; 0: none. A zeroed jog has none */
  bool held;                     /* it came again: no longer a single press */
  double first_s, last_s, due_s; /* when it came, first and last, and by when it must come again */
  double gap_s[DAQ_JOG_GAPS];
  size_t n_gaps;
} daq_jog;

/* The key came: it is the held one, or the first press where none is held. */
void daq_jog_press(daq_jog *j, int key, double now_s);
void daq_jog_release(daq_jog *j);
/* Returns true if the held key did not come in time: it was let go. */
bool daq_jog_is_over(const daq_jog *j, double now_s);
/* Returns how long the next one is waited for, from the last one on. */
double daq_jog_patience_s(const daq_jog *j);

#endif
