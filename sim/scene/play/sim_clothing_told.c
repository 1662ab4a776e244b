/* What is told of the layers while they play. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_clothing.h"
#include "sim_vec.h"
#include "sim_play_parts.h"

static void middle_of(const sim_clothing *p, int k, double out[6]) {
  const sim_play_layer l = sim_clothing_layer(p, k);
  sim_elastic *elastic = sim_layered_elastic(p->layered, k);
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

static sim_play_air air_of(const sim_clothing *p, int k) {
  sim_play_air out = {0, 0};
  sim_air *air = sim_layered_air(p->layered, k);
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

int sim_clothing_layer_columns(sim_clothing *p, int n) {
  static const char *const column[] = {"x_m", "y_m", "z_m", "vx_m_per_s", "vy_m_per_s", "vz_m_per_s"};
  static const char *const edge[] = {"edges_at_limit", "longest_edge_over_limit"};
  for (int c = 0; c < 2 && p->layered && !p->scene->no_cloth; c++)
    (void)snprintf(p->column_name[n++], SIM_CLOTHING_NAME, "%s", edge[c]);
  for (int k = 0; k < p->scene->n_layers; k++) {
    for (int c = 0; c < 6; c++)
      (void)snprintf(p->column_name[n++], SIM_CLOTHING_NAME, "body%d_%s", k + 1, column[c]);
    for (int c = 0; c < 2 && sim_layered_air(p->layered, k); c++)
      (void)snprintf(p->column_name[n++], SIM_CLOTHING_NAME, "air%d_%s", k + 1, c == 0 ? "over_Pa" : "J");
  }
  return n;
}

int sim_clothing_layer_values(const sim_clothing *p, double *value, int n) {
  if (p->layered && !p->scene->no_cloth) {
    const sim_edge_report edges = sim_layered_edges(p->layered);
    value[n++] = edges.at_limit;
    value[n++] = edges.longest;
  }
  for (int k = 0; k < p->scene->n_layers; k++) {
    middle_of(p, k, value + n);
    n += 6;
    if (!sim_layered_air(p->layered, k)) continue;
    const sim_play_air air = air_of(p, k);
    value[n++] = air.over_Pa;
    value[n++] = air.amount_J;
  }
  return n;
}

/* ---- what callers ask of a play ---- */

sim_play_layer sim_play_layer_of(const sim_play *play, int layer) {
  return sim_clothing_layer(sim_clothing_of(play), layer);
}
sim_play_air sim_play_air_of(const sim_play *play, int layer) { return air_of(sim_clothing_of(play), layer); }

cb_status sim_play_inside(const sim_play *play, int k, int *inside, double *least_m, cb_err *err) {
  const sim_clothing *p = sim_clothing_of(play);
  const sim_play_layer l = sim_clothing_layer(p, k);
  const double(*x)[3] = (const sim_vec3 *)(sim_cloth_position(p->cloth) + l.first_met);
  sim_traverse *t = NULL;
  sim_closest_point *closest = malloc((size_t)l.n_met * sizeof *closest);
  *inside = 0;
  *least_m = INFINITY;
  cb_status st = closest ? CB_OK : cb_no_memory(err, "%s", p->scene->name);
  if (st == CB_OK) st = sim_traverse_new(sim_layered_hull(p->layered, k), &t, err);
  if (st == CB_OK) st = sim_traverse_surface(t, l.position_m, l.contact_offset_m, err);
  if (st == CB_OK) st = sim_traverse_start(t, x, l.n_met, closest, err);
  for (int i = 0; st == CB_OK && i < l.n_met; i++) {
    *inside += closest[i].distance_m < 0;
    *least_m = fmin(*least_m, closest[i].distance_m);
  }
  sim_traverse_free(t);
  free(closest);
  return st;
}
