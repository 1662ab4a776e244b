/* The frames and the page of a run's folder. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show_frames_impl.h"
#include "show_view.h"

#define PATH_BYTES 4096

static const char *path_in(const char *folder, const char *name, char out[PATH_BYTES]) {
  (void)snprintf(out, PATH_BYTES, "%s/%s", folder, name);
  return out;
}

cb_status show_run_begin(const char *folder, const char *about_json, int keep, cb_err *err) {
  char path[PATH_BYTES];
  (void)path_in(folder, SHOW_FRAMES_FILE, path);
  if (keep < 0 || access(path, F_OK) != 0) return show_frames_new(path, about_json, err);
  return show_frames_cut(path, keep, err);
}

cb_status show_run_about(const char *folder, char **about, cb_err *err) {
  char path[PATH_BYTES];
  show_index x = {.fd = -1};
  *about = NULL;
  if (access(path_in(folder, SHOW_FRAMES_FILE, path), F_OK) != 0) return CB_OK;
  cb_status st = show_index_open(path, O_RDONLY, &x, err);
  if (st == CB_OK && !(*about = strdup(x.about))) st = cb_no_memory(err, "%s", path);
  show_index_clear(&x);
  return st;
}

cb_status show_run_add(const char *folder, sim_play *play, const show_stage *stage, cb_err *err) {
  show_frame frame;
  char path[PATH_BYTES];
  cb_status st = show_frame_of(play, stage, &frame, err);
  if (st == CB_OK) st = show_frames_add(path_in(folder, SHOW_FRAMES_FILE, path), &frame, err);
  show_frame_clear(&frame);
  return st;
}

/* A folder stands for its frames; NULL stays. */
static const char *frames_of(const char *path, char out[PATH_BYTES]) {
  struct stat info;
  if (!path || stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) return path;
  return path_in(path, SHOW_FRAMES_FILE, out);
}

cb_status show_run_view(const char *folder, const char *against, const char *path, cb_err *err) {
  char frames[PATH_BYTES], table[PATH_BYTES], other[PATH_BYTES], page[PATH_BYTES];
  const show_view v = {.frames = path_in(folder, SHOW_FRAMES_FILE, frames),
                       .table = path_in(folder, SHOW_TABLE_FILE, table),
                       .against = frames_of(against, other)};
  return show_view_write(&v, path ? path : path_in(folder, SHOW_VIEW_FILE, page), err);
}
