/* What is plugged into this machine: serial ports, Comedi boards, and what answers on the ports. */
#ifndef DAQ_DEVICES_H
#define DAQ_DEVICES_H

#include <jansson.h>

#include "cb_stop.h"
#include "daq_boards.h"
#include "daq_identify.h"
#include "daq_ports.h"

/* What was found out about a port by asking. */
typedef struct daq_port_answer {
  bool asked;
  daq_identified id;
  char trouble[512]; /* why it could not be asked; "" if it could */
} daq_port_answer;

typedef struct daq_devices {
  daq_port *port;          /* owned */
  daq_port_answer *answer; /* owned; one for each port */
  size_t n_ports;
  daq_board *board; /* owned */
  size_t n_boards;
} daq_devices;

/* Lists all ports and boards; with names, these ports alone. The caller calls daq_devices_clear, also on
 * failure. Errors: CB_E_NOTFOUND for a name without a file; those of the lists. */
CB_CHECKED cb_status daq_devices_find(daq_devices *d, const char *const *names, size_t n_names, cb_err *err);
/* Asks every port that nobody uses who is there. What goes wrong with one port is its trouble.
 * Errors: CB_E_STOPPED. */
CB_CHECKED cb_status daq_devices_ask(daq_devices *d, const cb_stop *stop, cb_err *err);
void daq_devices_clear(daq_devices *d);
/* The document of docs/reference/json/rig.md; the caller owns it. NULL: no memory. */
json_t *daq_devices_json(const daq_devices *d);

#endif
