/* clothbench devices: the serial ports of this machine and what is plugged into them. */
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "daq_ports.h"

static json_t *port_json(const daq_port *p) {
  json_t *o = json_object();
  bool usb = p->usb_vid != 0 || p->usb_pid != 0;
  json_object_set_new(o, "path", json_string(p->path));
  json_object_set_new(o, "description", json_string(p->description));
  json_object_set_new(o, "usb_vid", usb ? json_integer(p->usb_vid) : json_null());
  json_object_set_new(o, "usb_pid", usb ? json_integer(p->usb_pid) : json_null());
  json_object_set_new(o, "serial", json_string(p->serial));
  json_object_set_new(o, "by_id", json_string(p->by_id));
  return o;
}

static int print_json(const daq_port *ports, size_t n) {
  json_t *doc = json_object(), *list = json_array();
  for (size_t i = 0; i < n; i++) json_array_append_new(list, port_json(&ports[i]));
  json_object_set_new(doc, "ports", list);
  return cli_print_json("devices", doc);
}

static void print_table(const daq_port *ports, size_t n) {
  if (n == 0) cli_say("devices", "this machine has no serial port");
  for (size_t i = 0; i < n; i++) {
    const daq_port *p = &ports[i];
    char usb[16] = "-";
    if (p->usb_vid || p->usb_pid) (void)snprintf(usb, sizeof usb, "%04x:%04x", (unsigned)p->usb_vid, (unsigned)p->usb_pid);
    printf("%-16s  %-9s  %-16s  %s%s%s\n", p->path, usb, p->serial[0] ? p->serial : "-", p->description, p->by_id[0] ? "  " : "", p->by_id);
  }
}

int cmd_devices(int argc, char **argv) {
  bool json = false;
  const cli_opt opts[] = {{.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"}};
  int stop = cli_parse(argc, argv, "devices [--json]", opts, 1, NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  daq_port *ports;
  size_t n;
  cb_status st = daq_ports_list(&ports, &n, &err);
  if (st != CB_OK) return cli_fail("devices", st, &err);
  int code = CLI_DONE;
  if (json)
    code = print_json(ports, n);
  else
    print_table(ports, n);
  free(ports);
  return code;
}
