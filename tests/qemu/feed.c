/* feed RIG.yaml PTY BOARD: gives a real Comedi board the voltages of a virtual one. What the board of the
 * virtual rig (PTY, of `rig emulate`) converts goes to the analog outputs of BOARD, channel for channel. The
 * kernel's comedi_test returns there what a single read of the same analog input asks for. Ends when the rig
 * hangs up. */
#include <comedilib.h>
#include <poll.h>
#include <stdio.h>

#include "daq_force.h"

#define BLOCK 256

typedef struct feed {
  cb_rig rig;
  daq_force force;
  comedi_t *board;
  unsigned outputs; /* subdevice */
  double raw[CB_COMEDI_CHANNELS_MAX];
  size_t at; /* channel of the next sample */
} feed;

static cb_status put_out(feed *f, cb_err *err) {
  for (size_t i = 0; i < f->rig.comedi.n; i++) {
    const cb_comedi_channel *k = &f->rig.comedi.channel[i];
    if (comedi_data_write(f->board, f->outputs, (unsigned)k->channel, (unsigned)k->range, AREF_GROUND,
                          (lsampl_t)f->raw[i]) < 0)
      return cb_fail(err, CB_E_DEVICE, "output %d: %s", k->channel, comedi_strerror(comedi_errno()));
  }
  return CB_OK;
}

/* The newest of each channel counts. */
static cb_status carry(feed *f, cb_err *err) {
  daq_reading r[BLOCK];
  struct pollfd p = {.fd = f->force.driver->fd(&f->force), .events = POLLIN};
  size_t n;
  (void)poll(&p, 1, 1000);
  CB_TRY(daq_force_read_many(&f->force, r, BLOCK, &n, err));
  for (size_t i = 0; i < n; i++) {
    f->raw[f->at] = r[i].raw;
    f->at = (f->at + 1) % f->rig.comedi.n;
  }
  return n > 0 ? put_out(f, err) : CB_OK;
}

static cb_status open_all(feed *f, char **argv, cb_err *err) {
  CB_TRY(cb_rig_load(argv[1], &f->rig, err));
  f->board = comedi_open(argv[3]);
  int outputs = f->board ? comedi_find_subdevice_by_type(f->board, COMEDI_SUBD_AO, 0) : -1;
  if (outputs < 0) return cb_fail(err, CB_E_DEVICE, "%s: no board with analog outputs", argv[3]);
  f->outputs = (unsigned)outputs;
  return daq_force_open(&f->force, &f->rig, argv[2], NULL, NULL, err);
}

int main(int argc, char **argv) {
  static feed f;
  cb_err err = {""};
  if (argc != 4) return fprintf(stderr, "usage: feed RIG.yaml PTY BOARD\n"), 2;
  cb_status st = open_all(&f, argv, &err);
  while (st == CB_OK) st = carry(&f, &err);
  fprintf(stderr, "feed: %s\n", err.msg);
  daq_force_close(&f.force);
  if (f.board) (void)comedi_close(f.board);
  cb_rig_clear(&f.rig);
  return 1;
}
