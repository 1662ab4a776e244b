/* clothbench devices: serial ports and Comedi boards of this machine, and, if asked to, what answers on
 * them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "cb_signals.h"
#include "daq_boards.h"
#include "daq_identify.h"
#include "daq_ports.h"

#define USAGE "devices [--ask] [--json] [PORT ...]"
#define PORTS_MAX 16

/* What --ask found out about a port. */
typedef struct answer {
  bool asked;
  daq_identified id;
  char trouble[512]; /* why it could not be asked; "" if it could */
} answer;

typedef struct devices {
  daq_port *port;
  answer *answer;
  size_t n_ports;
  daq_board *board;
  size_t n_boards;
} devices;

/* ---- JSON ---- */

static json_t *answer_json(const answer *a) {
  if (!a->asked) return json_null();
  json_t *o = json_object();
  json_object_set_new(o, "what", json_string(a->id.what));
  json_object_set_new(o, "driver", json_string(a->id.driver));
  json_object_set_new(o, "serial", json_string(a->id.serial));
  json_object_set_new(o, "heard", json_string(a->id.heard));
  json_object_set_new(o, "baud", a->id.baud ? json_integer(a->id.baud) : json_null());
  json_object_set_new(o, "unreadable", json_boolean(a->id.noise));
  json_object_set_new(o, "trouble", json_string(a->trouble));
  return o;
}

static json_t *port_json(const daq_port *p, const answer *a) {
  json_t *o = json_object();
  bool usb = p->usb_vid != 0 || p->usb_pid != 0;
  json_object_set_new(o, "path", json_string(p->path));
  json_object_set_new(o, "description", json_string(p->description));
  json_object_set_new(o, "usb_vid", usb ? json_integer(p->usb_vid) : json_null());
  json_object_set_new(o, "usb_pid", usb ? json_integer(p->usb_pid) : json_null());
  json_object_set_new(o, "serial", json_string(p->serial));
  json_object_set_new(o, "by_id", json_string(p->by_id));
  json_object_set_new(o, "permitted", json_boolean(p->permitted));
  json_object_set_new(o, "user", json_string(p->user));
  json_object_set_new(o, "answer", answer_json(a));
  return o;
}

static json_t *subdevice_json(const daq_subdevice *s) {
  json_t *o = json_object();
  json_object_set_new(o, "index", json_integer(s->index));
  json_object_set_new(o, "kind", json_string(s->kind));
  json_object_set_new(o, "channels", json_integer(s->channels));
  json_object_set_new(o, "ranges", json_integer(s->ranges));
  json_object_set_new(o, "bits", json_integer(s->bits));
  json_object_set_new(o, "range_min_V", cb_json_real(s->range_min));
  json_object_set_new(o, "range_max_V", cb_json_real(s->range_max));
  json_object_set_new(o, "streams", json_boolean(s->streams));
  return o;
}

static json_t *board_json(const daq_board *b) {
  json_t *o = json_object(), *list = json_array();
  for (size_t i = 0; i < b->n; i++) json_array_append_new(list, subdevice_json(&b->sub[i]));
  json_object_set_new(o, "path", json_string(b->path));
  json_object_set_new(o, "driver", json_string(b->driver));
  json_object_set_new(o, "board", json_string(b->board));
  json_object_set_new(o, "trouble", json_string(b->trouble));
  json_object_set_new(o, "subdevices", list);
  return o;
}

static int print_json(const devices *d) {
  json_t *doc = json_object(), *ports = json_array(), *boards = json_array();
  for (size_t i = 0; i < d->n_ports; i++) json_array_append_new(ports, port_json(&d->port[i], &d->answer[i]));
  for (size_t i = 0; i < d->n_boards; i++) json_array_append_new(boards, board_json(&d->board[i]));
  json_object_set_new(doc, "ports", ports);
  json_object_set_new(doc, "boards", boards);
  return cli_print_json("devices", doc);
}

/* ---- words ---- */

static void print_answer(const answer *a) {
  const daq_identified *id = &a->id;
  if (!a->asked) return;
  if (a->trouble[0])
    printf("    %s\n", a->trouble);
  else if (id->what[0])
    printf("    %s%s%s at %d baud (driver: %s)%s%s%s\n", id->what, id->serial[0] ? ", serial number " : "",
           id->serial, id->baud, id->driver, id->heard[0] ? ", says '" : "", id->heard,
           id->heard[0] ? "'" : "");
  else if (id->noise)
    printf("    sends bytes that are no text at any usual speed\n");
  else if (id->heard[0])
    printf("    something unknown, says '%s'\n", id->heard);
  else
    printf("    no answer to any question this program knows\n");
}

static void print_port(const daq_port *p, const answer *a) {
  char usb[16] = "-";
  if (p->usb_vid || p->usb_pid)
    (void)snprintf(usb, sizeof usb, "%04x:%04x", (unsigned)p->usb_vid, (unsigned)p->usb_pid);
  printf("%-16s  %-9s  %-16s  %s%s%s\n", p->path, usb, p->serial[0] ? p->serial : "-", p->description,
         p->by_id[0] ? "  " : "", p->by_id);
  if (p->user[0]) printf("    in use by %s\n", p->user);
  if (!p->permitted && !p->user[0])
    printf(
        "    you may not use it: join the group that owns it (often 'dialout': sudo usermod -aG dialout "
        "$USER) and log in again\n");
  print_answer(a);
}

static void print_board(const daq_board *b) {
  printf("%-16s  %s%s%s%s\n", b->path, b->driver, b->driver[0] ? "  " : "", b->board, b->trouble);
  for (size_t i = 0; i < b->n; i++) {
    const daq_subdevice *s = &b->sub[i];
    printf("    %d  %-16s  %d channels, %d bits", s->index, s->kind, s->channels, s->bits);
    if (s->ranges > 0 && isfinite(s->range_min))
      printf(", %d ranges (0: %g to %g V)", s->ranges, s->range_min, s->range_max);
    printf("%s\n", s->streams ? ", streams" : "");
  }
}

static void print_words(const devices *d) {
  if (d->n_ports == 0) cli_say("devices", "this machine has no serial port");
  for (size_t i = 0; i < d->n_ports; i++) print_port(&d->port[i], &d->answer[i]);
  for (size_t i = 0; i < d->n_boards; i++) print_board(&d->board[i]);
}

/* ---- finding ---- */

/* A port that libserialport does not list (a pseudo-terminal, a socat link) is taken as it was named. */
static void take_named(devices *d, const daq_port *all, size_t n_all, const char *const *names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    daq_port *p = &d->port[d->n_ports++];
    (void)snprintf(p->path, sizeof p->path, "%s", names[i]);
    p->permitted = daq_port_permitted(names[i]);
    daq_port_user(names[i], p->user, sizeof p->user);
    for (size_t k = 0; k < n_all; k++)
      if (strcmp(all[k].path, names[i]) == 0 || strcmp(all[k].by_id, names[i]) == 0) *p = all[k];
  }
}

static cb_status find_devices(devices *d, const char *const *names, size_t n_names, cb_err *err) {
  daq_port *all;
  size_t n_all;
  CB_TRY(daq_ports_list(&all, &n_all, err));
  d->port = calloc(n_all + n_names + 1, sizeof *d->port);
  d->answer = calloc(n_all + n_names + 1, sizeof *d->answer);
  cb_status st = d->port && d->answer ? CB_OK : cb_no_memory(err, "%zu ports", n_all);
  for (size_t i = 0; st == CB_OK && i < n_names; i++)
    if (access(names[i], F_OK) != 0)
      st = cb_fail(err, CB_E_NOTFOUND,
                   "port %s: there is no such port; 'clothbench devices' lists those there are", names[i]);
  if (st == CB_OK && n_names > 0) take_named(d, all, n_all, names, n_names);
  if (st == CB_OK && n_names == 0 && n_all > 0) memcpy(d->port, all, (d->n_ports = n_all) * sizeof *all);
  free(all);
  return st != CB_OK || n_names > 0 ? st : daq_boards_list(&d->board, &d->n_boards, err);
}

static cb_status ask_all(devices *d, cb_err *err) {
  const cb_stop *stop = cb_signals_listen();
  for (size_t i = 0; i < d->n_ports; i++) {
    cb_err why = {""};
    d->answer[i].asked = true;
    if (d->port[i].user[0]) {
      (void)snprintf(d->answer[i].trouble, sizeof d->answer[i].trouble, "not asked, because it is in use");
      continue;
    }
    cb_status st = daq_identify_port(d->port[i].path, 0, true, stop, &d->answer[i].id, &why);
    if (st == CB_E_STOPPED) return cb_fail(err, st, "%s", why.msg);
    if (st != CB_OK) (void)snprintf(d->answer[i].trouble, sizeof d->answer[i].trouble, "%s", why.msg);
  }
  return CB_OK;
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
  devices d = {0};
  cb_status st = find_devices(&d, names, n_names, &err);
  if (st == CB_OK && ask) st = ask_all(&d, &err);
  int code = CLI_DONE;
  if (st != CB_OK)
    code = cli_fail("devices", st, &err);
  else if (json)
    code = print_json(&d);
  else
    print_words(&d);
  free(d.port);
  free(d.answer);
  free(d.board);
  return code;
}
