/* Bytes received from an instrument and not parsed yet. */
#ifndef DAQ_RX_H
#define DAQ_RX_H

#include <stdbool.h>

#include "daq_transport.h"

typedef struct daq_rx {
  char bytes[1024]; /* longer than any message of any protocol here */
  size_t n;
  unsigned long long total; /* bytes ever received */
} daq_rx;

/* Waits up to timeout_s for bytes and appends them. *got is false if none came.
 * Errors: those of daq_transport_read. */
CB_CHECKED cb_status daq_rx_fill(daq_rx *rx, daq_transport *port, double timeout_s, bool *got, cb_err *err);
/* Removes the first n bytes. */
void daq_rx_drop(daq_rx *rx, size_t n);

/* Always fails, for a device that could not be understood: CB_E_TIMEOUT if nothing ever came, else
 * CB_E_DEVICE. `wanted` names the expected device: "a Zaber stage (ASCII protocol)". */
CB_CHECKED cb_status daq_rx_stranger(const daq_rx *rx, const daq_transport *port, int baud,
                                     const char *wanted, cb_err *err);

#endif
