/* What `sim` writes into its folder. */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_time.h"
#include "cb_version.h"
#include "cli_sim.h"
#include "sim_write.h"

#define MATERIALS_MAX_BYTES ((size_t)1 << 24)

const char *cli_sim_path(const cli_sim *r, const char *name, char out[CLI_SIM_PATH_BYTES]) {
  (void)snprintf(out, CLI_SIM_PATH_BYTES, "%s/%s", r->folder, name);
  return out;
}

/* ---- materials ---- */

static cb_status compare_materials(const char *path, const char *text, cb_err *err) {
  char *before;
  size_t n;
  CB_TRY(cb_file_read(path, MATERIALS_MAX_BYTES, &before, &n, err));
  bool same = strcmp(before, text) == 0;
  free(before);
  return same ? CB_OK
              : cb_fail(err, CB_E_RANGE,
                        "%s: the run began with other materials than the scene has now: the same were wanted",
                        path);
}

cb_status cli_sim_write_materials(const cli_sim *r, bool resume, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES];
  json_t *doc = lab_scene_json(&r->scene, &r->materials.laws, r->materials.database);
  char *text = doc ? json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(doc);
  if (!text) return cb_no_memory(err, "%s, its materials", r->scene.name);
  (void)cli_sim_path(r, "materials.json", path);
  cb_status st = resume ? compare_materials(path, text, err) : cb_file_write(path, text, strlen(text), err);
  free(text);
  return st;
}

/* ---- frames ---- */

static void frame_name(int file, int number, const char *ending, char out[64]) {
  char stem[SIM_PLAY_FILE_BYTES];
  sim_play_file(file, stem);
  (void)snprintf(out, 64, "%s_%05d.%s", stem, number, ending);
}

int cli_sim_frame_of(const cli_sim *r, int step) {
  int steps = sim_play_steps(r->play);
  return r->every == 0 ? (step == steps) : (step + r->every - 1) / r->every;
}

/* How many frames there are up to the step at which a run stopped. */
static int frames_until(const cli_sim *r, int step) {
  if (step == sim_play_steps(r->play)) return cli_sim_frame_of(r, step) + 1;
  return r->every > 0 ? step / r->every + 1 : 1;
}

cb_status cli_sim_start_frames(const cli_sim *r, bool resume, cb_err *err) {
  json_t *about =
      json_pack("{s:s,s:s+,s:o}", "scene", r->scene.name, "program", "clothbench ", cb_version(), "materials",
                lab_scene_json(&r->scene, &r->materials.laws, r->materials.database));
  char *text = about ? json_dumps(about, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(about);
  if (!text) return cb_no_memory(err, "%s, its frames", r->scene.name);
  cb_status st = show_run_begin(r->folder, text, resume ? frames_until(r, sim_play_done(r->play)) : -1, err);
  free(text);
  return st;
}

/* Times and names of the frames of a file so far. */
static void list_frames(const cli_sim *r, int file, int step, int n, double *time_s, char (*name)[64],
                        const char **list) {
  for (int i = 0; i < n; i++) {
    int at = r->every > 0 && i * r->every < step ? i * r->every : i == 0 ? 0 : step;
    time_s[i] = r->scene.duration_s * at / sim_play_steps(r->play);
    frame_name(file, i, "vtp", name[i]);
    list[i] = name[i];
  }
}

static cb_status write_collection(const cli_sim *r, int file, int step, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES], stem[SIM_PLAY_FILE_BYTES], pvd[64];
  int n = cli_sim_frame_of(r, step) + 1;
  double *time_s = malloc((size_t)n * sizeof *time_s);
  char(*name)[64] = malloc((size_t)n * sizeof *name);
  const char **list = malloc((size_t)n * sizeof *list);
  cb_status st = CB_OK;
  sim_play_file(file, stem);
  (void)snprintf(pvd, sizeof pvd, "%s%s.pvd", stem, file == 0 ? "s" : "");
  if (time_s && name && list) {
    list_frames(r, file, step, n, time_s, name, list);
    st = sim_write_pvd(time_s, list, n, cli_sim_path(r, pvd, path), err);
  } else {
    st = cb_no_memory(err, "%s, %d frames", r->scene.name, n);
  }
  free(time_s);
  free(name);
  free((void *)list);
  return st;
}

static cb_status write_file(const cli_sim *r, int file, int step, cb_err *err) {
  const sim_scene *s = &r->scene;
  const struct {
    bool wanted;
    sim_play_format format;
    const char *ending;
  } each[] = {{s->obj, SIM_PLAY_OBJ, "obj"}, {s->ply, SIM_PLAY_PLY, "ply"}, {s->vtp, SIM_PLAY_VTP, "vtp"}};
  char name[64], path[CLI_SIM_PATH_BYTES];
  for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
    if (!each[k].wanted) continue;
    frame_name(file, cli_sim_frame_of(r, step), each[k].ending, name);
    CB_TRY(sim_play_write(r->play, file, each[k].format, cli_sim_path(r, name, path), err));
  }
  return s->vtp ? write_collection(r, file, step, err) : CB_OK;
}

cb_status cli_sim_write_frame(cli_sim *r, int step, cb_err *err) {
  char name[64], path[CLI_SIM_PATH_BYTES];
  if (r->scene.png == SIM_PICTURES_ALL ||
      (r->scene.png == SIM_PICTURES_LAST && step == sim_play_steps(r->play))) {
    frame_name(0, cli_sim_frame_of(r, step), "png", name);
    CB_TRY(sim_play_picture(r->play, cli_sim_path(r, name, path), err));
  }
  for (int file = 0; file < sim_play_files(r->play); file++) CB_TRY(write_file(r, file, step, err));
  return show_run_add(r->folder, r->play, &r->stage, err);
}

/* The table has all rows up to the checkpoint before that stands. */
static cb_status write_checkpoint(cli_sim *r, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES];
  CB_TRY(sim_table_sync(r->table, err));
  return sim_play_save(r->play, cli_sim_path(r, CLI_SIM_CHECKPOINT, path), err);
}

static bool is_due(int step, int every, int last) { return step == last || (every > 0 && step % every == 0); }

cb_status cli_sim_write_due(cli_sim *r, int step, cb_err *err) {
  double start = cb_now_monotonic_s();
  int last = sim_play_steps(r->play);
  if (is_due(step, r->every, last)) CB_TRY(cli_sim_write_frame(r, step, err));
  if (is_due(step, r->checkpoint_every, last)) CB_TRY(write_checkpoint(r, err));
  r->writing_seconds += cb_now_monotonic_s() - start;
  return CB_OK;
}

/* What is left of the processor time that a system grants suffices for a checkpoint, but perhaps for no page.
 */
static bool has_time_for_page(const cb_stop *stop) { return atomic_load(stop) != CB_STOP_SIGNAL + SIGXCPU; }

cb_status cli_sim_stop(cli_sim *r, int step, const cb_stop *stop, cb_err *err) {
  cb_err why = {""};
  const char *what = "checkpoint";
  cb_status st = cb_stop_check(stop, &why), written = write_checkpoint(r, err);
  if (written == CB_OK && has_time_for_page(stop)) {
    what = "page";
    written = show_run_view(r->folder, NULL, NULL, err);
  }
  if (written != CB_OK)
    return cb_fail_in(err, written, "%s after step %d of %d, and its %s was not written", why.msg, step,
                      sim_play_steps(r->play), what);
  return cb_fail(err, st, "%s after step %d of %d, at %g s: --resume goes on from %s/%s", why.msg, step,
                 sim_play_steps(r->play), sim_play_time(r->play), r->folder, CLI_SIM_CHECKPOINT);
}
