/* clothbench devices: serial ports and Comedi boards of this machine, and, if asked to, what answers on
 * them. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "cb_language.h"
#include "cb_plural.h"
#include "cb_signals.h"
#include "daq_devices.h"

#define USAGE "devices [--ask] [--json] [PORT ...]"
#define PORTS_MAX 16

/* ---- words ---- */

static void print_answer(const daq_port_answer *a) {
  const daq_identified *id = &a->id;
  if (!a->asked) return;
  if (a->trouble[0])
    printf("    %s\n", _(a->trouble));
  else if (id->what[0])
    printf(_("    %s%s%s at %d baud (driver: %s)%s%s%s\n"), _(id->what),
           id->serial[0] ? _(", serial number ") : "", id->serial, id->baud,
           id->driver[0] ? id->driver : _("none"), id->heard[0] ? _(", says '") : "", id->heard,
           id->heard[0] ? "'" : "");
  else if (id->noise)
    printf(_("    sends bytes that are no text at any usual speed\n"));
  else if (id->heard[0])
    printf(_("    something unknown, says '%s'\n"), id->heard);
  else
    printf(_("    no answer to any question this program knows\n"));
}

static void print_port(const daq_port *p, const daq_port_answer *a) {
  char usb[16] = "-";
  if (p->usb_vid || p->usb_pid)
    (void)snprintf(usb, sizeof usb, "%04x:%04x", (unsigned)p->usb_vid, (unsigned)p->usb_pid);
  printf("%-16s  %-9s  %-16s  %s%s%s\n", p->path, usb, p->serial[0] ? p->serial : "-", p->description,
         p->by_id[0] ? "  " : "", p->by_id);
  if (p->user[0]) printf(_("    in use by %s\n"), p->user);
  if (!p->permitted && !p->user[0])
    printf(
        _("    you may not use it: join the group that owns it (often 'dialout': sudo usermod -aG dialout "
          "$USER) and log in again\n"));
  print_answer(a);
}

static void print_board(const daq_board *b) {
  printf("%-16s  %s%s%s%s\n", b->path, b->driver, b->driver[0] ? "  " : "", b->board, b->trouble);
  for (size_t i = 0; i < b->n; i++) {
    const daq_subdevice *s = &b->sub[i];
    printf("    %d  %-16s  %d channel%s, %d bit%s", s->index, s->kind, s->channels, CB_S(s->channels),
           s->bits, CB_S(s->bits));
    if (s->ranges > 0 && isfinite(s->range_min))
      printf(", %d range%s (0: %g to %g V)", s->ranges, CB_S(s->ranges), s->range_min, s->range_max);
    printf("%s\n", s->streams ? ", streams" : "");
  }
}

static void print_words(const daq_devices *d) {
  if (d->n_ports == 0) cli_say("devices", "%s", _("this machine has no serial port"));
  for (size_t i = 0; i < d->n_ports; i++) print_port(&d->port[i], &d->answer[i]);
  for (size_t i = 0; i < d->n_boards; i++) print_board(&d->board[i]);
}

int cmd_devices(int argc, char **argv) {
  bool json = false, ask = false;
  const char *names[PORTS_MAX];
  size_t n_names;
  const cli_opt opts[] = {{"ask", CLI_SWITCH, &ask,
                           "open each port and find out what is there; nothing moves, but opening resets "
                           "some boards (Arduino with Grbl)"},
                          {"json", CLI_SWITCH, &json, "one JSON document on standard output"}};
  int stop = cli_parse(argc, argv, USAGE, opts, sizeof opts / sizeof opts[0], names, 0, PORTS_MAX, &n_names);
  if (stop >= 0) return stop;
  cb_err err = {""};
  daq_devices d = {0};
  cb_status st = daq_devices_find(&d, names, n_names, &err);
  if (st == CB_OK && ask) st = daq_devices_ask(&d, cb_signals_listen(), &err);
  int code = CLI_DONE;
  if (st != CB_OK)
    code = cli_fail("devices", st, &err);
  else if (json)
    code = cli_print_json("devices", daq_devices_json(&d));
  else
    print_words(&d);
  daq_devices_clear(&d);
  return code;
}
