/* The state of the models `cloth` and `layers`: the main cloth of a scene, and the bodies in layers. */
#ifndef SIM_CLOTHING_H
#define SIM_CLOTHING_H

#include "sim_cloth.h"
#include "sim_model.h"
#include "sim_play_parts.h"
#include "sim_shape.h"

#define SIM_PLAY_PARTS (SIM_SCENE_SHEETS + SIM_SCENE_LAYERS)

/* A body in a layer as made, and the cloth that it meets. */
typedef struct sim_play_made {
  sim_tets tets;          /* of an elastic body */
  sim_shape_surface skin; /* of a rigid body */
  int part;               /* number of its case among the parts; -1: none */
  bool *stitched;         /* per vertex of the case: is sewn to the body; NULL: none */
  int first_met, n_met;   /* run of cloth vertices that it meets */
} sim_play_made;

#define SIM_CLOTHING_NAME 32

typedef struct sim_clothing {
  const sim_told *told;
  const sim_scene *scene;
  sim_mesh mesh;                 /* of all cloth, joined */
  sim_mesh part[SIM_PLAY_PARTS]; /* sheets and cases, separately; empty for a single sheet without
                                    layers */
  sim_play_part part_of[SIM_PLAY_PARTS];
  int n_parts;
  int *held_by; /* n_vertices: index in scene->held; -1: free */
  bool *gripped;
  double (*rest_per_m)[3]; /* n_triangles; NULL: flat */
  sim_play_made made[SIM_SCENE_LAYERS];
  sim_layered_body layer[SIM_SCENE_LAYERS];
  sim_layered *layered; /* NULL: no layers */
  sim_cloth *cloth;     /* owned by `layered` if there are layers */
  sim_layered_report report;
  bool watched;
  sim_alarm alarm;     /* if watched, with the energies of the last step */
  unsigned char *kept; /* copy of the state before an adaptive step; NULL: steps are not adaptive */
  sim_frame frame;     /* for pictures and files */
  char column_name[SIM_MODEL_COLUMNS][SIM_CLOTHING_NAME];
  const char *column[SIM_MODEL_COLUMNS + 1];
} sim_clothing;

/* Returns the state of a play; NULL if another model plays it. */
const sim_clothing *sim_clothing_of(const sim_play *play);

/* Makes the meshes, the held vertices, the rest shape, the cloth and the layers of p->scene. */
CB_CHECKED cb_status sim_clothing_make(sim_clothing *p, cb_err *err);
/* Makes the sheets, the bodies in layers and their cases, and the joined mesh. */
CB_CHECKED cb_status sim_clothing_make_parts(sim_clothing *p, cb_err *err);
/* Makes the solver of cloth and layers. */
CB_CHECKED cb_status sim_clothing_make_layered(sim_clothing *p, const sim_cloth_setup *cloth, cb_err *err);
void sim_clothing_clear_layers(sim_clothing *p);
sim_play_layer sim_clothing_layer(const sim_clothing *p, int layer);

/* Sets the velocities of bodies with prescribed motion, so that they end a step of dt_s in the right
 * place. */
void sim_clothing_move_layers(sim_clothing *p, double dt_s);

/* Add the columns of layers, or their values, behind the first n. Both return the new number. */
int sim_clothing_layer_columns(sim_clothing *p, int n);
int sim_clothing_layer_values(const sim_clothing *p, double *value, int n);

/* Make a frame of the mesh; fill in the present bodies, or cloth and bodies. Clear the frame even after an
 * error. Errors: CB_E_NOMEM. */
CB_CHECKED cb_status sim_clothing_frame_init(const sim_clothing *p, sim_frame *out, cb_err *err);
void sim_clothing_frame_bodies(const sim_clothing *p, sim_frame *frame);
CB_CHECKED cb_status sim_clothing_frame(const sim_clothing *p, sim_frame *frame, cb_err *err);

#endif
