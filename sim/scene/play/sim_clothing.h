/* The main cloth of a scene with what it meets in layers: the state of the models `cloth` and `layers`. */
#ifndef SIM_CLOTHING_H
#define SIM_CLOTHING_H

#include "sim_cloth.h"
#include "sim_model.h"
#include "sim_play_parts.h"
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

#define SIM_CLOTHING_NAME 32

typedef struct sim_clothing {
  const sim_told *told;
  const sim_scene *scene;
  sim_mesh mesh;                 /* all cloth */
  sim_mesh part[SIM_PLAY_PARTS]; /* sheets and cases by themselves; of a single sheet `mesh` is all there
                                    is */
  sim_play_part part_of[SIM_PLAY_PARTS];
  int n_parts;
  int *held_by; /* n_vertices: which of scene->held; -1: none */
  bool *gripped;
  double (*rest_per_m)[3]; /* n_triangles; NULL: flat */
  sim_play_made made[SIM_SCENE_LAYERS];
  sim_layered_body layer[SIM_SCENE_LAYERS];
  sim_layered *layered; /* NULL: no layers */
  sim_cloth *cloth;     /* the three layers', if there are any */
  sim_layered_report report;
  bool watched;
  sim_alarm alarm;
  unsigned char *kept; /* the state before a step that may be taken back; NULL: none may; not with layers */
  sim_frame frame;     /* for pictures and files */
  char column_name[SIM_MODEL_COLUMNS][SIM_CLOTHING_NAME];
  const char *column[SIM_MODEL_COLUMNS + 1];
} sim_clothing;

/* NULL where another model plays. */
const sim_clothing *sim_clothing_of(const sim_play *play);

/* Meshes, what is held, rest shape, cloth and layers. */
CB_CHECKED cb_status sim_clothing_make(sim_clothing *p, cb_err *err);
/* Sheets, cases and all together; the bodies in the layers; then the layers. */
CB_CHECKED cb_status sim_clothing_make_parts(sim_clothing *p, cb_err *err);
CB_CHECKED cb_status sim_clothing_make_layered(sim_clothing *p, const sim_cloth_setup *cloth, cb_err *err);
void sim_clothing_clear_layers(sim_clothing *p);
sim_play_layer sim_clothing_layer(const sim_clothing *p, int layer);

/* Velocities of surfaces of prescribed motion, so that they end the step where they belong. */
void sim_clothing_move_layers(sim_clothing *p, double dt_s);

/* The columns of layers, behind the first n; their values. Return how many there are then. */
int sim_clothing_layer_columns(sim_clothing *p, int n);
int sim_clothing_layer_values(const sim_clothing *p, double *value, int n);

/* Of the mesh; bodies alone, or all of it, as they are now. */
CB_CHECKED cb_status sim_clothing_frame_init(const sim_clothing *p, sim_frame *out, cb_err *err);
void sim_clothing_frame_bodies(const sim_clothing *p, sim_frame *frame);
void sim_clothing_frame(const sim_clothing *p, sim_frame *frame);

#endif
