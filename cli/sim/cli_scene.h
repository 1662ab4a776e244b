/* The materials of a scene for `clothbench sim`: found in a database, printed as text. */
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "cli.h"
#include "lab_scene.h"

typedef struct cli_scene {
  const char *database; /* path; NULL: none was needed */
  lab_scene laws;
} cli_scene;

/* Finds what the scene wants (lab_scene.h), and warns of laws that pool different campaigns. The database is
 * db, else the scene's `database`, else that of cli_db_path. A scene without names needs none. The caller
 * calls lab_scene_clear(&c->laws). */
CB_CHECKED cb_status cli_scene_read(sim_scene *s, const char *db, cli_scene *c, cb_err *err);

/* Prints the materials on stdout: a line for the cloth, and for every body and layer with a law. Prints
 * nothing without names. */
void cli_scene_print(const sim_scene *s, const cli_scene *c);

#endif
