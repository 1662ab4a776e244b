/* Instruments that take and give whole messages (USB Test and Measurement Class, /dev/usbtmcN): a thread
 * stands between the device, whose calls wait, and a transport, which is polled as a serial port is.
 *
 * A text written to the transport is one message to the device. If it has a question mark, the answer is read
 * and comes out of the transport, ended by LF. A device that does not answer in its time is cleared, and
 * nothing comes. One that is gone hangs up. */
#ifndef DAQ_MESSAGES_H
#define DAQ_MESSAGES_H

#include <stddef.h>
#include <sys/types.h>

#include "daq_transport.h"

#define DAQ_MESSAGE_MAX 1024

/* Each returns a count of bytes, or -1 with errno: ETIMEDOUT where nothing came in time. They may wait as
 * long as the device's time-out is. */
typedef struct daq_message_device {
  ssize_t (*write)(void *device, const void *bytes, size_t n);
  ssize_t (*read)(void *device, void *bytes, size_t cap); /* a whole message */
  int (*clear)(void *device);
  void (*close)(void *device);
  void *device;
} daq_message_device;

/* Takes the device, which is closed with the transport, and also after a failure.
 * Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status daq_messages_start(const daq_message_device *device, const char *path,
                                        daq_transport **out, cb_err *err);

/* Opens a device of the kernel's driver usbtmc alone, with a time-out, and clears it.
 * Errors: CB_E_DEVICE: not there, in use, not permitted; those of daq_messages_start. */
CB_CHECKED cb_status daq_messages_open_usbtmc(const char *path, double timeout_s, daq_transport **out,
                                              cb_err *err);

/* Returns true if the path is a character device, but no terminal. */
bool daq_messages_is_usbtmc(const char *path);

#endif
