/* clothbench sim: plays a scene file and writes what it asks for. */
#include <math.h>
#include <stdio.h>

#include "cb_file.h"
#include "cb_threads.h"
#include "cb_time.h"
#include "cb_signals.h"
#include "cli_sim.h"

static cb_status start_play(cli_sim *r, cb_err *err) {
  CB_TRY(sim_play_new(&r->scene, &r->play, err));
  cb_threads_fit(sim_play_vertices(r->play));
  double dt_s = r->scene.duration_s / sim_play_steps(r->play);
  r->every = r->scene.every_s > 0 ? (int)fmax(1, round(r->scene.every_s / dt_s)) : 0;
  r->checkpoint_every = r->scene.checkpoint_s > 0 ? (int)fmax(1, round(r->scene.checkpoint_s / dt_s)) : 0;
  return CB_OK;
}

static cb_status start_table(cli_sim *r, bool resume, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES];
  (void)cli_sim_path(r, CLI_SIM_TABLE, path);
  if (resume) return sim_table_resume(r->play, path, &r->table, err);
  CB_TRY(sim_table_new(r->play, path, &r->table, err));
  return sim_table_add(r->table, r->play, err);
}

static cb_status read_scene(cli_sim *r, const char *file, const char *db, cb_err *err) {
  CB_TRY(sim_scene_load(file, &r->scene, err));
  return cli_scene_read(&r->scene, db, &r->materials, err);
}

static cb_status start(cli_sim *r, const char *file, const char *db, bool resume, cb_err *err) {
  char path[CLI_SIM_PATH_BYTES];
  CB_TRY(read_scene(r, file, db, err));
  if (r->draws > 0) CB_TRY(lab_scene_bands_check(&r->scene, &r->materials.laws, err));
  CB_TRY(start_play(r, err));
  if (!r->folder) r->folder = r->scene.name;
  CB_TRY(cli_sim_check_folder(r->folder, &r->scene, file, err));
  if (!resume) CB_TRY(cb_dir_make(r->folder, err));
  CB_TRY(show_stage_of(r->play, &r->scene, &r->stage, err));
  if (resume) CB_TRY(sim_play_load(r->play, cli_sim_path(r, CLI_SIM_CHECKPOINT, path), err));
  if (!resume) CB_TRY(cli_sim_clear_folder(r, err));
  if (resume) CB_TRY(cli_sim_write_materials(r, resume, err));
  CB_TRY(cli_sim_start_frames(r, resume, err)); /* whose folder this is, before any other file */
  if (!resume) CB_TRY(cli_sim_write_materials(r, resume, err));
  r->resumed_at = resume ? sim_play_done(r->play) : 0;
  CB_TRY(start_table(r, resume, err));
  r->tally = sim_tally_begin(r->play);
  CB_TRY(sim_converge_new(&r->scene, r->play, &r->converge, err));
  return resume ? CB_OK : cli_sim_write_frame(r, 0, err);
}

static cb_status take_step(cli_sim *r, int step, cb_err *err) {
  sim_step_report report;
  cb_threads_leave(&r->share);
  CB_TRY(sim_play_step(r->play, &report, err));
  sim_tally_add(&r->tally, r->play, &report);
  CB_TRY(sim_table_add(r->table, r->play, err));
  r->steps++;
  return cli_sim_write_due(r, step, err);
}

static cb_status play(cli_sim *r, cb_err *err) {
  const cb_stop *stop = cb_signals_listen_once(
      "clothbench sim: stops after this step and writes its checkpoint; once more ends it there and then\n");
  double begin = cb_now_monotonic_s();
  int last = sim_play_steps(r->play);
  cli_progress("sim", 0, last - r->resumed_at, r->scene.name);
  for (int step = r->resumed_at + 1; step <= last; step++) {
    CB_TRY(take_step(r, step, err));
    if (step < last && cb_stop_wanted(stop)) return cli_sim_stop(r, step, stop, err);
    CB_TRY(cli_sim_follow(r, err));
    cli_progress("sim", step - r->resumed_at, last - r->resumed_at, r->scene.name);
  }
  CB_TRY(show_run_view(r->folder, NULL, NULL, err));
  r->seconds = cb_now_monotonic_s() - begin;
  CB_TRY(cli_sim_play_bands(r, stop, err));
  return sim_tally_end(&r->tally, r->play, err);
}

/* Shows the scene instead of writing it, until it ends or the window is closed. */
static cb_status show(cli_sim *r, const char *file, const char *db, cb_err *err) {
  win_window *w;
  bool open = true;
  CB_TRY(read_scene(r, file, db, err));
  CB_TRY(start_play(r, err));
  CB_TRY(win_open(r->play, &r->scene, &w, err));
  const cb_stop *stop = cb_signals_listen_once("clothbench sim: closes the window after this frame\n");
  cb_status st = CB_OK;
  while (st == CB_OK && open && !cb_stop_wanted(stop)) {
    cb_threads_leave(&r->share);
    st = win_frame(w, &open, err);
  }
  r->shown = win_frame_times(w);
  win_close(w);
  return st;
}

/* Says loudly what is wrong at the end. */
static int judge_end(const cli_sim *r) {
  char faults[1000];
  if (!sim_tally_faults(&r->tally, r->play, faults, sizeof faults)) return CLI_DONE;
  fprintf(stderr, "clothbench sim: %s: at the end %s\n", r->scene.name, faults);
  return CLI_NEGATIVE;
}

static void run_clear(cli_sim *r) {
  lab_scene_bands_clear(&r->bands);
  sim_table_close(r->table);
  sim_converge_free(r->converge);
  sim_play_free(r->play);
  lab_scene_clear(&r->materials.laws);
  sim_scene_clear(&r->scene);
}

int cmd_sim(int argc, char **argv) {
  const char *file = NULL, *db = NULL;
  bool resume = false, json = false, window = false;
  double draws = 0;
  static cli_sim r;
  r = (cli_sim){.folder = NULL};
  const cli_opt opts[] = {
      {"out", CLI_OUT_FOLDER, &r.folder, "folder for what is written; else the scene's name"},
      {"db", CLI_TEXT, &db, "the database of the materials that the scene names; else the scene's own"},
      {"resume", CLI_SWITCH, &resume, "go on from the folder's checkpoint"},
      {"window", CLI_SWITCH, &window,
       "show the scene in a window instead of writing it; the mouse drags a curtain "
       "(docs/method/curtain.md)"},
      {"law-draw", CLI_NUMBER, &draws,
       "play the scene this often too, with laws drawn from their uncertainty: bands.csv has 95 % of each "
       "probe",
       .min = LAB_SCENE_DRAWS_LEAST, .max = LAB_SCENE_DRAWS_MOST},
      {"json", CLI_SWITCH, &json, "one JSON document on standard output"},
  };
  int stop = cli_parse(
      argc, argv, "sim SCENE.yaml [--out FOLDER | --window] [--db FILE] [--resume] [--law-draw N] [--json]",
      opts, sizeof opts / sizeof opts[0], &file, 1, 1, NULL);
  if (stop >= 0) return stop;
  int code = CLI_DONE;
  cb_err err = {""};
  cb_status st = CB_OK;
  r.draws = (int)draws;
  if (window && (r.folder || resume || r.draws > 0))
    st =
        cb_fail(&err, CB_E_ARG, "--window writes no files: --out, --resume and --law-draw do not go with it");
  else
    st = window ? show(&r, file, db, &err) : start(&r, file, db, resume, &err);
  if (st == CB_OK && !window) st = play(&r, &err);
  if (st != CB_OK)
    code = cli_fail("sim", st, &err);
  else if (json)
    code = cli_print_json("sim", window ? cli_sim_shown_json(&r) : cli_sim_json(&r));
  else if (window)
    cli_sim_shown_print(&r);
  else
    cli_sim_print(&r);
  if (code == CLI_DONE && !window) code = judge_end(&r);
  run_clear(&r);
  return code;
}
