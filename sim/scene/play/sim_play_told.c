/* What is told of the layers while they play. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_play_impl.h"
#include "sim_vec.h"

static void middle_of(const sim_play *p, int k, double out[6]) {
  const sim_play_layer l = sim_play_layer_of(p, k);
  sim_elastic *elastic = sim_three_elastic(p->three, k);
  double mass = 0;
  for (int c = 0; c < 6; c++) out[c] = 0;
  for (int i = 0; i < l.n_vertices; i++) {
    double m = elastic ? sim_elastic_mass(elastic)[i] : 1;
    sim_add(out, m, l.position_m[i]);
    sim_add(out + 3, m, l.velocity_m_per_s[i]);
    mass += m;
  }
  for (int c = 0; c < 6; c++) out[c] /= mass;
}

sim_play_air sim_play_air_of(const sim_play *p, int k) {
  sim_play_air out = {0, 0};
  sim_air *air = sim_three_air(p->three, k);
  const sim_air_setup *setup = &p->layer[k].air;
  double area = 0;
  if (air == NULL) return out;
  for (int i = 0; i < setup->mesh->n_vertices; i++) {
    double a = setup->mesh->vertex_area_m2[i];
    out.amount_J += sim_air_amount_J(air)[i];
    out.over_Pa += a * (sim_air_pressure_Pa(air)[i] - setup->ambient_Pa);
    area += a;
  }
  out.over_Pa /= area;
  return out;
}

void sim_play_columns(const sim_play *p, sim_track *track) {
  static const char *const column[] = {"x_m", "y_m", "z_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s"};
  char name[64];
  for (int k = 0; k < p->scene->n_layers; k++) {
    for (int c = 0; c < 6; c++) {
      (void)snprintf(name, sizeof name, "body%d_%s", k + 1, column[c]);
      sim_track_column(track, name);
    }
    for (int c = 0; c < 2 && sim_three_air(p->three, k); c++) {
      (void)snprintf(name, sizeof name, "air%d_%s", k + 1, c == 0 ? "over_Pa" : "J");
      sim_track_column(track, name);
    }
  }
}

void sim_play_row(const sim_play *p, sim_track *track) {
  sim_track_add(track, p->cloth);
  for (int k = 0; k < p->scene->n_layers; k++) {
    double six[6];
    middle_of(p, k, six);
    sim_track_more(track, six, 6);
    if (!sim_three_air(p->three, k)) continue;
    sim_play_air air = sim_play_air_of(p, k);
    sim_track_more(track, (const double[]){air.over_Pa, air.amount_J}, 2);
  }
}

cb_status sim_play_inside(const sim_play *p, int k, int *inside, double *least_m, cb_err *err) {
  const sim_play_layer l = sim_play_layer_of(p, k);
  const double(*x)[3] = (const double(*)[3])(sim_cloth_position(p->cloth) + l.first_met);
  sim_traverse *t = NULL;
  sim_foot *foot = malloc((size_t)l.n_met * sizeof *foot);
  *inside = 0;
  *least_m = INFINITY;
  cb_status st = foot ? CB_OK : cb_fail(err, CB_E_NOMEM, "%s: out of memory", p->scene->name);
  if (st == CB_OK) st = sim_traverse_new(sim_three_hull(p->three, k), &t, err);
  if (st == CB_OK) st = sim_traverse_surface(t, l.position_m, l.buffer_m, err);
  if (st == CB_OK) st = sim_traverse_start(t, x, l.n_met, foot, err);
  for (int i = 0; st == CB_OK && i < l.n_met; i++) {
    *inside += foot[i].distance_m < 0;
    *least_m = fmin(*least_m, foot[i].distance_m);
  }
  sim_traverse_free(t);
  free(foot);
  return st;
}
