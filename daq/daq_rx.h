/* Bytes that came from an instrument and are not yet understood. */
#ifndef DAQ_RX_H
#define DAQ_RX_H

#include <stdbool.h>

#include "daq_transport.h"

typedef struct daq_rx {
  char bytes[1024]; /* longer than any message of any protocol here, so that a parser never waits for more than fits */
  size_t n;
  unsigned long long total; /* that ever came */
} daq_rx;

/* Waits up to timeout_s for bytes and takes them; *got: whether any came. */
CB_CHECKED cb_status daq_rx_fill(daq_rx *rx, daq_transport *port, double timeout_s, bool *got, cb_err *err);
/* The first n bytes are done with. */
void daq_rx_drop(daq_rx *rx, size_t n);

/* CB_E_TIMEOUT or CB_E_DEVICE, for a device that never said anything that could be understood: nothing came, or something did and made
 * no sense. wanted: "a Zaber stage (ASCII protocol)". */
CB_CHECKED cb_status daq_rx_stranger(const daq_rx *rx, const daq_transport *port, int baud, const char *wanted, cb_err *err);

#endif
