#include "daq_messages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/usb/tmc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct bridge {
  daq_message_device device;
  int fd; /* the thread's end */
  pthread_t thread;
} bridge;

/* False: the device is gone. */
static bool answer(bridge *b) {
  char text[DAQ_MESSAGE_MAX];
  ssize_t n = b->device.read(b->device.device, text, sizeof text - 1);
  if (n < 0) return errno == ETIMEDOUT && b->device.clear(b->device.device) == 0;
  if (n == 0 || text[n - 1] != '\n') text[n++] = '\n';
  return send(b->fd, text, (size_t)n, MSG_NOSIGNAL) == n;
}

static bool serve(bridge *b, const char *text, size_t n) {
  if (b->device.write(b->device.device, text, n) < 0)
    return errno == ETIMEDOUT && b->device.clear(b->device.device) == 0;
  return !memchr(text, '?', n) || answer(b);
}

/* Until the transport is closed, or the device is gone: then the transport's end hangs up. */
static void *bridge_main(void *context) {
  bridge *b = context;
  char text[DAQ_MESSAGE_MAX];
  ssize_t n;
  do n = recv(b->fd, text, sizeof text, 0);
  while ((n < 0 && errno == EINTR) || (n > 0 && serve(b, text, (size_t)n)));
  (void)shutdown(b->fd, SHUT_RDWR);
  return NULL;
}

static void end_bridge(void *context) {
  bridge *b = context;
  pthread_join(b->thread, NULL);
  close(b->fd);
  b->device.close(b->device.device);
  free(b);
}

cb_status daq_messages_start(const daq_message_device *device, const char *path, daq_transport **out,
                             cb_err *err) {
  int ends[2];
  *out = NULL;
  bridge *b = calloc(1, sizeof *b);
  cb_status st = b ? CB_OK : cb_no_memory(err, "port %s", path);
  /* Messages stay messages. */
  if (st == CB_OK && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    st = cb_fail(err, CB_E_IO, "port %s: no socket: %s", path, strerror(errno));
  if (st != CB_OK) {
    device->close(device->device);
    free(b);
    return st;
  }
  *b = (bridge){.device = *device, .fd = ends[1]};
  const int failed = pthread_create(&b->thread, NULL, bridge_main, b);
  if (!failed)
    return daq_transport_adopt(ends[0], path, "the device was disconnected", end_bridge, b, out, err);
  close(ends[0]);
  close(ends[1]);
  device->close(device->device);
  free(b);
  return cb_fail(err, CB_E_IO, "port %s: no thread: %s", path, strerror(failed));
}

/* ---- the kernel's driver ---- */

static int fd_of(void *device) { return (int)(intptr_t)device; }
static ssize_t tmc_write(void *device, const void *bytes, size_t n) { return write(fd_of(device), bytes, n); }
static ssize_t tmc_read(void *device, void *bytes, size_t cap) { return read(fd_of(device), bytes, cap); }
static int tmc_clear(void *device) { return ioctl(fd_of(device), USBTMC_IOCTL_CLEAR); }
static void tmc_close(void *device) { close(fd_of(device)); }

bool daq_messages_is_usbtmc(const char *path) {
  int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  struct stat s;
  if (fd < 0) return strncmp(path, "/dev/usbtmc", 11) == 0;
  bool is = fstat(fd, &s) == 0 && S_ISCHR(s.st_mode) && !isatty(fd);
  close(fd);
  return is;
}

cb_status daq_messages_open_usbtmc(const char *path, double timeout_s, daq_transport **out, cb_err *err) {
  unsigned int timeout_ms = (unsigned int)(timeout_s * 1e3);
  *out = NULL;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return cb_fail(err, CB_E_DEVICE, "port %s: cannot be opened: %s%s", path, strerror(errno),
                   errno == EACCES ? "; a rule of udev gives the right to it" : "");
  const bool ours = flock(fd, LOCK_EX | LOCK_NB) == 0;
  if (ours && ioctl(fd, USBTMC_IOCTL_SET_TIMEOUT, &timeout_ms) == 0 && ioctl(fd, USBTMC_IOCTL_CLEAR) == 0)
    return daq_messages_start(
        &(daq_message_device){tmc_write, tmc_read, tmc_clear, tmc_close, (void *)(intptr_t)fd}, path, out,
        err);
  cb_status st = ours ? cb_fail(err, CB_E_DEVICE, "port %s: is no USBTMC device that can be cleared: %s",
                                path, strerror(errno))
                      : cb_fail(err, CB_E_DEVICE, "port %s: the port is in use by another program", path);
  close(fd);
  return st;
}
