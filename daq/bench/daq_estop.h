/* The emergency-stop contact on a modem line of a serial port, read by ioctl(TIOCMGET) (tty_ioctl(4)) in a
 * few microseconds. The contact stops the stage through this program. A rig that can hurt somebody also needs
 * a contact that cuts the motor's power. */
#ifndef DAQ_ESTOP_H
#define DAQ_ESTOP_H

#include "cb_err.h"
#include "cb_rig.h"
#include "daq_transport.h"

/* Reads the modem lines as TIOCMGET does. Returns 0, or -1 with errno. */
typedef int daq_modem_lines(int fd, int *lines);

typedef struct daq_estop {
  const cb_rig_estop *rig; /* borrowed; NULL: the rig has none, and every check passes */
  daq_transport *port;     /* opened for the contact alone; NULL: it is on a port that is open already */
  int fd;
  daq_modem_lines *read_lines; /* daq_modem_lines_read, or a test's: pseudo-terminals have no modem lines */
} daq_estop;

/* Opens the contact. fds are the ports open already (stage, read-out); if the contact is on one of them, that
 * one is used, else the rig file's port is opened. A rig without a contact opens nothing. The caller calls
 * daq_estop_close, also after a failure.
 * CB_E_SAFETY: the contact says stop. CB_E_DEVICE: the port has no such lines, or cannot be opened. */
CB_CHECKED cb_status daq_estop_open(daq_estop *e, const cb_rig *rig, const int *fds, size_t n_fds,
                                    daq_modem_lines *read_lines, cb_err *err);
void daq_estop_close(daq_estop *e);

/* Errors: CB_E_SAFETY if the contact says stop, or its port is gone. */
CB_CHECKED cb_status daq_estop_check(const daq_estop *e, cb_err *err);

/* Returns "CTS", "DSR", "DCD" or "RI". The rig must have a contact. */
const char *daq_estop_line(const daq_estop *e);

/* The kernel's lines. */
daq_modem_lines daq_modem_lines_read;

#endif
