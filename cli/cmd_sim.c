/* clothbench sim: plays a scene file and writes what it asks for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_time.h"
#include "cli.h"
#include "sim_checkpoint.h"
#include "sim_mesh_obj.h"
#include "sim_play.h"
#include "sim_probe.h"
#include "sim_write.h"

#define PATH_MAX_BYTES 512

typedef struct run {
  sim_scene scene;
  sim_play *play;
  sim_frame frame;
  sim_track *track;
  const char *folder;
  int every, checkpoint_every; /* steps; 0: at the end only */
  int resumed_at;
  double seconds, writing_seconds;
  long long solves, solver_iterations, contacts;
  int disagreeing;    /* steps whose contacts did not agree in time */
  int parts, refused; /* of adaptive steps */
} run;

static const char *path_of(const run *r, const char *name, char out[PATH_MAX_BYTES]) {
  (void)snprintf(out, PATH_MAX_BYTES, "%s/%s", r->folder, name);
  return out;
}

/* ---- files ---- */

static void frame_name(int number, const char *ending, char out[64]) { (void)snprintf(out, 64, "frame_%05d.%s", number, ending); }

/* Frames are numbered by their place in time, so that a resumed run goes on with them. */
static int frame_of(const run *r, int step) {
  int steps = sim_play_steps(r->play);
  return r->every == 0 ? (step == steps) : (step + r->every - 1) / r->every;
}

static cb_status write_collection(const run *r, int step, cb_err *err) {
  char path[PATH_MAX_BYTES];
  int n = frame_of(r, step) + 1;
  double *time_s = malloc((size_t)n * sizeof *time_s);
  char(*name)[64] = malloc((size_t)n * sizeof *name);
  const char **file = malloc((size_t)n * sizeof *file);
  cb_status st = CB_OK;
  for (int i = 0; time_s && name && file && i < n; i++) {
    int at = r->every > 0 && i * r->every < step ? i * r->every : i == 0 ? 0 : step;
    time_s[i] = r->scene.duration_s * at / sim_play_steps(r->play);
    frame_name(i, "vtp", name[i]);
    file[i] = name[i];
  }
  if (time_s && name && file)
    st = sim_write_pvd(time_s, file, n, path_of(r, "frames.pvd", path), err);
  else
    st = cb_fail(err, CB_E_NOMEM, "%s: out of memory for %d frames", r->scene.name, n);
  free(time_s);
  free(name);
  free((void *)file);
  return st;
}

static cb_status write_frame(run *r, int step, cb_err *err) {
  const sim_scene *s = &r->scene;
  char name[64], path[PATH_MAX_BYTES];
  int number = frame_of(r, step);
  sim_frame_take(sim_play_cloth(r->play), &r->frame);
  if (s->obj) {
    frame_name(number, "obj", name);
    CB_TRY(sim_mesh_obj_write(r->frame.mesh, (const double(*)[3])r->frame.position_m, path_of(r, name, path), err));
  }
  if (s->ply) {
    frame_name(number, "ply", name);
    CB_TRY(sim_write_ply(&r->frame, path_of(r, name, path), err));
  }
  if (s->png) {
    frame_name(number, "png", name);
    CB_TRY(sim_picture_of_frame(&r->frame, sim_cloth_bodies(sim_play_cloth(r->play)), s->n_bodies, &s->view, path_of(r, name, path), err));
  }
  if (!s->vtp) return CB_OK;
  frame_name(number, "vtp", name);
  CB_TRY(sim_write_vtp(&r->frame, path_of(r, name, path), err));
  return write_collection(r, step, err);
}

static cb_status write_checkpoint(run *r, cb_err *err) {
  char path[PATH_MAX_BYTES];
  CB_TRY(sim_track_write(r->track, path_of(r, "probes.csv", path), err));
  return sim_cloth_save(sim_play_cloth(r->play), path_of(r, "checkpoint.cloth", path), err);
}

static bool is_due(int step, int every, int last) { return step == last || (every > 0 && step % every == 0); }

static cb_status write_due(run *r, int step, cb_err *err) {
  double start = cb_now_monotonic_s();
  int last = sim_play_steps(r->play);
  if (is_due(step, r->every, last)) CB_TRY(write_frame(r, step, err));
  if (is_due(step, r->checkpoint_every, last)) CB_TRY(write_checkpoint(r, err));
  r->writing_seconds += cb_now_monotonic_s() - start;
  return CB_OK;
}

/* ---- running ---- */

static cb_status start_track(run *r, bool resume, cb_err *err) {
  sim_probe probe[SIM_SCENE_PROBES];
  const char *name[SIM_SCENE_PROBES];
  char path[PATH_MAX_BYTES];
  for (int i = 0; i < r->scene.n_probes; i++) {
    probe[i] = sim_probe_nearest(sim_play_mesh(r->play), r->scene.probe[i].at_m);
    name[i] = r->scene.probe[i].name;
  }
  CB_TRY(sim_track_new(probe, name, r->scene.n_probes, &r->track, err));
  sim_cloth *cloth = sim_play_cloth(r->play);
  if (resume) return sim_track_resume(r->track, path_of(r, "probes.csv", path), sim_cloth_time(cloth), err);
  sim_track_add(r->track, cloth);
  return CB_OK;
}

static cb_status start(run *r, const char *file, bool resume, cb_err *err) {
  char path[PATH_MAX_BYTES];
  CB_TRY(sim_scene_load(file, &r->scene, err));
  CB_TRY(cb_dir_make(r->folder ? r->folder : r->scene.name, err));
  if (!r->folder) r->folder = r->scene.name;
  CB_TRY(sim_play_new(&r->scene, &r->play, err));
  double dt_s = r->scene.duration_s / sim_play_steps(r->play);
  r->every = r->scene.every_s > 0 ? (int)fmax(1, round(r->scene.every_s / dt_s)) : 0;
  r->checkpoint_every = r->scene.checkpoint_s > 0 ? (int)fmax(1, round(r->scene.checkpoint_s / dt_s)) : 0;
  CB_TRY(sim_frame_init(sim_play_mesh(r->play), &r->frame, err));
  if (resume) CB_TRY(sim_cloth_load(sim_play_cloth(r->play), path_of(r, "checkpoint.cloth", path), err));
  r->resumed_at = resume ? sim_play_done(r->play) : 0;
  CB_TRY(start_track(r, resume, err));
  return resume ? CB_OK : write_frame(r, 0, err);
}

static cb_status play(run *r, cb_err *err) {
  sim_step_report report;
  double begin = cb_now_monotonic_s();
  int last = sim_play_steps(r->play);
  cli_progress("sim", 0, last - r->resumed_at, r->scene.name);
  for (int step = r->resumed_at + 1; step <= last; step++) {
    CB_TRY(sim_play_step(r->play, &report, err));
    r->solves += report.solves;
    r->solver_iterations += report.solver_iterations;
    r->contacts += report.contacts;
    r->disagreeing += !report.contacts_agree;
    r->parts += report.steps;
    r->refused += report.refused;
    sim_track_add(r->track, sim_play_cloth(r->play));
    CB_TRY(write_due(r, step, err));
    cli_progress("sim", step - r->resumed_at, last - r->resumed_at, r->scene.name);
  }
  r->seconds = cb_now_monotonic_s() - begin;
  return CB_OK;
}

static void run_clear(run *r) {
  sim_track_free(r->track);
  sim_frame_clear(&r->frame);
  sim_play_free(r->play);
}

/* ---- telling ---- */

static json_t *run_json(const run *r) {
  const sim_mesh *m = sim_play_mesh(r->play);
  int taken = sim_play_steps(r->play) - r->resumed_at;
  double per_step = taken > 0 ? (r->seconds - r->writing_seconds) / taken : 0;
  return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:i, s:i, s:i, s:i}", "scene", r->scene.name,
                   "folder", r->folder, "vertices", m->n_vertices, "triangles", m->n_triangles, "steps", taken, "resumed_at_step",
                   r->resumed_at, "time_s", sim_cloth_time(sim_play_cloth(r->play)), "seconds", r->seconds, "writing_seconds",
                   r->writing_seconds, "seconds_per_step", per_step, "solves", (json_int_t)r->solves, "solver_iterations",
                   (json_int_t)r->solver_iterations, "contacts", (json_int_t)r->contacts, "steps_with_parts", r->parts, "parts_taken_back",
                   r->refused, "steps_contacts_disagree", r->disagreeing, "frames", frame_of(r, sim_play_steps(r->play)) + 1);
}

static void print_text(const run *r) {
  int taken = sim_play_steps(r->play) - r->resumed_at;
  printf("%s: %d vertices, %d steps to %g s", r->scene.name, sim_play_mesh(r->play)->n_vertices, taken,
         sim_cloth_time(sim_play_cloth(r->play)));
  if (r->resumed_at > 0) printf(" from step %d on", r->resumed_at);
  printf("\n%.3g s, of which %.3g s writing; %.3g s per step\n", r->seconds, r->writing_seconds,
         taken > 0 ? (r->seconds - r->writing_seconds) / taken : 0);
  if (r->scene.adaptive) printf("%d parts of steps, %d taken back\n", r->parts, r->refused);
  if (r->disagreeing > 0) printf("in %d steps some contacts did not agree in time\n", r->disagreeing);
  printf("%d frames, probes.csv and checkpoint.cloth in %s/\n", frame_of(r, sim_play_steps(r->play)) + 1, r->folder);
}

int cmd_sim(int argc, char **argv) {
  const char *file = NULL;
  bool resume = false, json = false;
  static run r;
  r = (run){.folder = NULL};
  const cli_opt opts[] = {
      {.name = "out", .kind = CLI_TEXT, .value = &r.folder, .help = "folder for what is written; else the scene's name"},
      {.name = "resume", .kind = CLI_SWITCH, .value = &resume, .help = "go on from the folder's checkpoint"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop =
      cli_parse(argc, argv, "sim SCENE.yaml [--out FOLDER] [--resume] [--json]", opts, sizeof opts / sizeof opts[0], &file, 1, 1, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  cb_status st = start(&r, file, resume, &err);
  if (st == CB_OK) st = play(&r, &err);
  int code = CLI_DONE;
  if (st != CB_OK)
    code = cli_fail("sim", st, &err);
  else if (json)
    code = cli_print_json("sim", run_json(&r));
  else
    print_text(&r);
  run_clear(&r);
  return code;
}
