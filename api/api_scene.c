#include <stdlib.h>
#include <string.h>

#include "api_impl.h"
#include "fit_drape.h"
#include "lab_scene.h"
#include "sim_play.h"

struct clothbench_scene {
  sim_scene scene;
  lab_scene laws;
  sim_play *play;
};

static cb_status open_scene(clothbench_scene *s, const char *path, clothbench_database *database,
                            cb_err *err) {
  CB_TRY(sim_scene_load(path, &s->scene, err));
  if (sim_scene_laws(&s->scene)) {
    if (!database)
      return cb_fail(err, CB_E_ARG, "%s: the scene names materials: a database with their laws was wanted",
                     path);
    CB_TRY(lab_scene_read(database->store, &s->scene, &s->laws, err));
  }
  return sim_play_new(&s->scene, &s->play, err);
}

clothbench_status clothbench_scene_open(const char *path, clothbench_database *database,
                                        clothbench_scene **out, clothbench_error *error) {
  clothbench_scene *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s) return api_status(cb_no_memory(api_err(error), "a scene"));
  const cb_status st = open_scene(s, path, database, api_err(error));
  if (st == CB_OK)
    *out = s;
  else
    clothbench_scene_free(s);
  return api_status(st);
}

void clothbench_scene_free(clothbench_scene *scene) {
  if (!scene) return;
  sim_play_free(scene->play);
  lab_scene_clear(&scene->laws);
  sim_scene_clear(&scene->scene);
  free(scene);
}

clothbench_status clothbench_scene_step(clothbench_scene *scene, clothbench_error *error) {
  return api_status(sim_play_step(scene->play, NULL, api_err(error)));
}

double clothbench_scene_time_s(const clothbench_scene *scene) { return sim_play_time(scene->play); }
int clothbench_scene_steps(const clothbench_scene *scene) { return sim_play_steps(scene->play); }
int clothbench_scene_done(const clothbench_scene *scene) { return sim_play_done(scene->play); }
const char *clothbench_scene_model(const clothbench_scene *scene) { return sim_play_model(scene->play); }

/* ---- surfaces ---- */

int clothbench_scene_surfaces(clothbench_scene *scene) {
  sim_drawn all[SIM_PLAY_SURFACES];
  return sim_play_surfaces(scene->play, all);
}

clothbench_status clothbench_scene_surface(clothbench_scene *scene, int surface, clothbench_surface *out,
                                           clothbench_error *error) {
  sim_drawn all[SIM_PLAY_SURFACES];
  const int n = sim_play_surfaces(scene->play, all);
  if (surface < 0 || surface >= n)
    return api_status(cb_fail(api_err(error), CB_E_ARG, "surface %d: 0 to %d were wanted", surface, n - 1));
  const sim_drawn *d = &all[surface];
  *out = (clothbench_surface){d->n_vertices, d->n_triangles, d->position_m ? d->position_m[0] : NULL,
                              d->velocity_m_per_s ? d->velocity_m_per_s[0] : NULL,
                              d->triangle ? d->triangle[0] : NULL};
  return CLOTHBENCH_OK;
}

/* ---- values, files ---- */

int clothbench_scene_columns(const clothbench_scene *scene) { return sim_play_columns(scene->play); }

const char *clothbench_scene_column(const clothbench_scene *scene, int column) {
  return column >= 0 && column < sim_play_columns(scene->play) ? sim_play_column(scene->play, column) : NULL;
}

void clothbench_scene_row(clothbench_scene *scene, double *row) { sim_play_row(scene->play, row); }

clothbench_status clothbench_scene_save(clothbench_scene *scene, const char *path, clothbench_error *error) {
  return api_status(sim_play_save(scene->play, path, api_err(error)));
}

clothbench_status clothbench_scene_load(clothbench_scene *scene, const char *path, clothbench_error *error) {
  return api_status(sim_play_load(scene->play, path, api_err(error)));
}

clothbench_status clothbench_scene_picture(clothbench_scene *scene, const char *path,
                                           clothbench_error *error) {
  return api_status(sim_play_picture(scene->play, path, api_err(error)));
}

/* ---- a drape ---- */

clothbench_status clothbench_drape_of_mesh(size_t n_vertices, const double *position_m, size_t n_triangles,
                                           const int *triangle, double support_m, double specimen_m,
                                           clothbench_drape *out, clothbench_error *error) {
  cb_err *err = api_err(error);
  const fit_drape_setup q = {.support_m = support_m, .specimen_m = specimen_m};
  fit_shadow shadow = {.cover = NULL};
  fit_drape d;
  cb_status st = fit_drape_setup_check(&q, err);
  if (st == CB_OK)
    st = fit_drape_mesh_shadow((const double(*)[3])position_m, n_vertices, (const int(*)[3])triangle,
                               n_triangles, "the mesh", &shadow, err);
  if (st == CB_OK) st = fit_drape_reduce(&shadow, "the mesh", &q, &d, err);
  fit_shadow_clear(&shadow);
  if (st == CB_OK)
    *out = (clothbench_drape){
        d.drape_coefficient, d.u,    d.area_m2, d.radius_mean_m, d.radius_min_m, d.radius_max_m,
        d.node_height_m,     d.nodes};
  return api_status(st);
}
