/* The laws of the materials that a scene names. The scene's own numbers take precedence. A value that
 * neither the scene nor the database has is an error. docs/reference/scene-file.md has the keys. */
#ifndef LAB_SCENE_H
#define LAB_SCENE_H

#include <jansson.h>

#include "cb_bending_law.h"
#include "cb_compression_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cb_self_friction_law.h"
#include "cb_store.h"
#include "lab_pooled.h"
#include "sim_scene.h"

/* The friction laws of one body with the cloth. kinetic.n_knots is 0 if the body has no name. */
typedef struct lab_scene_pair {
  cb_friction_law kinetic, stat;
  bool has_static, fitted_now; /* fitted_now: in memory, as points are newer than the stored law or there is
                                    none */
  lab_pooled pooled[2];        /* of laws fitted in memory: kinetic, static */
} lab_scene_pair;

/* The elasticity that an elastic body in a layer takes from the database. */
typedef struct lab_scene_elastic {
  cb_elasticity_law law;         /* id 0: not wanted */
  bool from[CB_ELASTIC_NUMBERS]; /* which numbers came from it */
} lab_scene_elastic;

/* All laws of a scene. It has some megabytes: allocate it on the heap. */
typedef struct lab_scene {
  cb_material facts;    /* of the cloth */
  int64_t bending_id;   /* row in the store; 0: the scene has numbers */
  sim_scene_wants from; /* values that came from the database */
  lab_scene_pair pair[SIM_SCENE_BODIES], layer[SIM_SCENE_LAYERS];
  lab_scene_elastic elastic[SIM_SCENE_LAYERS];
  cb_bending_law bending;
  cb_stretch_law stretch;           /* id 0: not wanted */
  cb_compression_law compression;   /* id 0: the usual constant */
  cb_permeability_law permeability; /* id 0: not wanted, or unknown to a model that can do without */
  cb_self_friction_law self;        /* id 0: no self_material */
} lab_scene;

/* Finds what the scene wants and fills it in. The laws are in *c, which is zeroed first and must outlive the
 * scene. It only reads. The caller calls lab_scene_clear, even after an error. Error: CB_E_NOTFOUND for a
 * missing material or law; the message says what would provide it. */
CB_CHECKED cb_status lab_scene_read(cb_store *s, sim_scene *scene, lab_scene *c, cb_err *err);
void lab_scene_clear(lab_scene *c);

/* Lowest and highest pressure [Pa] at which a law was measured. */
void lab_scene_pressures(const cb_friction_law *law, double out_Pa[2]);
void lab_scene_self_pressures(const cb_self_friction_law *law, double out_Pa[2]);

/* Makes `materials` of docs/reference/json, "sim": material and friction of the cloth, whatever their source.
 * database: its path; NULL: none was needed. NULL: no memory. */
json_t *lab_scene_json(const sim_scene *s, const lab_scene *c, const char *database);

#endif
