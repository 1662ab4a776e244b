#include "daq_rx.h"

#include <string.h>

cb_status daq_rx_fill(daq_rx *rx, daq_transport *port, double timeout_s, bool *got, cb_err *err) {
  size_t n;
  CB_TRY(daq_transport_read(port, rx->bytes + rx->n, sizeof rx->bytes - rx->n, timeout_s > 0 ? timeout_s : 0,
                            &n, err));
  rx->n += n;
  rx->total += n;
  *got = n > 0;
  return CB_OK;
}

void daq_rx_drop(daq_rx *rx, size_t n) {
  rx->n -= n;
  memmove(rx->bytes, rx->bytes + n, rx->n);
}

cb_status daq_rx_stranger(const daq_rx *rx, const daq_transport *port, int baud, const char *wanted,
                          cb_err *err) {
  const char *path = daq_transport_path(port);
  if (rx->total == 0)
    return cb_fail(err, CB_E_TIMEOUT,
                   "stage on %s: nothing came: no power, the wrong cable or port, or a rate other than %d "
                   "baud; %s was wanted",
                   path, baud, wanted);
  return cb_fail(err, CB_E_DEVICE,
                 "stage on %s: %llu bytes came, and none made sense: another device, or a rate other than %d "
                 "baud; %s was wanted",
                 path, rx->total, baud, wanted);
}
