/* Pictures and files of a scene that plays. */
#include <stdio.h>

#include "sim_clothing.h"
#include "sim_play_impl.h"
#include "sim_write_files.h"
#include "sim_picture_draw.h"

int sim_play_surfaces(sim_play *p, sim_drawn *out) { return p->model->surfaces(p->state, out); }

bool sim_play_grab(sim_play *p, const double eye_m[3], const double ray[3], double at_m[3]) {
  return p->model->grab != NULL && p->model->grab(p->state, eye_m, ray, at_m);
}

void sim_play_pull(sim_play *p, const double target_m[3]) { p->model->pull(p->state, target_m); }

int sim_play_vertices(sim_play *p) {
  const sim_clothing *c = sim_clothing_of(p);
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  int sum = 0;
  if (c == NULL) {
    for (int k = p->model->surfaces(p->state, surface) - 1; k >= 0; k--) sum += surface[k].n_vertices;
    return sum;
  }
  sum = c->mesh.n_vertices;
  for (int k = 0; k < p->scene->n_layers; k++) sum += sim_clothing_layer(c, k).n_vertices;
  return sum;
}

cb_status sim_play_shown(sim_play *p, sim_drawn *out, int *n, cb_err *err) {
  if (p->model->shown != NULL) return p->model->shown(p->state, out, n, err);
  *n = p->model->surfaces(p->state, out);
  return CB_OK;
}

cb_status sim_play_picture(sim_play *p, const char *path, cb_err *err) {
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  int n = 0;
  CB_TRY(sim_play_shown(p, surface, &n, err));
  return sim_picture_of(surface, n, p->body, p->scene->n_bodies, &p->scene->view, path, err);
}

int sim_play_files(const sim_play *p) {
  return p->model->files != NULL ? p->model->files->count(p->state) : 1;
}

void sim_play_file(int file, char name[SIM_PLAY_FILE_BYTES]) {
  if (file == 0)
    (void)snprintf(name, SIM_PLAY_FILE_BYTES, "frame");
  else
    (void)snprintf(name, SIM_PLAY_FILE_BYTES, "body%d", file);
}

cb_status sim_play_write(sim_play *p, int file, sim_play_format format, const char *path, cb_err *err) {
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  if (p->model->files != NULL) return p->model->files->write(p->state, file, format, path, err);
  const int n = p->model->surfaces(p->state, surface);
  switch (format) {
    case SIM_PLAY_OBJ: return sim_write_drawn_obj(surface, n, path, err);
    case SIM_PLAY_PLY: return sim_write_drawn_ply(surface, n, sim_play_time(p), path, err);
    case SIM_PLAY_VTP: break;
  }
  return sim_write_drawn_vtp(surface, n, sim_play_time(p), path, err);
}
