#include "daq_transport.h"

#include <errno.h>
#include <fcntl.h>
#include <libserialport.h>
#include <linux/major.h>
#include <linux/serial.h>
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <termios.h>
#include <unistd.h>

#include "cb_text.h"
#include "cb_time.h"
#include "daq_ports.h"

struct daq_transport {
  char *path;
  int fd;
  struct sp_port *sp; /* a real port, which owns fd; NULL: fd is our own */
  bool alone;         /* the locks are ours, and ours to give back */
  const char *gone;   /* no terminal, but a socket: what its end means; NULL: a terminal */
  void (*end)(void *context);
  void *context;
};

/* ---- opening ---- */

static cb_status no_such_port(const char *path, cb_err *err) {
  char names[256] = "";
  size_t n = 0;
  daq_port *ports = NULL;
  if (daq_ports_list(&ports, &n, NULL) != CB_OK) n = 0;
  for (size_t i = 0; i < n; i++) cb_text_add(names, sizeof names, ", ", "%s", ports[i].path);
  free(ports);
  if (n == 0)
    return cb_fail(err, CB_E_DEVICE,
                   "port %s: there is no such port, and no other serial port on this machine", path);
  return cb_fail(err, CB_E_DEVICE, "port %s: there is no such port; there are: %s", path, names);
}

static cb_status cannot_open(const char *path, int code, cb_err *err) {
  if (code == ENOENT || code == ENXIO || code == ENODEV) return no_such_port(path, err);
  if (code == EBUSY || code == EWOULDBLOCK)
    return cb_fail(err, CB_E_DEVICE, "port %s: the port is in use by another program", path);
  if (code == EACCES)
    return cb_fail(err, CB_E_DEVICE,
                   "port %s: no permission to use it; the group that owns it (often dialout) was wanted",
                   path);
  return cb_fail(err, CB_E_DEVICE, "port %s: cannot be opened: %s", path, strerror(code));
}

static cb_status sp_sentence(const char *path, const char *what, cb_err *err) {
  char *text = sp_last_error_message();
  cb_status st = cb_fail(err, CB_E_DEVICE, "port %s: %s: %s", path, what, text ? text : "unknown error");
  sp_free_error_message(text);
  return st;
}

static cb_status configure_real(daq_transport *t, int baud, cb_err *err) {
  struct sp_port_config *c = NULL;
  if (sp_new_config(&c) != SP_OK) return cb_no_memory(err, "port %s", t->path);
  sp_set_config_baudrate(c, baud);
  sp_set_config_bits(c, 8);
  sp_set_config_parity(c, SP_PARITY_NONE);
  sp_set_config_stopbits(c, 1);
  sp_set_config_flowcontrol(c, SP_FLOWCONTROL_NONE);
  cb_status st = CB_OK;
  if (sp_set_config(t->sp, c) != SP_OK)
    st = sp_sentence(t->path, "cannot be set to 8-N-1 at the baud rate of the rig file", err);
  sp_free_config(c);
  return st;
}

typedef struct baud_code {
  int baud;
  speed_t code;
} baud_code;

static const baud_code baud_codes[] = {
    {300, B300},       {600, B600},       {1200, B1200},     {2400, B2400},   {4800, B4800},
    {9600, B9600},     {19200, B19200},   {38400, B38400},   {57600, B57600}, {115200, B115200},
    {230400, B230400}, {460800, B460800}, {921600, B921600},
};

static cb_status configure_terminal(daq_transport *t, int baud, cb_err *err) {
  struct termios tio;
  const baud_code *b = NULL;
  for (size_t i = 0; i < sizeof baud_codes / sizeof baud_codes[0]; i++)
    if (baud_codes[i].baud == baud) b = &baud_codes[i];
  if (!b)
    return cb_fail(err, CB_E_RANGE, "port %s: baud = %d: not a standard rate between 300 and 921600", t->path,
                   baud);
  if (tcgetattr(t->fd, &tio) != 0)
    return cb_fail(err, CB_E_DEVICE, "port %s: is not a serial port or terminal", t->path);
  cfmakeraw(&tio);
  tio.c_cflag |= CLOCAL | CREAD;
  tio.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
  tio.c_cc[VMIN] = 1;
  tio.c_cc[VTIME] = 0;
  cfsetispeed(&tio, b->code);
  cfsetospeed(&tio, b->code);
  if (tcsetattr(t->fd, TCSANOW, &tio) != 0)
    return cb_fail(err, CB_E_DEVICE, "port %s: cannot be set to raw 8-N-1: %s", t->path, strerror(errno));
  return CB_OK;
}

/* flock() keeps out programs that ask, TIOCEXCL those that do not (except root's). */
static cb_status take_alone(daq_transport *t, cb_err *err) {
  if (flock(t->fd, LOCK_EX | LOCK_NB) != 0) return cannot_open(t->path, errno, err);
  t->alone = true;
  if (ioctl(t->fd, TIOCEXCL) != 0)
    return cb_fail(err, CB_E_DEVICE, "port %s: is not a serial port or terminal", t->path);
  if (fcntl(t->fd, F_SETFD, FD_CLOEXEC) != 0) return cannot_open(t->path, errno, err);
  return CB_OK;
}

/* An FTDI converter else holds bytes back for up to 16 ms; with this flag ftdi_sio (Linux,
 * drivers/usb/serial/ftdi_sio.c, write_latency_timer) asks the chip for 1 ms. The flag is a user's to set,
 * and a wish: a driver without it refuses. */
static void wish_low_latency(const daq_transport *t) {
  struct serial_struct s;
  if (ioctl(t->fd, TIOCGSERIAL, &s) != 0) return;
  s.flags |= (int)ASYNC_LOW_LATENCY;
  (void)ioctl(t->fd, TIOCSSERIAL, &s);
}

static cb_status open_real(daq_transport *t, int baud, cb_err *err) {
  errno = 0;
  if (sp_open(t->sp, SP_MODE_READ_WRITE) != SP_OK) return cannot_open(t->path, errno, err);
  if (sp_get_port_handle(t->sp, &t->fd) != SP_OK)
    return sp_sentence(t->path, "gives no file descriptor", err);
  /* libserialport opens it so; shouting must never wait, whatever the next version does. */
  if (fcntl(t->fd, F_SETFL, O_RDWR | O_NONBLOCK) != 0) return cannot_open(t->path, errno, err);
  CB_TRY(take_alone(t, err));
  wish_low_latency(t);
  return configure_real(t, baud, err);
}

static cb_status open_terminal(daq_transport *t, int baud, cb_err *err) {
  t->fd = open(t->path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (t->fd < 0) return cannot_open(t->path, errno, err);
  CB_TRY(take_alone(t, err));
  return configure_terminal(t, baud, err);
}

static daq_transport *allocate_port(const char *path) {
  daq_transport *t = calloc(1, sizeof *t);
  if (t) t->path = strdup(path);
  if (!t || !t->path) {
    free(t);
    return NULL;
  }
  t->fd = -1;
  return t;
}

cb_status daq_transport_open(const char *path, int baud, daq_transport **out, cb_err *err) {
  *out = NULL;
  if (access(path, F_OK) != 0) return cannot_open(path, errno, err);
  daq_transport *t = allocate_port(path);
  if (!t) return cb_no_memory(err, "port %s", path);
  if (sp_get_port_by_name(path, &t->sp) != SP_OK) t->sp = NULL;
  cb_status st = t->sp ? open_real(t, baud, err) : open_terminal(t, baud, err);
  if (st == CB_OK) {
    daq_transport_discard(t);
    *out = t;
  } else {
    daq_transport_close(t);
  }
  return st;
}

cb_status daq_transport_adopt(int socket, const char *path, const char *gone, void (*end)(void *context),
                              void *context, daq_transport **out, cb_err *err) {
  daq_transport *t = *out = allocate_port(path);
  if (t) {
    *t = (daq_transport){.path = t->path, .fd = socket, .gone = gone, .end = end, .context = context};
    if (fcntl(socket, F_SETFL, O_RDWR | O_NONBLOCK) == 0) return CB_OK;
  }
  cb_status st =
      t ? cb_fail(err, CB_E_IO, "port %s: %s", path, strerror(errno)) : cb_no_memory(err, "port %s", path);
  *out = NULL;
  daq_transport_close(t);
  if (!t) {
    close(socket);
    end(context);
  }
  return st;
}

void daq_transport_close(daq_transport *t) {
  if (!t) return;
  if (t->alone) (void)ioctl(t->fd, TIOCNXCL);
  if (t->sp) {
    (void)sp_close(t->sp);
    sp_free_port(t->sp);
  } else if (t->fd >= 0) {
    close(t->fd);
  }
  if (t->end) t->end(t->context);
  free(t->path);
  free(t);
}

cb_status daq_transport_use_baud(daq_transport *t, int baud, cb_err *err) {
  return t->sp ? configure_real(t, baud, err) : configure_terminal(t, baud, err);
}

void daq_transport_usb(const daq_transport *t, int *vid, int *pid) {
  *vid = *pid = 0;
  if (t->sp && sp_get_port_transport(t->sp) == SP_TRANSPORT_USB)
    (void)sp_get_port_usb_vid_pid(t->sp, vid, pid);
}

cb_status daq_transport_use_flow(daq_transport *t, int flow, cb_err *err) {
  static const enum sp_flowcontrol real[] = {SP_FLOWCONTROL_NONE, SP_FLOWCONTROL_XONXOFF,
                                             SP_FLOWCONTROL_RTSCTS};
  struct termios tio;
  if (t->sp)
    return sp_set_flowcontrol(t->sp, real[flow]) == SP_OK
               ? CB_OK
               : sp_sentence(t->path, "cannot be set to its flow control", err);
  if (tcgetattr(t->fd, &tio) == 0) {
    if (flow == CB_FLOW_XON_XOFF) tio.c_iflag |= IXON | IXOFF;
    if (flow == CB_FLOW_RTS_CTS) tio.c_cflag |= CRTSCTS;
    if (tcsetattr(t->fd, TCSANOW, &tio) == 0) return CB_OK;
  }
  return cb_fail(err, CB_E_DEVICE, "port %s: cannot be set to its flow control: %s", t->path,
                 strerror(errno));
}

/* It carries no parity bits, and refuses them. */
static bool is_pseudo(const daq_transport *t) {
  struct stat s;
  return fstat(t->fd, &s) == 0 && major(s.st_rdev) >= UNIX98_PTY_SLAVE_MAJOR &&
         major(s.st_rdev) < UNIX98_PTY_SLAVE_MAJOR + UNIX98_PTY_MAJOR_COUNT;
}

cb_status daq_transport_use_parity(daq_transport *t, int parity, cb_err *err) {
  static const enum sp_parity real[] = {SP_PARITY_NONE, SP_PARITY_EVEN, SP_PARITY_ODD};
  static const tcflag_t flags[] = {0, PARENB, PARENB | PARODD};
  struct termios tio;
  if (t->sp)
    return sp_set_parity(t->sp, real[parity]) == SP_OK
               ? CB_OK
               : sp_sentence(t->path, "cannot be set to the rig file's parity", err);
  if (tcgetattr(t->fd, &tio) == 0) {
    tio.c_cflag = (tio.c_cflag & ~(tcflag_t)(PARENB | PARODD)) | flags[parity];
    if (tcsetattr(t->fd, TCSANOW, &tio) == 0 || is_pseudo(t)) return CB_OK;
  }
  return cb_fail(err, CB_E_DEVICE, "port %s: cannot be set to the rig file's parity: %s", t->path,
                 strerror(errno));
}

void *daq_transport_context(const daq_transport *t) { return t->context; }
const char *daq_transport_path(const daq_transport *t) { return t->path; }
int daq_transport_fd(const daq_transport *t) { return t->fd; }

/* ---- bytes ---- */

static cb_status disconnected(const daq_transport *t, cb_err *err) {
  return cb_fail(err, CB_E_DEVICE, "port %s: %s", t->path, t->gone ? t->gone : "the device was disconnected");
}

/* *ready: the event came before the deadline. A hang-up counts only where nothing is left to read. */
static cb_status wait_for(daq_transport *t, short event, double deadline_s, bool *ready, cb_err *err) {
  struct pollfd p = {.fd = t->fd, .events = event};
  int rc;
  *ready = false;
  do {
    double left_s = deadline_s - cb_now_monotonic_s();
    rc = poll(&p, 1, left_s > 0 ? (int)ceil(left_s * 1e3) : 0);
  } while (rc < 0 && errno == EINTR);
  if (rc < 0) return cb_fail(err, CB_E_IO, "port %s: poll: %s", t->path, strerror(errno));
  *ready = (p.revents & event) != 0;
  if (rc > 0 && !*ready) return disconnected(t, err);
  return CB_OK;
}

cb_status daq_transport_read(daq_transport *t, void *buffer, size_t cap, double timeout_s, size_t *n,
                             cb_err *err) {
  bool ready;
  *n = 0;
  CB_TRY(wait_for(t, POLLIN, cb_now_monotonic_s() + timeout_s, &ready, err));
  if (!ready) return CB_OK;
  ssize_t got = read(t->fd, buffer, cap);
  if (got > 0) {
    *n = (size_t)got;
    return CB_OK;
  }
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return CB_OK;
  return disconnected(t, err); /* end of file, EIO: readable, and yet nothing there */
}

/* A program at the other end may be gone: no signal. */
static ssize_t put_bytes(const daq_transport *t, const void *bytes, size_t n) {
  return t->gone ? send(t->fd, bytes, n, MSG_NOSIGNAL) : write(t->fd, bytes, n);
}

cb_status daq_transport_write(daq_transport *t, const void *data, size_t n, double timeout_s, cb_err *err) {
  double deadline_s = cb_now_monotonic_s() + timeout_s;
  const char *at = data;
  while (n > 0) {
    bool ready;
    CB_TRY(wait_for(t, POLLOUT, deadline_s, &ready, err));
    if (!ready || cb_now_monotonic_s() > deadline_s)
      return cb_fail(err, CB_E_TIMEOUT, "port %s: takes no data for %g s", t->path, timeout_s);
    ssize_t put = put_bytes(t, at, n);
    if (put < 0 && errno != EAGAIN && errno != EINTR) return disconnected(t, err);
    if (put <= 0) continue;
    at += put;
    n -= (size_t)put;
  }
  return CB_OK;
}

void daq_transport_shout(const daq_transport *t, const char *text) {
  size_t n = strlen(text);
  /* A stray XOFF must not hold a stop back; only what was suspended here is resumed. */
  (void)tcflow(t->fd, TCOOFF);
  (void)tcflow(t->fd, TCOON);
  if (n == 0 || put_bytes(t, text, n) == (ssize_t)n) return;
  (void)tcflush(t->fd, TCOFLUSH);
  (void)!put_bytes(t, text, n);
}

bool daq_transport_hung_up(const daq_transport *t) {
  struct pollfd p = {.fd = t->fd};
  return poll(&p, 1, 0) > 0 && (p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void daq_transport_discard(daq_transport *t) {
  char bytes[512];
  if (!t->gone) (void)tcflush(t->fd, TCIFLUSH);
  while (t->gone && recv(t->fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
}
