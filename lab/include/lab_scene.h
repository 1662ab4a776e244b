/* What a database knows of the materials that a scene names. The scene's own numbers go before; what neither
 * knows is an error. docs/simulation.md is the page. */
#ifndef LAB_SCENE_H
#define LAB_SCENE_H

#include "cb_bending_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store.h"
#include "lab_pooled.h"
#include "sim_scene.h"

/* The laws of one body against the cloth; kinetic.n_knots 0: none was named. */
typedef struct lab_scene_pair {
  cb_friction_law kinetic, stat;
  bool has_static, fitted_now; /* now: points are newer than the stored law, or there is none */
  lab_pooled pooled[2];        /* what a law that was fitted now pooled: kinetic, static */
} lab_scene_pair;

/* What an elastic body of a layer took from the database. */
typedef struct lab_scene_elastic {
  cb_elasticity_law law; /* id 0: not asked */
  cb_origin origin;
  bool from[CB_ELASTIC_NUMBERS];
} lab_scene_elastic;

/* Some megabytes: no place for a stack. */
typedef struct lab_scene {
  cb_material facts;              /* of the cloth */
  int64_t stretch_id, bending_id; /* 0: the scene's numbers */
  sim_scene_wants from;           /* what came from the database */
  lab_scene_pair pair[SIM_SCENE_BODIES], layer[SIM_SCENE_LAYERS];
  lab_scene_elastic elastic[SIM_SCENE_LAYERS];
  cb_stretch_law stretch;           /* id 0: not asked */
  cb_permeability_law permeability; /* id 0: not asked, or none is known to a model that can do without */
  cb_self_friction_law self;        /* id 0: none was named */
} lab_scene;

/* Looks up what the scene wants and fills it in; the laws lie in *c, which is zeroed before and must outlive
 * the scene. Reads only. Caller: lab_scene_clear, also after a failure. CB_E_NOTFOUND: a material or law that
 * is not there; says what would give it. */
CB_CHECKED cb_status lab_scene_read(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err);
void lab_scene_clear(lab_scene *c);

#endif
