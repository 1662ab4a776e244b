/* The materials of a scene, for `clothbench sim`: from which database, as JSON, in words. */
#ifndef CLI_SCENE_H
#define CLI_SCENE_H

#include "cli.h"
#include "lab_scene.h"

typedef struct cli_scene {
  const char *database; /* NULL: none was asked */
  lab_scene laws;
} cli_scene;

/* Looks up what the scene wants (lab_scene.h), with warnings for laws that pool what differs. db: --db, or
 * NULL: the scene's `database`, else as every command. A scene without names asks no database. Caller:
 * lab_scene_clear(&c->laws). */
CB_CHECKED cb_status cli_scene_read(sim_scene *s, const char *db, cli_scene *c, cb_err *err);

/* What the cloth is made of and its friction, wherever from: the keys of docs/json.md, "sim", below
 * `materials`. */
json_t *cli_scene_json(const sim_scene *s, const cli_scene *c);
/* The same for a person, on stdout: a line each for the cloth and for every body and layer with a law;
 * nothing where no name was given. */
void cli_scene_print(const sim_scene *s, const cli_scene *c);

#endif
