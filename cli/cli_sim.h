/* A scene that `sim` plays: what the files of the command share. */
#ifndef CLI_SIM_H
#define CLI_SIM_H

#include "cb_stop.h"
#include "cli_scene.h"
#include "sim_table.h"
#include "sim_tally.h"

typedef struct cli_sim {
  sim_scene scene;
  cli_scene materials;
  sim_play *play;
  sim_table *table;
  sim_tally tally; /* of the main cloth */
  const char *folder;
  int every, checkpoint_every; /* steps; 0: at the end only */
  int steps;                   /* taken by this command */
  int resumed_at;
  double seconds, writing_seconds;
} cli_sim;

#define CLI_SIM_TABLE "values.csv"
#define CLI_SIM_CHECKPOINT "checkpoint.sim"

#define CLI_SIM_PATH_BYTES 512
/* A file of the folder. Returns out. */
const char *cli_sim_path(const cli_sim *r, const char *name, char out[CLI_SIM_PATH_BYTES]);

/* CB_E_IO where a file that the scene is made of, or the scene itself, has a name in the folder that the run
 * writes to. */
CB_CHECKED cb_status cli_sim_check_folder(const char *folder, const sim_scene *s, const char *file,
                                          cb_err *err);

/* materials.json; a run that goes on wants the same as the one before. */
CB_CHECKED cb_status cli_sim_write_materials(const cli_sim *r, bool resume, cb_err *err);
CB_CHECKED cb_status cli_sim_write_frame(cli_sim *r, int step, cb_err *err);
/* Frames and checkpoints that are due after a step; their time is counted. */
CB_CHECKED cb_status cli_sim_write_due(cli_sim *r, int step, cb_err *err);
/* The checkpoint after a step at which it is wanted to stop, due or not; returns CB_E_STOPPED with the
 * sentence that says so, or what writing failed with. */
CB_CHECKED cb_status cli_sim_stop(cli_sim *r, int step, const cb_stop *stop, cb_err *err);
/* Frames are numbered by their place in time, so that a resumed run goes on with them. */
int cli_sim_frame_of(const cli_sim *r, int step);

/* What the run came to. */
json_t *cli_sim_json(const cli_sim *r);
void cli_sim_print(const cli_sim *r);

#endif
