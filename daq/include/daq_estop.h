/* The emergency-stop contact on a modem line of a serial port: read by ioctl(TIOCMGET) (tty_ioctl(4)), a few microseconds. The
 * contact stops the stage through this program; a rig that can hurt somebody needs one that cuts the motor's power besides. */
#ifndef DAQ_ESTOP_H
#define DAQ_ESTOP_H

#include "cb_err.h"
#include "cb_rig.h"
#include "daq_transport.h"

/* Modem lines as TIOCMGET gives them; 0, or -1 with errno. */
typedef int daq_modem_lines(int fd, int *lines);

typedef struct daq_estop {
  const cb_rig_estop *rig; /* borrowed; NULL: the rig has none, and every check passes */
  daq_transport *port;     /* opened for the contact alone; NULL where it hangs on a port that is open already */
  int fd;
  daq_modem_lines *read_lines; /* the kernel's; pseudo-terminals have no modem lines, so that tests play their own */
} daq_estop;

/* fds: the ports that are open (stage, read-out); where the contact hangs on one of them that one is used, else the rig file's port
 * is taken. Refuses with CB_E_SAFETY while the contact says stop, CB_E_DEVICE where the port has no such lines. Close also after a
 * failure. */
CB_CHECKED cb_status daq_estop_open(daq_estop *e, const cb_rig *rig, const int *fds, size_t n_fds, daq_modem_lines *read_lines,
                                    cb_err *err);
void daq_estop_close(daq_estop *e);

/* CB_E_SAFETY where the contact says stop, or its port is gone. */
CB_CHECKED cb_status daq_estop_check(const daq_estop *e, cb_err *err);

/* "CTS", "DSR", "DCD" or "RI"; the rig must have a contact. */
const char *daq_estop_line(const daq_estop *e);

/* The kernel's answer. */
daq_modem_lines daq_modem_lines_read;

#endif
