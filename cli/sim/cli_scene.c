#include "cli_scene.h"

#include "cli_friction.h"

static void warn_of_pair(const lab_scene_pair *p, const char *cloth, const char *body) {
  for (int k = 0; k < 2; k++) cli_pooled_warn(&p->pooled[k], cloth, body);
}

static void warn_of_all(const sim_scene *s, const lab_scene *laws) {
  for (int b = 0; b < s->n_bodies; b++) warn_of_pair(&laws->pair[b], s->cloth, s->body[b].material);
  for (int k = 0; k < s->n_layers; k++) warn_of_pair(&laws->layer[k], s->cloth, s->layer[k].material);
}

cb_status cli_scene_read(sim_scene *scene, const char *db, cli_scene *c, cb_err *err) {
  cb_store *s;
  if (!sim_scene_laws(scene)) return CB_OK;
  c->database = db == NULL && scene->database[0] ? cli_db_shipped(scene->database) : cli_db_to_read(db);
  CB_TRY(cb_store_open(c->database, CB_STORE_READ, &s, err));
  const cb_status st = lab_scene_read(s, scene, &c->laws, err);
  warn_of_all(scene, &c->laws);
  return cb_store_close_after(s, st, err);
}
