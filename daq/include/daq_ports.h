/* The serial ports of this machine, as libserialport lists them. */
#ifndef DAQ_PORTS_H
#define DAQ_PORTS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef struct daq_port {
  char path[128]; /* "/dev/ttyUSB0" */
  char description[128];
  int usb_vid, usb_pid; /* 0, 0: not on USB */
  char serial[64];      /* "" where unknown */
  char by_id[256];      /* "/dev/serial/by-id/..." that stays the same when plugged elsewhere; "" if there is none */
  bool permitted;       /* this user may read and write it */
  char user[64];        /* "minicom (process 4711)", a program that has it open now; "" where none is seen */
} daq_port;

/* In the order of their names; caller frees the list with free(). *list may be NULL where *n is 0. */
CB_CHECKED cb_status daq_ports_list(daq_port **list, size_t *n, cb_err *err);

/* Both look only, and open nothing: opening a port resets some devices. */
bool daq_port_permitted(const char *path);
/* Programs of other users cannot be seen except by root. */
void daq_port_user(const char *path, char *out, size_t size);

#endif
