#include "daq_force.h"

#include <math.h>
#include <string.h>

#include "daq_d500.h"
#include "daq_line.h"

static daq_parse parse_line(const cb_rig_force *rig, const char *bytes, size_t n, daq_reading *out, size_t *used) {
  out->overload = false;
  daq_parse p = daq_line_parse(bytes, n, rig->field, rig->separator, &out->value, used);
  if (p != DAQ_PARSE_VALID) return p;
  out->value *= rig->scale;
  return isfinite(out->value) ? DAQ_PARSE_VALID : DAQ_PARSE_INVALID;
}

/* Whichever of its eight alarms is meant, it is one that somebody set up: the cell is not to be pulled further. */
static daq_parse parse_d500(const cb_rig_force *rig, const char *bytes, size_t n, daq_reading *out, size_t *used) {
  char letter;
  (void)rig;
  daq_parse p = daq_d500_parse(bytes, n, &out->value, &letter, used);
  out->overload = letter != 0;
  return p;
}

static const daq_force_driver line_driver = {.name = "line", .parse = parse_line};
static const daq_force_driver d500_driver = {.name = "futek-d500", .start_text = "*1A0\r", .parse = parse_d500};
const daq_force_driver *const daq_force_drivers[] = {&line_driver, &d500_driver};

cb_status daq_force_open(daq_force *f, const cb_rig_force *rig, const char *port, cb_err *err) {
  *f = (daq_force){.driver = daq_force_drivers[rig->driver], .rig = rig};
  CB_TRY(daq_transport_open(port, rig->baud, &f->port, err));
  if (!f->driver->start_text) return CB_OK;
  return daq_transport_write(f->port, f->driver->start_text, strlen(f->driver->start_text), 1, err);
}

void daq_force_close(daq_force *f) {
  daq_transport_close(f->port);
  f->port = NULL;
}

static void drop(daq_force *f, size_t n) {
  f->n_rx -= n;
  memmove(f->rx, f->rx + n, f->n_rx);
}

/* Drops bytes up to the first line end. */
static void synchronise(daq_force *f) {
  size_t i = 0;
  while (i < f->n_rx && f->rx[i] != '\r' && f->rx[i] != '\n') i++;
  f->synced = i < f->n_rx;
  drop(f, i);
}

static bool parse_next(daq_force *f, daq_reading *out) {
  if (!f->synced) synchronise(f);
  while (f->synced) {
    size_t used;
    daq_parse p = f->driver->parse(f->rig, f->rx, f->n_rx, out, &used);
    drop(f, used);
    if (p != DAQ_PARSE_INVALID) return p == DAQ_PARSE_VALID;
    f->n_unreadable++;
  }
  return false;
}

cb_status daq_force_read(daq_force *f, daq_reading *out, bool *found, cb_err *err) {
  *found = parse_next(f, out);
  if (*found) return CB_OK;
  size_t n;
  CB_TRY(daq_transport_read(f->port, f->rx + f->n_rx, sizeof f->rx - f->n_rx, 0, &n, err));
  f->n_rx += n;
  *found = n > 0 && parse_next(f, out);
  return CB_OK;
}
