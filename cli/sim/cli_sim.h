/* The run of a scene, shared by the files of `clothbench sim`. */
#ifndef CLI_SIM_H
#define CLI_SIM_H

#include "cb_stop.h"
#include "cb_threads.h"
#include "cli_scene.h"
#include "lab_scene_draw.h"
#include "show_run.h"
#include "sim_converge.h"
#include "sim_table.h"
#include "sim_tally.h"
#include "win_window.h"

typedef struct cli_sim {
  sim_scene scene;
  cli_scene materials;
  sim_play *play;
  sim_table *table;
  sim_tally tally; /* only for the main cloth */
  sim_converge *converge;
  cb_threads_share share;
  show_stage stage;
  const char *folder;
  int every, checkpoint_every;     /* in steps; 0: only at the end */
  int steps;                       /* taken by this command */
  int resumed_at;                  /* step from which the run was resumed */
  double seconds, writing_seconds; /* in all; for frames and checkpoints */
  double converge_seconds;         /* of `seconds`, for the statement of convergence */
  win_times shown;                 /* with --window */
  int draws;                       /* of the laws; 0: none */
  lab_scene_bands bands;
} cli_sim;

#define CLI_SIM_TABLE SHOW_TABLE_FILE
#define CLI_SIM_CHECKPOINT "checkpoint.sim"
#define CLI_SIM_BANDS "bands.csv"

#define CLI_SIM_PATH_BYTES 512
/* Returns out with the path of a file in the folder. */
const char *cli_sim_path(const cli_sim *r, const char *name, char out[CLI_SIM_PATH_BYTES]);

/* Error: CB_E_IO if the scene file, or a file that it uses, has the name of an output in the folder. */
CB_CHECKED cb_status cli_sim_check_folder(const char *folder, const sim_scene *s, const char *file,
                                          cb_err *err);

/* Removes the files of an earlier run of this scene, so that none of its frames stays among new ones.
 * Errors: CB_E_IO if the folder holds another scene's run, or a file of such a name that no run made. */
CB_CHECKED cb_status cli_sim_clear_folder(const cli_sim *r, cb_err *err);

/* Writes materials.json. A resumed run must have the same materials as the run before. */
CB_CHECKED cb_status cli_sim_write_materials(const cli_sim *r, bool resume, cb_err *err);
/* Makes frames.show; a resumed run keeps the frames up to its checkpoint. */
CB_CHECKED cb_status cli_sim_start_frames(const cli_sim *r, bool resume, cb_err *err);
/* Writes the files of a frame. */
CB_CHECKED cb_status cli_sim_write_frame(cli_sim *r, int step, cb_err *err);
/* Writes the frames and checkpoints that are due after a step; adds to writing_seconds. */
CB_CHECKED cb_status cli_sim_write_due(cli_sim *r, int step, cb_err *err);
/* Writes a checkpoint after the step at which the run is to stop. Returns CB_E_STOPPED with a message, or
 * the error of writing. */
CB_CHECKED cb_status cli_sim_stop(cli_sim *r, int step, const cb_stop *stop, cb_err *err);
/* Returns the number of the frame at a step. It depends on the time alone, so that a resumed run continues
 * the numbers. */
int cli_sim_frame_of(const cli_sim *r, int step);

/* Plays the companion of the statement of convergence as far as the run stands. */
CB_CHECKED cb_status cli_sim_follow(cli_sim *r, cb_err *err);
/* Add the statement to the JSON document; print it as text. */
void cli_sim_convergence_json(const cli_sim *r, json_t *doc);
void cli_sim_convergence_print(const cli_sim *r);

/* Plays the scene under drawn laws and writes their bands; nothing without --law-draw. */
CB_CHECKED cb_status cli_sim_play_bands(cli_sim *r, const cb_stop *stop, cb_err *err);
json_t *cli_sim_bands_json(const cli_sim *r);
void cli_sim_bands_print(const cli_sim *r);

/* Make the result as a JSON document (docs/reference/json, "sim"); print it as text. */
json_t *cli_sim_json(const cli_sim *r);
void cli_sim_print(const cli_sim *r);
/* Likewise after --window. */
json_t *cli_sim_shown_json(const cli_sim *r);
void cli_sim_shown_print(const cli_sim *r);

#endif
