#include "daq_estop.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#define BAUD 9600 /* nothing is sent */

typedef struct modem_line {
  int bit;
  const char *name;
} modem_line;

/* By cb_modem_line. */
static const modem_line modem_lines[] = {[CB_LINE_CTS] = {TIOCM_CTS, "CTS"},
                                         [CB_LINE_DSR] = {TIOCM_DSR, "DSR"},
                                         [CB_LINE_DCD] = {TIOCM_CAR, "DCD"},
                                         [CB_LINE_RI] = {TIOCM_RI, "RI"}};

int daq_modem_lines_read(int fd, int *lines) { return ioctl(fd, TIOCMGET, lines); }

const char *daq_estop_line(const daq_estop *e) { return modem_lines[e->rig->line].name; }

cb_status daq_estop_check(const daq_estop *e, cb_err *err) {
  int lines;
  if (!e->rig) return CB_OK;
  const modem_line *line = &modem_lines[e->rig->line];
  if (e->read_lines(e->fd, &lines) != 0)
    return cb_fail(err, CB_E_SAFETY, "e-stop: port %s tells nothing about its line %s: %s", e->rig->port,
                   line->name, strerror(errno));
  bool set = (lines & line->bit) != 0;
  if (set != e->rig->stop_if_set) return CB_OK;
  return cb_fail(err, CB_E_SAFETY, "e-stop: line %s of port %s is %s", line->name, e->rig->port,
                 set ? "set" : "off");
}

/* Two names of one device (/dev/ttyUSB0, /dev/serial/by-id/...) have one number. */
static int find_open(const char *path, const int *fds, size_t n) {
  struct stat port, other;
  if (stat(path, &port) != 0) return -1;
  for (size_t i = 0; i < n; i++)
    if (fstat(fds[i], &other) == 0 && S_ISCHR(other.st_mode) && other.st_rdev == port.st_rdev) return fds[i];
  return -1;
}

cb_status daq_estop_open(daq_estop *e, const cb_rig *rig, const int *fds, size_t n_fds,
                         daq_modem_lines *read_lines, cb_err *err) {
  int lines;
  *e = (daq_estop){.fd = -1, .read_lines = read_lines};
  if (!rig->estop.present) return CB_OK;
  e->fd = find_open(rig->estop.port, fds, n_fds);
  if (e->fd < 0) {
    cb_status st = daq_transport_open(rig->estop.port, BAUD, &e->port, err);
    if (st != CB_OK) return cb_fail_in(err, st, "e-stop");
    e->fd = daq_transport_fd(e->port);
  }
  if (read_lines(e->fd, &lines) != 0)
    return cb_fail(err, CB_E_DEVICE, "e-stop: port %s has no modem lines: %s", rig->estop.port,
                   strerror(errno));
  e->rig = &rig->estop;
  cb_status active = daq_estop_check(e, err);
  return active == CB_OK ? CB_OK : cb_fail_in(err, active, "release the emergency stop first");
}

void daq_estop_close(daq_estop *e) {
  daq_transport_close(e->port);
  *e = (daq_estop){.fd = -1};
}
