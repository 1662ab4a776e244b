/* The Comedi boards of this machine, as libcomedi describes them. The functions set and measure nothing. */
#ifndef DAQ_BOARDS_H
#define DAQ_BOARDS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

#define DAQ_SUBDEVICES_MAX 16

typedef struct daq_subdevice {
  int index;
  const char *kind; /* "analog input", "digital in/out", ... */
  int channels, ranges, bits;
  double range_min, range_max; /* of range 0, in volts (analog only; NAN where unknown) */
  bool streams;                /* accepts commands: samples by its own clock */
} daq_subdevice;

typedef struct daq_board {
  char path[32]; /* "/dev/comedi0" */
  char driver[32], board[64];
  size_t n; /* subdevices used by the driver; at most DAQ_SUBDEVICES_MAX */
  daq_subdevice sub[DAQ_SUBDEVICES_MAX];
  char trouble[160]; /* why the board could not be read; "" if it could */
} daq_board;

#endif
