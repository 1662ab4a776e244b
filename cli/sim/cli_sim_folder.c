/* The folder of `sim`: what was there before. */
#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_out.h"
#include "cli_sim.h"

cb_status cli_sim_check_folder(const char *folder, const sim_scene *s, const char *file, cb_err *err) {
  static const char *const written[] = {
      "frame_*.*", "frames.pvd",     "body*_*.*",        "body*.pvd",      CLI_SIM_TABLE,  CLI_SIM_BANDS,
      "*.tmp*",    "materials.json", CLI_SIM_CHECKPOINT, SHOW_FRAMES_FILE, SHOW_VIEW_FILE, NULL};
  const char *inputs[1 + SIM_SCENE_SHEETS + SIM_SCENE_BODIES + SIM_SCENE_LAYERS] = {file};
  size_t n = 1;
  for (int i = 0; i < s->n_sheets; i++) inputs[n++] = s->sheet[i].file;
  for (int i = 0; i < s->n_bodies; i++) inputs[n++] = s->body[i].file;
  for (int i = 0; i < s->n_layers; i++) inputs[n++] = s->layer[i].file;
  return cb_out_check_folder(folder, written, inputs, n, err);
}

/* ---- files of earlier runs ---- */

/* The names that a run gives, and no others: what is removed is a run's own. */
static bool is_of_a_run(const char *name) {
  static const char *const whole[] = {"frames.pvd",  "body[0-9]*.pvd",   "materials.json", CLI_SIM_TABLE,
                                      CLI_SIM_BANDS, CLI_SIM_CHECKPOINT, SHOW_FRAMES_FILE, SHOW_VIEW_FILE};
  static const char *const frames[] = {"frame_[0-9][0-9][0-9][0-9][0-9]*",
                                       "body[0-9]*_[0-9][0-9][0-9][0-9][0-9]*"};
  static const char *const endings[] = {".vtp", ".obj", ".ply", ".png"};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    if (fnmatch(whole[i], name, 0) == 0) return true;
  const char *ending = strrchr(name, '.');
  bool frame = false, known = false;
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) frame |= fnmatch(frames[i], name, 0) == 0;
  for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++)
    known |= strcmp(ending, endings[i]) == 0;
  return frame && known;
}

typedef cb_status use_file(const char *path, cb_err *err);

static cb_status each_file(const char *folder, use_file *use, cb_err *err) {
  DIR *d = opendir(folder);
  cb_status st = CB_OK;
  for (struct dirent *e; d && st == CB_OK && (e = readdir(d));) {
    char path[CLI_SIM_PATH_BYTES];
    if (is_of_a_run(e->d_name) && snprintf(path, sizeof path, "%s/%s", folder, e->d_name) < (int)sizeof path)
      st = use(path, err);
  }
  if (d) (void)closedir(d);
  return st;
}

static cb_status refuse_file(const char *path, cb_err *err) {
  return cb_fail(err, CB_E_IO,
                 "%s: exists, and no run of this scene made it: another folder was wanted: --out FOLDER",
                 path);
}

static cb_status remove_file(const char *path, cb_err *err) {
  return unlink(path) == 0 ? CB_OK : cb_fail(err, CB_E_IO, "%s: of an earlier run: cannot be removed", path);
}

cb_status cli_sim_clear_folder(const cli_sim *r, cb_err *err) {
  char *about;
  CB_TRY(show_run_about(r->folder, &about, err));
  json_t *doc = about ? json_loads(about, 0, NULL) : NULL;
  const char *scene = json_string_value(json_object_get(doc, "scene"));
  cb_status st;
  if (scene && strcmp(scene, r->scene.name) != 0)
    st = cb_fail(err, CB_E_IO,
                 "%s: holds a run of the scene '%s', this is '%s': another folder was wanted: --out FOLDER",
                 r->folder, scene, r->scene.name);
  else
    st = each_file(r->folder, scene ? remove_file : refuse_file, err);
  json_decref(doc);
  free(about);
  return st;
}
