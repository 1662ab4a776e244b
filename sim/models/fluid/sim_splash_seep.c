/* Liquid through the cloth: Darcy's flow of what presses on it. */
#include <string.h>

#include "cb_num.h"
#include "sim_splash_impl.h"
#include "sim_vec.h"

#define UNDER 1e-3 /* of the gap: where the other side begins */

cb_status sim_splash_seep(sim_splash *s, double m_per_s_Pa, cb_err *err) {
  CB_TRY(cb_check_range(m_per_s_Pa, 0, 1e3, "splash: seepage", "m/(s Pa)", err));
  s->seep_m_per_s_Pa = m_per_s_Pa;
  return CB_OK;
}

/* To the gap's distance beyond the cloth, if nothing else is there. */
static bool send_through(sim_splash *s, const sim_wet_cloth_guest *g, int particle) {
  const double(*x)[3] = (const sim_vec3 *)sim_wet_cloth_position(s->sheet);
  double under[3] = {0, 0, 0}, to[3];
  for (int c = 0; c < 3; c++) sim_add(under, g->weight[c], x[g->vertex[c]]);
  sim_add(under, -UNDER * s->gap_m, g->normal);
  memcpy(to, under, sizeof to);
  sim_add(to, -s->gap_m, g->normal);
  if (sim_splash_blocked(s, -1, under, to)) return false;
  memcpy(s->end[particle], to, sizeof to);
  return true;
}

int sim_splash_let_through(sim_splash *s) {
  const double whole_m3 = s->fluid->mass / s->fluid->setup.density_kg_per_m3;
  int n = 0;
  memset(s->goes, 0, (size_t)s->fluid->n * sizeof *s->goes);
  for (int g = 0; s->seep_m_per_s_Pa > 0 && g < s->n_guests; g++) {
    const int i = s->toucher[g];
    double *gone = &s->gone_m3[s->fluid->number[i]];
    *gone += s->seep_m_per_s_Pa * s->guest[g].impulse_Ns;
    if (*gone < whole_m3 || !send_through(s, &s->guest[g], i)) continue;
    *gone -= whole_m3;
    s->goes[i] = true;
    n++;
  }
  return n;
}
