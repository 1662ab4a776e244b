/* Steps that may be taken back, for adaptive scenes of all models. A model may have ways of its own; else its
 * archive keeps its state and brings it back, and the edges of what is seen tell how far a step went. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_clothing.h"
#include "sim_play_impl.h"
#include "sim_vec.h"

/* ---- by the archive ---- */

static cb_status keep_surfaces(sim_play *p, cb_err *err) {
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  sim_play_kept *k = &p->kept;
  size_t n = 0;
  k->n_surfaces = p->model->surfaces(p->state, surface);
  for (int i = 0; i < k->n_surfaces; i++) n += (size_t)surface[i].n_vertices;
  if (n > k->room) {
    free(k->x);
    k->x = malloc(n * sizeof *k->x);
    k->room = k->x ? n : 0;
    if (!k->x) return cb_no_memory(err, "%s, %zu vertices", p->scene->name, n);
  }
  n = 0;
  for (int i = 0; i < k->n_surfaces; i++) {
    k->n_vertices[i] = surface[i].n_vertices;
    memcpy(k->x + n, surface[i].position_m, (size_t)surface[i].n_vertices * sizeof *k->x);
    n += (size_t)surface[i].n_vertices;
  }
  return CB_OK;
}

static cb_status keep_archive(sim_play *p, cb_err *err) {
  cb_archive a = cb_archive_writer(&p->kept.state);
  if (p->model == &sim_layers_model) p->kept.report = sim_clothing_of(p)->report;
  cb_bytes_clear(&p->kept.state);
  CB_TRY(sim_play_archive(p, &a, err));
  if (p->kept.state.failed) return cb_no_memory(err, "%s", p->scene->name);
  return keep_surfaces(p, err);
}

static cb_status restore_archive(sim_play *p, cb_err *err) {
  cb_archive a = cb_archive_reader(p->kept.state.data, p->kept.state.n);
  if (p->model == &sim_layers_model) ((sim_clothing *)p->state)->report = p->kept.report;
  CB_TRY(sim_play_archive(p, &a, err));
  return a.wrong == NULL ? CB_OK : cb_fail(err, CB_E_NUM, "%s: a step back: %s", p->scene->name, a.wrong);
}

/* By how much the length of an edge of the triangle changed, over what it was. */
static double edge_change(const int v[3], const double (*before)[3], const double (*now)[3]) {
  double most = 0;
  for (int k = 0; k < 3; k++) {
    double a[3], b[3];
    sim_sub(before[v[k]], before[v[(k + 1) % 3]], a);
    sim_sub(now[v[k]], now[v[(k + 1) % 3]], b);
    const double was = sim_norm(a), is = sim_norm(b);
    if (!isfinite(is)) return INFINITY;
    if (was > 0) most = fmax(most, fabs(is - was) / was);
  }
  return most;
}

/* Of surfaces that have the same vertices as before; what was torn or remeshed is not compared. */
static double surfaces_change(sim_play *p) {
  sim_drawn surface[SIM_PLAY_SURFACES] = {{0}};
  const int n = p->model->surfaces(p->state, surface);
  const double(*before)[3] = (const sim_vec3 *)p->kept.x;
  double most = 0;
  for (int i = 0; i < n && i < p->kept.n_surfaces; before += p->kept.n_vertices[i++]) {
    const sim_drawn *s = &surface[i];
    if (s->n_vertices != p->kept.n_vertices[i]) continue;
    for (int t = 0; t < s->n_triangles; t++)
      most = fmax(most, edge_change(s->triangle[t], before, s->position_m));
  }
  return most;
}

/* ---- by either ---- */

cb_status sim_play_keep(sim_play *p, cb_err *err) {
  p->kept.done = p->done;
  p->kept.within_s = p->told.within_s;
  if (p->model->trial == NULL) return keep_archive(p, err);
  p->model->trial->keep(p->state);
  memcpy(p->kept.body, p->body, sizeof p->body);
  return CB_OK;
}

cb_status sim_play_take_back(sim_play *p, cb_err *err) {
  if (p->model->trial == NULL) {
    CB_TRY(restore_archive(p, err));
  } else {
    p->model->trial->take_back(p->state);
    memcpy(p->body, p->kept.body, sizeof p->body);
  }
  p->done = p->kept.done;
  p->told.within_s = p->kept.within_s;
  return CB_OK;
}

/* Of the main cloth contacts have to agree, too; with layers they hardly ever do. */
double sim_play_jump(sim_play *p, const sim_step_report *r) {
  const sim_model_trial *own = p->model->trial;
  if (own == NULL) return surfaces_change(p) / SIM_PLAY_STRAIN;
  if (!r->contacts_agree || (p->scene->iterations > 1 && !r->settled)) return INFINITY;
  return own->jump(p->state) / own->most;
}

void sim_play_kept_clear(sim_play_kept *kept) {
  cb_bytes_clear(&kept->state);
  free(kept->x);
}
