/* What a database knows of the materials that a scene names. The scene's own numbers go before; what neither
 * tells is an error. */
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "cb_bending_law.h"
#include "cb_elasticity_law.h"
#include "cb_permeability_law.h"
#include "cli.h"
#include "sim_scene.h"

/* The laws of one body against the cloth; kinetic.n_knots 0: none was named. */
typedef struct cli_scene_pair {
  cb_friction_law kinetic, stat;
  bool has_static, fitted_now; /* now: points are newer than the stored law, or there is none */
} cli_scene_pair;

/* What an elastic body of a layer took from the database. */
typedef struct cli_scene_elastic {
  cb_elasticity_law law; /* id 0: not asked */
  cb_origin origin;
  bool from[CB_ELASTIC_NUMBERS];
} cli_scene_elastic;

typedef struct cli_scene {
  const char *database;           /* NULL: none was asked */
  cb_material facts;              /* of the cloth */
  int64_t stretch_id, bending_id; /* 0: the scene's numbers */
  sim_scene_wants from;           /* what came from the database */
  cli_scene_pair pair[SIM_SCENE_BODIES], layer[SIM_SCENE_LAYERS];
  cli_scene_elastic elastic[SIM_SCENE_LAYERS];
  cb_permeability_law permeability; /* id 0: not asked */
  cb_self_friction_law self;        /* id 0: none was named */
} cli_scene;

/* Looks up what the scene wants and fills it in; the laws lie in *c, which must outlive the scene. db: --db,
 * or NULL: the scene's `database`, else as every command. A scene without names asks no database. Errors: a
 * material or law that is not there. */
CB_CHECKED cb_status cli_scene_read(sim_scene *s, const char *db, cli_scene *c, cb_err *err);

/* What the cloth is made of and rubs by, wherever from: the keys of docs/json.md, "sim", below
 * `materials`. */
json_t *cli_scene_json(const sim_scene *s, const cli_scene *c);
/* The same for a person, on stdout: a line each for the cloth and for every body and layer with a law;
 * nothing where no name was given. */
void cli_scene_print(const sim_scene *s, const cli_scene *c);

#endif
