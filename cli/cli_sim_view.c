/* The frames of `sim` in one file, and the page that plays them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cb_version.h"
#include "cli_sim.h"
#include "show_view.h"

/* ---- frames.show ---- */

static cb_status new_frames(const cli_sim *r, const char *path, cb_err *err) {
  char program[64];
  (void)snprintf(program, sizeof program, "clothbench %s", cb_version());
  json_t *about = json_pack("{s:s,s:s,s:o}", "scene", r->scene.name, "program", program, "materials",
                            cli_scene_json(&r->scene, &r->materials));
  char *text = about ? json_dumps(about, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(about);
  if (!text) return cb_no_memory(err, "%s, its frames", r->scene.name);
  const cb_status st = show_frames_new(path, text, err);
  free(text);
  return st;
}

/* How many frames there are up to a step at which the run stopped. */
static int frames_until(const cli_sim *r, int step) {
  if (step == sim_play_steps(r->play)) return cli_sim_frame_of(r, step) + 1;
  return r->every > 0 ? step / r->every + 1 : 1;
}

cb_status cli_sim_start_frames(const cli_sim *r, bool resume, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES];
  (void)cli_sim_path(r, SHOW_FRAMES_FILE, path);
  if (!resume || access(path, F_OK) != 0) return new_frames(r, path, err);
  return show_frames_cut(path, frames_until(r, sim_play_done(r->play)), err);
}

cb_status cli_sim_add_frame(cli_sim *r, cb_err *err) {
  static show_frame frame;
  char path[CLI_SIM_PATH_BYTES];
  cb_status st = show_frame_of(r->play, &r->stage, &frame, err);
  if (st == CB_OK) st = show_frames_add(cli_sim_path(r, SHOW_FRAMES_FILE, path), &frame, err);
  show_frame_clear(&frame);
  return st;
}

/* ---- view.html ---- */

cb_status cli_sim_write_view(const cli_sim *r, cb_err *err) {
  char frames[CLI_SIM_PATH_BYTES], table[CLI_SIM_PATH_BYTES], view[CLI_SIM_PATH_BYTES];
  const show_view v = {.frames = cli_sim_path(r, SHOW_FRAMES_FILE, frames),
                       .table = cli_sim_path(r, CLI_SIM_TABLE, table)};
  return show_view_write(&v, cli_sim_path(r, CLI_SIM_VIEW, view), err);
}
