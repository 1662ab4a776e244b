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
  char serial[64];      /* "": unknown */
  char by_id[256];      /* "/dev/serial/by-id/...", the same in any socket; "": none */
  bool permitted;       /* this user may read and write it */
  char user[64];        /* program that has it open now, "minicom (process 4711)"; "": none seen */
} daq_port;

/* Lists the ports by name. The caller frees *list with free(); it may be NULL if *n is 0.
 * CB_E_DEVICE: the ports cannot be listed. CB_E_NOMEM. */
CB_CHECKED cb_status daq_ports_list(daq_port **list, size_t *n, cb_err *err);

#endif
