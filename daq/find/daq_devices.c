#include "daq_devices_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_json.h"
#include "cb_language.h"

/* ---- finding ---- */

/* A port that libserialport does not list (a pseudo-terminal, a socat link) is taken as it was named. */
static void take_named(daq_devices *d, const daq_port *all, size_t n_all, const char *const *names,
                       size_t n) {
  for (size_t i = 0; i < n; i++) {
    daq_port *p = &d->port[d->n_ports++];
    (void)snprintf(p->path, sizeof p->path, "%s", names[i]);
    p->permitted = daq_port_permitted(names[i]);
    daq_port_user(names[i], p->user, sizeof p->user);
    for (size_t k = 0; k < n_all; k++)
      if (strcmp(all[k].path, names[i]) == 0 || strcmp(all[k].by_id, names[i]) == 0) *p = all[k];
  }
}

cb_status daq_devices_find(daq_devices *d, const char *const *names, size_t n_names, cb_err *err) {
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

cb_status daq_devices_ask(daq_devices *d, const cb_stop *stop, cb_err *err) {
  for (size_t i = 0; i < d->n_ports; i++) {
    cb_err why = {""};
    d->answer[i].asked = true;
    if (d->port[i].user[0]) {
      (void)snprintf(d->answer[i].trouble, sizeof d->answer[i].trouble,
                     N_("not asked, because it is in use"));
      continue;
    }
    cb_status st = daq_identify_port(d->port[i].path, 0, true, stop, &d->answer[i].id, &why);
    if (st == CB_E_STOPPED) return cb_fail(err, st, "%s", why.msg);
    if (st != CB_OK) (void)snprintf(d->answer[i].trouble, sizeof d->answer[i].trouble, "%s", why.msg);
  }
  return CB_OK;
}

void daq_devices_clear(daq_devices *d) {
  free(d->port);
  free(d->answer);
  free(d->board);
  *d = (daq_devices){0};
}

/* ---- JSON ---- */

static json_t *answer_json(const daq_port_answer *a) {
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

static json_t *port_json(const daq_port *p, const daq_port_answer *a) {
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
  return json_pack("{s:i, s:s, s:i, s:i, s:i, s:o, s:o, s:b}", "index", s->index, "kind", s->kind, "channels",
                   s->channels, "ranges", s->ranges, "bits", s->bits, "range_min_V",
                   cb_json_real(s->range_min), "range_max_V", cb_json_real(s->range_max), "streams",
                   s->streams);
}

static json_t *board_json(const daq_board *b) {
  json_t *list = json_array();
  for (size_t i = 0; i < b->n; i++) json_array_append_new(list, subdevice_json(&b->sub[i]));
  return json_pack("{s:s, s:s, s:s, s:s, s:o}", "path", b->path, "driver", b->driver, "board", b->board,
                   "trouble", b->trouble, "subdevices", list);
}

json_t *daq_devices_json(const daq_devices *d) {
  json_t *doc = json_object(), *ports = json_array(), *boards = json_array();
  for (size_t i = 0; i < d->n_ports; i++) json_array_append_new(ports, port_json(&d->port[i], &d->answer[i]));
  for (size_t i = 0; i < d->n_boards; i++) json_array_append_new(boards, board_json(&d->board[i]));
  json_object_set_new(doc, "ports", ports);
  json_object_set_new(doc, "boards", boards);
  return doc;
}
