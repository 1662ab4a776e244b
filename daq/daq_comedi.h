/* Private to daq: a Comedi board as a read-out. daq_comedi_board.c opens it and finds its conversions,
 * daq_comedi_command.c sets up the acquisition, daq_comedi.c reads it.
 *
 * Facts: comedilib 0.11 reference (func-ref-*), kernel drivers/comedi/comedi_fops.c for the errors of
 * read(). */
#ifndef DAQ_COMEDI_H
#define DAQ_COMEDI_H

#include <comedilib.h>

#include "daq_force.h"

typedef struct daq_comedi {
  const cb_rig *rig;
  char port[128];
  comedi_t *dev; /* NULL: not open */
  unsigned subdevice;
  int flags; /* of the subdevice: SDF_... */
  size_t n;  /* channels of a scan, in the order of rig->comedi */
  cb_run_channel channel[CB_COMEDI_CHANNELS_MAX];
  unsigned list[CB_COMEDI_CHANNELS_MAX]; /* CR_PACK of each */
  double buffer_s;                       /* capacity of the board's buffer */
  bool streams;                          /* a command runs; else single scans, timed by clock_fd */
  bool wide;                             /* samples of 32 bits in rx, not 16 */
  int clock_fd;                          /* -1: none */
  double asked_s, answered_s;            /* of the last single scan; 0 where the board streams */
  size_t at;                             /* channel of the next sample in rx (a read may end within a scan) */
  size_t n_rx, used_rx;                  /* bytes */
  unsigned char rx[65536];
} daq_comedi;

/* Fails with the reason of libcomedi's last error; a board in use by another program gets its own
 * sentence. */
cb_status daq_comedi_fail(const daq_comedi *c, const char *what, cb_err *err);

/* Opens and locks the board; checks subdevice and channels; fills channel (but for rate and skew) and
 * list. */
CB_CHECKED cb_status daq_comedi_board_open(daq_comedi *c, const char *port, char *identity,
                                           size_t identity_size, cb_err *err);

/* Starts a command at force.rate_Hz; *possible = false where the subdevice has none that is paced by its own
 * timer. The granted rate and the skews go to `channel`. CB_E_RANGE: the granted rate differs by more than 1
 * % from the rig file's. */
CB_CHECKED cb_status daq_comedi_command_start(daq_comedi *c, bool *possible, cb_err *err);

#endif
