#include "daq_ports.h"
#include "daq_devices_parts.h"

#include <dirent.h>
#include <libserialport.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define BY_ID "/dev/serial/by-id"

/* The name under by-id that leads to the port; "" if there is none. */
static void find_by_id(const char *path, char *out, size_t size) {
  char wanted[PATH_MAX], link[PATH_MAX], target[PATH_MAX];
  out[0] = '\0';
  DIR *folder = realpath(path, wanted) ? opendir(BY_ID) : NULL;
  if (!folder) return;
  for (struct dirent *e = readdir(folder); e && !out[0]; e = readdir(folder)) {
    (void)snprintf(link, sizeof link, "%s/%s", BY_ID, e->d_name);
    if (realpath(link, target) && strcmp(target, wanted) == 0) (void)snprintf(out, size, "%s", link);
  }
  closedir(folder);
}

/* ---- who may use it, and who does ---- */

bool daq_port_permitted(const char *path) { return access(path, R_OK | W_OK) == 0; }

/* Every mounted devpts counts its own pseudo-terminals from 0 (Linux, Documentation/filesystems/devpts.rst;
 * majors 136 to 143 in Documentation/admin-guide/devices.txt): in a container the same number is another
 * terminal. */
static bool is_pty(dev_t device) { return major(device) >= 136 && major(device) <= 143; }

static bool is_same(const struct stat *a, const struct stat *b) {
  return S_ISCHR(a->st_mode) && a->st_rdev == b->st_rdev && (!is_pty(a->st_rdev) || a->st_dev == b->st_dev);
}

/* One of the process's open files is this one. */
static bool holds(const char *pid, const struct stat *port) {
  char path[PATH_MAX];
  struct stat s;
  bool found = false;
  (void)snprintf(path, sizeof path, "/proc/%s/fd", pid);
  DIR *folder = opendir(path);
  if (!folder) return false;
  for (struct dirent *e = readdir(folder); e && !found; e = readdir(folder))
    found = fstatat(dirfd(folder), e->d_name, &s, 0) == 0 && is_same(&s, port);
  closedir(folder);
  return found;
}

static void name_process(const char *pid, char *out, size_t size) {
  char path[PATH_MAX], name[32] = "a program";
  (void)snprintf(path, sizeof path, "/proc/%s/comm", pid);
  FILE *f = fopen(path, "r");
  if (f && fgets(name, sizeof name, f)) name[strcspn(name, "\n")] = '\0';
  if (f) (void)fclose(f);
  (void)snprintf(out, size, "%s (process %s)", name, pid);
}

void daq_port_user(const char *path, char *out, size_t size) {
  struct stat s;
  out[0] = '\0';
  DIR *folder = stat(path, &s) == 0 && S_ISCHR(s.st_mode) ? opendir("/proc") : NULL;
  if (!folder) return;
  for (struct dirent *e = readdir(folder); e && !out[0]; e = readdir(folder))
    if (e->d_name[strspn(e->d_name, "0123456789")] == '\0' && holds(e->d_name, &s))
      name_process(e->d_name, out, size);
  closedir(folder);
}

/* ---- the list ---- */

static void copy_text(char *out, size_t size, const char *text) {
  (void)snprintf(out, size, "%s", text ? text : "");
}

static void describe_port(const struct sp_port *sp, daq_port *port) {
  *port = (daq_port){0};
  copy_text(port->path, sizeof port->path, sp_get_port_name(sp));
  copy_text(port->description, sizeof port->description, sp_get_port_description(sp));
  if (sp_get_port_transport(sp) == SP_TRANSPORT_USB) {
    if (sp_get_port_usb_vid_pid(sp, &port->usb_vid, &port->usb_pid) != SP_OK)
      port->usb_vid = port->usb_pid = 0;
    copy_text(port->serial, sizeof port->serial, sp_get_port_usb_serial(sp));
  }
  find_by_id(port->path, port->by_id, sizeof port->by_id);
  port->permitted = daq_port_permitted(port->path);
  daq_port_user(port->path, port->user, sizeof port->user);
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const daq_port *)a)->path, ((const daq_port *)b)->path);
}

cb_status daq_ports_list(daq_port **list, size_t *n, cb_err *err) {
  struct sp_port **ports = NULL;
  *list = NULL;
  *n = 0;
  if (sp_list_ports(&ports) != SP_OK)
    return cb_fail(err, CB_E_DEVICE, "the serial ports of this machine cannot be listed");
  size_t count = 0;
  while (ports[count]) count++;
  cb_status st = CB_OK;
  if (count > 0 && !(*list = calloc(count, sizeof **list))) {
    st = cb_no_memory(err, "a list of %zu serial ports", count);
  } else {
    for (size_t i = 0; i < count; i++) describe_port(ports[i], &(*list)[i]);
    if (count > 0) qsort(*list, count, sizeof **list, by_path);
    *n = count;
  }
  sp_free_port_list(ports);
  return st;
}
