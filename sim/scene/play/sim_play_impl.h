/* A scene that runs, for the files that make it and move it. */
#ifndef SIM_PLAY_IMPL_H
#define SIM_PLAY_IMPL_H

#include "sim_play.h"
#include "sim_shape.h"

#define SIM_PLAY_PARTS (SIM_SCENE_SHEETS + SIM_SCENE_LAYERS)

/* A body of a layer as it was made, and where it lies among the others. */
typedef struct sim_play_made {
  sim_tets tets;          /* else */
  sim_shape_surface skin; /* of a rigid one by formula, or from a file */
  int part;               /* its case; -1: none */
  int first_met, n_met;   /* of the cloth */
  const sim_mesh *mesh_met;
} sim_play_made;

struct sim_play {
  const sim_scene *scene;
  int steps;
  double dt_s;
  sim_mesh mesh;                 /* all cloth */
  sim_mesh part[SIM_PLAY_PARTS]; /* sheets and cases by themselves; of a single sheet `mesh` is all there is */
  sim_play_part part_of[SIM_PLAY_PARTS];
  int n_parts;
  int *grip; /* n_vertices: which one holds; -1: none */
  bool *gripped;
  sim_body body[SIM_SCENE_BODIES];
  sim_solid *solid[SIM_SCENE_BODIES];
  double (*rest_per_m)[3]; /* n_triangles; NULL: flat */
  sim_play_made made[SIM_SCENE_LAYERS];
  sim_three_body layer[SIM_SCENE_LAYERS];
  sim_three *three; /* NULL: no layers */
  sim_cloth *cloth; /* the three layers', if there are any */
  sim_three_report report;
  bool watched;
  sim_alarm alarm;
  int parts_taken;     /* of the step at hand */
  unsigned char *kept; /* the state before a step that may be taken back; NULL: none may; not with layers */
};

/* Meshes, bodies, grips, rest shape. */
CB_CHECKED cb_status sim_play_make_cloth(sim_play *p, cb_err *err);
CB_CHECKED cb_status sim_play_make_sheet(const sim_scene_sheet *s, sim_mesh *out, cb_err *err);
/* At its start. *solid: caller frees, even after a failure; NULL for what has none. */
CB_CHECKED cb_status sim_play_make_body(const sim_scene_body *b, sim_body *out, sim_solid **solid, cb_err *err);
/* Sheets, cases and all together; the bodies in the layers; then the layers. */
CB_CHECKED cb_status sim_play_make_parts(sim_play *p, cb_err *err);
CB_CHECKED cb_status sim_play_make_three(sim_play *p, const sim_setup *cloth, cb_err *err);
void sim_play_clear_layers(sim_play *p);

/* Velocities of surfaces that are told how to move, so that they end the step where they belong. */
void sim_play_move_layers(sim_play *p, double dt_s);

#endif
