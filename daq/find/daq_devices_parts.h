/* What finding devices takes of ports, boards and identification. */
#ifndef DAQ_DEVICES_PARTS_H
#define DAQ_DEVICES_PARTS_H

#include "daq_devices.h"
#include "daq_identify.h"

/* Lists the boards /dev/comedi0 ... in that order. The caller frees *list with free(); it may be NULL if *n
 * is 0.
 * Errors: CB_E_NOMEM. */
CB_CHECKED cb_status daq_boards_list(daq_board **list, size_t *n, cb_err *err);

/* Opens a port for a few seconds and identifies its device. rig_baud is listened to first; 0: any. With ask =
 * false nothing is asked. stop_flag may be NULL. An unknown device is no error.
 * CB_E_DEVICE: no such port, in use, no permission. CB_E_STOPPED: by stop_flag. CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status daq_identify_port(const char *path, int rig_baud, bool ask, const cb_stop *stop_flag,
                                       daq_identified *out, cb_err *err);

/* Neither of the two opens the port, as opening resets some devices. */
bool daq_port_permitted(const char *path);
/* Writes daq_port.user. Only root sees programs of other users. */
void daq_port_user(const char *path, char *out, size_t size);

/* Identifies a device from the n bytes that followed a question. Pure. Returns true if it is known, with
 * out->what and ->driver set. out->heard is set whenever a printable line came. */
bool daq_identify_bytes(daq_question asked, const char *bytes, size_t n, daq_identified *out);

extern const char daq_rig_of_lines[]; /* rigs/virtual-gcs.yaml */

#endif
