/* Private to daq: a Comedi board as a read-out. daq_comedi.c turns samples into readings, whatever board they
 * come from.
 *
 * Facts: comedilib 0.11 reference (func-ref-*), kernel drivers/comedi/comedi_fops.c for the errors of
 * read(). */
#ifndef DAQ_COMEDI_H
#define DAQ_COMEDI_H

#include <comedilib.h>

#include "daq_board_wire.h"
#include "daq_force.h"
#include "daq_transport.h"

typedef struct daq_comedi {
  const cb_rig *rig;
  const struct daq_comedi_source *source;
  char port[128];
  size_t n; /* channels of a scan, in the order of rig->comedi */
  cb_run_channel channel[CB_COMEDI_CHANNELS_MAX];
  double buffer_s;            /* capacity of the board's buffer */
  bool streams;               /* samples by the board's own clock */
  bool wide;                  /* samples of 32 bits in rx, not 16 */
  double asked_s, answered_s; /* of the last single scan; 0 where the board streams */
  size_t at;                  /* channel of the next sample in rx (a read may end within a scan) */
  size_t n_rx, used_rx;       /* bytes */
  unsigned char rx[65536];
  /* libcomedi */
  comedi_t *dev; /* NULL: not open */
  unsigned subdevice;
  int flags;                             /* of the subdevice: SDF_... */
  unsigned list[CB_COMEDI_CHANNELS_MAX]; /* CR_PACK of each */
  int clock_fd;                          /* paces single scans; -1: none */
  /* virtual board */
  daq_transport *wire;
  uint16_t next_scan;
  size_t n_block;
  char block[DAQ_BOARD_SCAN_MAX]; /* the beginning of a scan */
} daq_comedi;

/* Where samples come from: a board behind libcomedi, or the board of a virtual rig. */
typedef struct daq_comedi_source {
  /* Opens the board for this program alone and begins the acquisition at force.rate_Hz. Fills n, channel
   * and streams. The caller calls `close`, also after a failure.
   * Errors: CB_E_DEVICE; CB_E_RANGE, the board cannot do what the rig file wants. */
  cb_status (*open)(daq_comedi *c, char identity[128], cb_err *err);
  /* Appends to rx what has arrived. *came is false if there was nothing. Never waits. */
  cb_status (*fill)(daq_comedi *c, bool *came, cb_err *err);
  int (*fd)(const daq_comedi *c);     /* for poll() */
  bool (*taken)(const daq_comedi *c); /* the board is open */
  void (*close)(daq_comedi *c);
} daq_comedi_source;

extern const daq_comedi_source daq_comedi_library; /* daq_comedi_library.c, _board.c, _command.c */
extern const daq_comedi_source daq_comedi_virtual;

/* What the rig file says of channel i: its quantity, scale and offset. */
cb_run_channel daq_comedi_wanted(const daq_comedi *c, size_t i);
/* Notes the rate that a board grants.
 * CB_E_RANGE: it differs by more than 1 % from the rig file's. */
CB_CHECKED cb_status daq_comedi_take_rate(daq_comedi *c, double granted_Hz, cb_err *err);
/* Fails because the board's buffer was full. */
cb_status daq_comedi_overrun(const daq_comedi *c, cb_err *err);

/* Fails with the reason of libcomedi's last error; a board in use by another program gets its own
 * sentence. */
cb_status daq_comedi_fail(const daq_comedi *c, const char *what, cb_err *err);

/* Opens and locks the board; checks subdevice and channels; fills channel (but for rate and skew) and
 * list. */
CB_CHECKED cb_status daq_comedi_board_open(daq_comedi *c, char identity[128], cb_err *err);

/* Starts a command at force.rate_Hz; *possible = false where the subdevice has none that is paced by its own
 * timer. The granted rate and the skews go to `channel`. Errors: those of daq_comedi_take_rate,
 * CB_E_DEVICE. */
CB_CHECKED cb_status daq_comedi_command_start(daq_comedi *c, bool *possible, cb_err *err);

#endif
