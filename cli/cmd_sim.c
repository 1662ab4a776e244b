/* clothbench sim: plays a scene file and writes what it asks for. */
#include <math.h>

#include "cb_file.h"
#include "cb_threads.h"
#include "cb_time.h"
#include "cli_signals.h"
#include "cli_sim.h"
#include "cli_system.h"

static cb_status start_track(cli_sim *r, bool resume, cb_err *err) {
  sim_probe probe[SIM_SCENE_PROBES];
  const char *name[SIM_SCENE_PROBES];
  char path[CLI_SIM_PATH_BYTES];
  for (int i = 0; i < r->scene.n_probes; i++) {
    probe[i] = sim_probe_nearest(sim_play_mesh(r->play), r->scene.probe[i].at_m);
    name[i] = r->scene.probe[i].name;
  }
  CB_TRY(sim_track_new(probe, name, r->scene.n_probes, &r->track, err));
  sim_play_columns(r->play, r->track);
  if (resume) return sim_track_resume(r->track, cli_sim_path(r, "probes.csv", path), sim_cloth_time(sim_play_cloth(r->play)), err);
  sim_play_row(r->play, r->track);
  return CB_OK;
}

static cb_status start_play(cli_sim *r, cb_err *err) {
  CB_TRY(sim_play_new(&r->scene, &r->play, err));
  cb_threads_fit(sim_play_vertices(r->play));
  double dt_s = r->scene.duration_s / sim_play_steps(r->play);
  r->every = r->scene.every_s > 0 ? (int)fmax(1, round(r->scene.every_s / dt_s)) : 0;
  r->checkpoint_every = r->scene.checkpoint_s > 0 ? (int)fmax(1, round(r->scene.checkpoint_s / dt_s)) : 0;
  return sim_play_frame_init(r->play, &r->frame, err);
}

static cb_status start(cli_sim *r, const char *file, const char *db, bool resume, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES];
  CB_TRY(sim_scene_load(file, &r->scene, err));
  CB_TRY(cli_scene_read(&r->scene, db, &r->materials, err));
  CB_TRY(start_play(r, err));
  if (!r->folder) r->folder = r->scene.name;
  CB_TRY(cli_sim_check_folder(r->folder, &r->scene, file, err));
  CB_TRY(cb_dir_make(r->folder, err));
  if (resume) CB_TRY(sim_play_load(r->play, cli_sim_path(r, "checkpoint.cloth", path), err));
  CB_TRY(cli_sim_write_materials(r, resume, err));
  r->resumed_at = resume ? sim_play_done(r->play) : 0;
  CB_TRY(start_track(r, resume, err));
  r->tally = sim_tally_begin(r->play);
  return resume ? CB_OK : cli_sim_write_frame(r, 0, err);
}

static cb_status play(cli_sim *r, cb_err *err) {
  sim_step_report report;
  const cb_stop *stop =
      cli_signals_listen_once("clothbench sim: stops after this step and writes its checkpoint; once more ends it there and then\n");
  double begin = cb_now_monotonic_s();
  int last = sim_play_steps(r->play);
  cli_progress("sim", 0, last - r->resumed_at, r->scene.name);
  for (int step = r->resumed_at + 1; step <= last; step++) {
    CB_TRY(sim_play_step(r->play, &report, err));
    sim_tally_add(&r->tally, r->play, &report);
    sim_play_row(r->play, r->track);
    CB_TRY(cli_sim_write_due(r, step, err));
    if (step < last && cb_stop_wanted(stop)) return cli_sim_stop(r, step, stop, err);
    cli_progress("sim", step - r->resumed_at, last - r->resumed_at, r->scene.name);
  }
  r->seconds = cb_now_monotonic_s() - begin;
  return sim_tally_end(&r->tally, r->play, err);
}

static void run_clear(cli_sim *r) {
  sim_track_free(r->track);
  sim_frame_clear(&r->frame);
  sim_play_free(r->play);
}

static cb_status check_system(sim_system *system, const char *file, const char *folder, cb_err *err) {
  const sim_scene *s = sim_system_scene(system);
  return cli_sim_check_folder(folder ? folder : s->name, s, file, err);
}

/* A scene of another model, to its end. Returns false where the file is none. */
static bool play_system(const char *file, const char *folder, const char *db, bool resume, bool json, int *code) {
  sim_system *system;
  cb_err err = {""};
  cb_status st = sim_system_load(file, &system, &err);
  if (st == CB_OK && system == NULL) return false;
  if (st == CB_OK && (db || resume)) st = cb_fail(&err, CB_E_ARG, "%s: its model knows neither --db nor --resume", file);
  if (st == CB_OK) st = check_system(system, file, folder, &err);
  *code = st == CB_OK ? cli_system_play(system, folder, json) : cli_fail("sim", st, &err);
  sim_system_free(system);
  return true;
}

int cmd_sim(int argc, char **argv) {
  const char *file = NULL, *db = NULL;
  bool resume = false, json = false;
  static cli_sim r;
  r = (cli_sim){.folder = NULL};
  const cli_opt opts[] = {
      {.name = "out", .kind = CLI_OUT_FOLDER, .value = &r.folder, .help = "folder for what is written; else the scene's name"},
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "the database of the materials that the scene names; else the scene's own"},
      {.name = "resume", .kind = CLI_SWITCH, .value = &resume, .help = "go on from the folder's checkpoint"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "sim SCENE.yaml [--out FOLDER] [--db FILE] [--resume] [--json]", opts, sizeof opts / sizeof opts[0],
                       &file, 1, 1, NULL);
  if (stop >= 0) return stop;
  int code = CLI_DONE;
  if (play_system(file, r.folder, db, resume, json, &code)) return code;
  cb_err err = {""};
  cb_status st = start(&r, file, db, resume, &err);
  if (st == CB_OK) st = play(&r, &err);
  if (st != CB_OK)
    code = cli_fail("sim", st, &err);
  else if (json)
    code = cli_print_json("sim", cli_sim_json(&r));
  else
    cli_sim_print(&r);
  run_clear(&r);
  return code;
}
