#define _XOPEN_SOURCE 700 /* posix_openpt */
#include "vrig_port.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* Opens the host's end for a moment: raw mode, buffers empty. */
static int refresh(const char *name) {
  struct termios t;
  int fd = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC), failed = -1;
  if (fd < 0) return -1;
  if (tcgetattr(fd, &t) == 0) {
    cfmakeraw(&t);
    failed = tcsetattr(fd, TCSANOW, &t);
    (void)tcflush(fd, TCIOFLUSH);
  }
  (void)close(fd);
  return failed;
}

void vrig_port_unplug(vrig_port *p) {
  if (p->fd >= 0) (void)close(p->fd);
  p->fd = -1;
  p->name[0] = '\0';
  p->host = false;
  p->n = p->n_out = 0;
}

cb_status vrig_port_plug(vrig_port *p, cb_err *err) {
  p->fd = posix_openpt(O_RDWR | O_NOCTTY);
  if (p->fd < 0) return cb_fail(err, CB_E_IO, "virtual rig: no pseudo-terminal: %s", strerror(errno));
  const char *name = grantpt(p->fd) == 0 && unlockpt(p->fd) == 0 ? ptsname(p->fd) : NULL;
  if (name && strlen(name) < sizeof p->name) {
    (void)snprintf(p->name, sizeof p->name, "%s", name);
    if (fcntl(p->fd, F_SETFL, O_NONBLOCK) == 0 && fcntl(p->fd, F_SETFD, FD_CLOEXEC) == 0 &&
        refresh(p->name) == 0)
      return CB_OK;
  }
  cb_status st = cb_fail(err, CB_E_IO, "virtual rig: cannot set up %s: %s", name ? name : "a pseudo-terminal",
                         strerror(errno));
  vrig_port_unplug(p);
  return st;
}

cb_status vrig_port_open(vrig_port *p, size_t capacity, cb_err *err) {
  *p = (vrig_port){.fd = -1, .capacity = capacity, .line = calloc(capacity, sizeof *p->line)};
  if (!p->line) return cb_no_memory(err, "virtual rig, %zu lines under way", capacity);
  return vrig_port_plug(p, err);
}

void vrig_port_close(vrig_port *p) {
  vrig_port_unplug(p);
  free(p->line);
  p->line = NULL;
}

size_t vrig_port_read(vrig_port *p, char *bytes, size_t size) {
  if (p->fd < 0) return 0;
  ssize_t n = read(p->fd, bytes, size);
  if (n >= 0 || errno != EIO) {
    p->host = true;
    return n > 0 ? (size_t)n : 0;
  }
  if (p->host) {
    p->host = false;
    p->n = p->n_out = 0;
    /* What the host did not read is gone. Only what went to it: the next host may have opened, and written,
     * already. */
    (void)tcflush(p->fd, TCOFLUSH);
  }
  return 0;
}

void vrig_port_send(vrig_port *p, uint64_t due_step, const char *text, size_t n) {
  assert(n <= VRIG_PORT_LINE_MAX);
  if (!p->host) return;
  if (p->n == p->capacity) {
    p->lost++;
    return;
  }
  vrig_port_line *l = &p->line[(p->first + p->n++) % p->capacity];
  l->due_step = due_step;
  l->n = n;
  memcpy(l->text, text, n);
}

static void transmit(vrig_port *p) {
  ssize_t n = p->n_out > 0 ? write(p->fd, p->out, p->n_out) : 0;
  if (n <= 0) return;
  p->n_out -= (size_t)n;
  memmove(p->out, p->out + n, p->n_out);
}

void vrig_port_load(vrig_port *p, uint64_t step) {
  for (; p->n > 0 && p->line[p->first].due_step <= step; p->n--) {
    const vrig_port_line *l = &p->line[p->first];
    p->first = (p->first + 1) % p->capacity;
    if (p->n_out + l->n > sizeof p->out) transmit(p);
    if (p->n_out + l->n > sizeof p->out) {
      p->lost++;
      continue;
    }
    memcpy(p->out + p->n_out, l->text, l->n);
    p->n_out += l->n;
  }
}

void vrig_port_flush(vrig_port *p, uint64_t step) {
  vrig_port_load(p, step);
  transmit(p);
}

uint64_t vrig_port_next(const vrig_port *p) { return p->n > 0 ? p->line[p->first].due_step : UINT64_MAX; }
