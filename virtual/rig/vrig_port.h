/* One serial port of the virtual rig: the instrument's end of a pseudo-terminal, with the latency of the wire
 * and a transmit buffer that loses whole lines, as a UART without flow control does, when nobody reads.
 * Nothing here ever blocks.
 *
 * While no host has the port open, lines go nowhere and are not counted as lost. When a host closes it, what
 * that host left unread is thrown away and the line settings go back to raw, so that the next host finds a
 * fresh port. */
#ifndef VRIG_PORT_H
#define VRIG_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_err.h"

#define VRIG_PORT_LINE_MAX 192

typedef struct vrig_port_line {
  uint64_t due_step;
  size_t n;
  char text[VRIG_PORT_LINE_MAX];
} vrig_port_line;

typedef struct vrig_port {
  int fd;               /* the instrument's end; -1: not open */
  char name[64];        /* the host's end */
  bool host;            /* a host has it open */
  vrig_port_line *line; /* ring of lines under way; owned */
  size_t capacity, first, n;
  char out[65536]; /* transmit buffer */
  size_t n_out;
  unsigned long long lost;
} vrig_port;

/* capacity: how many lines can be under way at once. vrig_port_close also after a failure. */
CB_CHECKED cb_status vrig_port_open(vrig_port *p, size_t capacity, cb_err *err);
void vrig_port_close(vrig_port *p);

/* Unplugging hangs up the host's end and drops the lines under way. Nothing is sent or received until the
 * port is plugged in again, perhaps under another name. After a failure to plug in it stays unplugged. */
void vrig_port_unplug(vrig_port *p);
CB_CHECKED cb_status vrig_port_plug(vrig_port *p, cb_err *err);

/* What the host sent: up to size bytes; 0 if there is nothing. Notices hosts that come and go. */
size_t vrig_port_read(vrig_port *p, char *bytes, size_t size);

/* Queues a line, which leaves at due_step. */
void vrig_port_send(vrig_port *p, uint64_t due_step, const char *text, size_t n);
/* Moves what is due at `step` into the transmit buffer; what does not fit is lost. */
void vrig_port_load(vrig_port *p, uint64_t step);
/* The same, and hands the buffer to the host as far as it takes it. */
void vrig_port_flush(vrig_port *p, uint64_t step);
/* The step at which the next line is due; UINT64_MAX if none is under way. */
uint64_t vrig_port_next(const vrig_port *p);

#endif
