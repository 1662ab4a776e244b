/* Bytes to and from an instrument on a tty: raw, 8 data bits, no parity, 1 stop bit, no flow control unless it is asked for.
 *
 * A real serial port is configured through libserialport; any other terminal (a pseudo-terminal, a socat link) by termios,
 * because libserialport 0.1.1 refuses what has no entry in /sys/class/tty. Reading and writing are poll() + read()/write() with
 * deadlines on CLOCK_MONOTONIC for both: libserialport reports an unplugged device as a time-out, for ever. A real port is asked for
 * low latency, which an FTDI converter answers with 1 ms instead of 16.
 *
 * All times are wall seconds. Errors name the port. */
#ifndef DAQ_TRANSPORT_H
#define DAQ_TRANSPORT_H

#include <stddef.h>

#include "cb_err.h"

typedef struct daq_transport daq_transport;

/* Takes the port for this program alone; a port that another program holds is CB_E_DEVICE "port is in use". A port that does
 * not exist is CB_E_DEVICE and the sentence lists those there are. Caller closes with daq_transport_close (NULL is fine). */
CB_CHECKED cb_status daq_transport_open(const char *path, int baud, daq_transport **out, cb_err *err);
void daq_transport_close(daq_transport *t);

/* From now on the two ends hold each other up with the bytes XON and XOFF, as some controllers want it. */
CB_CHECKED cb_status daq_transport_use_xon_xoff(daq_transport *t, cb_err *err);

const char *daq_transport_path(const daq_transport *t);
int daq_transport_fd(const daq_transport *t); /* for poll() only */

/* What has arrived, at most cap bytes; waits up to timeout_s (0: not at all) for the first. Nothing in time is CB_OK with
 * *n = 0; a device that is gone is CB_E_DEVICE. A signal does not cut the wait short. */
CB_CHECKED cb_status daq_transport_read(daq_transport *t, void *buffer, size_t cap, double timeout_s, size_t *n, cb_err *err);
/* All n bytes, or CB_E_TIMEOUT / CB_E_DEVICE. */
CB_CHECKED cb_status daq_transport_write(daq_transport *t, const void *data, size_t n, double timeout_s, cb_err *err);
/* Writes text at once and ahead of everything, without ever waiting: what still stands in the terminal, because the device takes
 * nothing, is dropped for it. Best effort, no word on what came of it; another thread may call it. */
void daq_transport_shout(const daq_transport *t, const char *text);
/* Drops what has arrived and was not read. */
void daq_transport_discard(daq_transport *t);

#endif
