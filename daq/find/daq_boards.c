#include "daq_boards.h"
#include "daq_devices_parts.h"

#include <comedilib.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOARDS_MAX 16 /* the kernel's own default is fewer */

/* In the order of enum comedi_subdevice_type. */
static const char *const kinds[] = {"unused",         "analog input",     "analog output", "digital input",
                                    "digital output", "digital in/out",   "counter",       "timer",
                                    "memory",         "calibration DACs", "processor",     "serial",
                                    "pulse width"};
_Static_assert(COMEDI_SUBD_AI == 1 && COMEDI_SUBD_DIO == 5 && COMEDI_SUBD_PWM == 12,
               "kinds is in the order of comedi.h");

static int bits_of(lsampl_t maxdata) {
  int bits = 0;
  for (; maxdata > 0; maxdata >>= 1) bits++;
  return bits;
}

static void look_at_subdevice(comedi_t *dev, unsigned s, int type, daq_subdevice *out) {
  int flags = comedi_get_subdevice_flags(dev, s);
  *out = (daq_subdevice){.index = (int)s,
                         .kind = (size_t)type < sizeof kinds / sizeof kinds[0] ? kinds[type] : "unknown kind",
                         .range_min = NAN,
                         .range_max = NAN};
  out->channels = comedi_get_n_channels(dev, s);
  out->streams = flags >= 0 && ((unsigned)flags & SDF_CMD);
  if (out->channels <= 0) return;
  out->bits = bits_of(comedi_get_maxdata(dev, s, 0));
  if (type != COMEDI_SUBD_AI && type != COMEDI_SUBD_AO) return;
  out->ranges = comedi_get_n_ranges(dev, s, 0);
  comedi_range *r = out->ranges > 0 ? comedi_get_range(dev, s, 0, 0) : NULL;
  if (!r || r->unit != UNIT_volt) return;
  out->range_min = r->min;
  out->range_max = r->max;
}

static void look_at_all(comedi_t *dev, daq_board *b) {
  const char *driver = comedi_get_driver_name(dev), *board = comedi_get_board_name(dev);
  int n = comedi_get_n_subdevices(dev);
  (void)snprintf(b->driver, sizeof b->driver, "%s", driver ? driver : "");
  (void)snprintf(b->board, sizeof b->board, "%s", board ? board : "");
  for (int s = 0; s < n && b->n < DAQ_SUBDEVICES_MAX; s++) {
    int type = comedi_get_subdevice_type(dev, (unsigned)s);
    if (type > COMEDI_SUBD_UNUSED) look_at_subdevice(dev, (unsigned)s, type, &b->sub[b->n++]);
  }
}

/* false: there is no such file, or no board behind it. */
static bool open_board(int minor, daq_board *b) {
  *b = (daq_board){0};
  (void)snprintf(b->path, sizeof b->path, "/dev/comedi%d", minor);
  comedi_t *dev = comedi_open(b->path);
  if (!dev) {
    /* The driver makes files for boards that may be attached later. */
    if (errno == ENOENT || errno == ENODEV || errno == ENXIO) return false;
    if (errno == EACCES)
      (void)snprintf(b->trouble, sizeof b->trouble,
                     "no permission; the group that owns the file (often iocard) was wanted");
    else
      (void)snprintf(b->trouble, sizeof b->trouble, "cannot be opened: %s", strerror(errno));
    return true;
  }
  look_at_all(dev, b);
  comedi_close(dev);
  return true;
}

cb_status daq_boards_list(daq_board **list, size_t *n, cb_err *err) {
  daq_board *boards = calloc(BOARDS_MAX, sizeof *boards);
  *list = NULL;
  *n = 0;
  if (!boards) return cb_no_memory(err, "a list of Comedi boards");
  for (int minor = 0; minor < BOARDS_MAX; minor++)
    if (open_board(minor, &boards[*n])) (*n)++;
  *list = boards;
  return CB_OK;
}
