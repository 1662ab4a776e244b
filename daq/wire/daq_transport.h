/* Bytes to and from an instrument on a tty: raw, 8 data bits, no parity, 1 stop bit, no flow control by
 * default.
 *
 * A real serial port is configured through libserialport, any other terminal (a pseudo-terminal, a socat
 * link) by termios: libserialport 0.1.1 refuses what has no entry in /sys/class/tty. Both are read and
 * written by poll() + read()/write() with deadlines on CLOCK_MONOTONIC, as libserialport reports an unplugged
 * device as an endless time-out. A real port is set to low latency, which for an FTDI converter means 1 ms
 * instead of 16.
 *
 * All times are wall seconds.
 * Errors name the port. */
#ifndef DAQ_TRANSPORT_H
#define DAQ_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "cb_rig_lines.h"

typedef struct daq_transport daq_transport;

/* Opens a port exclusively. The caller closes it with daq_transport_close, which accepts NULL.
 * CB_E_DEVICE: the port is in use, not permitted, no serial port, or does not exist; the sentence then lists
 * the existing ones. CB_E_RANGE: baud is no standard rate. CB_E_NOMEM. */
CB_CHECKED cb_status daq_transport_open(const char *path, int baud, daq_transport **out, cb_err *err);
void daq_transport_close(daq_transport *t);

/* A transport over one end of a pair of sockets, which it takes, also after a failure. path names it in
 * errors; gone (static) is what they say when the other end has closed. `end` is called when it is closed,
 * after its end. Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status daq_transport_adopt(int socket, const char *path, const char *gone,
                                         void (*end)(void *context), void *context, daq_transport **out,
                                         cb_err *err);
void *daq_transport_context(const daq_transport *t); /* of an adopted one */

/* Sets another speed, with 8 data bits, no parity and no flow control. Errors: CB_E_RANGE, CB_E_DEVICE. */
CB_CHECKED cb_status daq_transport_use_baud(daq_transport *t, int baud, cb_err *err);

/* Switches on flow control, of cb_flow, which some controllers need. Errors: CB_E_DEVICE. */
CB_CHECKED cb_status daq_transport_use_flow(daq_transport *t, int flow, cb_err *err);

/* Sets the parity, of cb_parity. Errors: CB_E_DEVICE. */
CB_CHECKED cb_status daq_transport_use_parity(daq_transport *t, int parity, cb_err *err);

const char *daq_transport_path(const daq_transport *t); /* belongs to t */
int daq_transport_fd(const daq_transport *t);           /* for poll() only */
/* Sets the USB ids of a real port; 0, 0: it is not on USB. */
void daq_transport_usb(const daq_transport *t, int *vid, int *pid);

/* Reads what has arrived, at most cap bytes, and waits up to timeout_s (0: not at all) for the first. Nothing
 * in time is CB_OK with *n = 0. A signal does not shorten the wait.
 * CB_E_DEVICE: the device is disconnected. CB_E_IO. */
CB_CHECKED cb_status daq_transport_read(daq_transport *t, void *buffer, size_t cap, double timeout_s,
                                        size_t *n, cb_err *err);
/* Writes all n bytes.
 * CB_E_TIMEOUT: not within timeout_s. CB_E_DEVICE: disconnected. CB_E_IO. */
CB_CHECKED cb_status daq_transport_write(daq_transport *t, const void *data, size_t n, double timeout_s,
                                         cb_err *err);
/* Writes text at once, without waiting, also after an XOFF. If the terminal's output is full, because the
 * device takes nothing, that output is dropped first. Failures are not reported. Another thread may call it.
 */
void daq_transport_shout(const daq_transport *t, const char *text);
/* Returns true if the other end is gone: the device was disconnected. */
bool daq_transport_hung_up(const daq_transport *t);
/* Drops what has arrived and was not read yet. */
void daq_transport_discard(daq_transport *t);

#endif
