/* Friction of a sheet that slides over another one, over Coulomb's, by mesh, material, speed, step and
 * scheme. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "self_slide.h"

typedef struct cloth {
  const char *name;
  double areal_density_kg_per_m2, thickness_m, stretch_N_per_m, bending_Nm;
} cloth;

static const cloth cloths[] = {{"silk", 0.06, 0.2e-3, 800, 4e-6},
                               {"cotton", 0.15, 0.5e-3, 1000, 1e-5},
                               {"denim", 0.4, 0.9e-3, 6000, 2e-4}};

static sim_material material_of(const cloth *c) {
  sim_material m = sim_material_isotropic(c->areal_density_kg_per_m2, c->stretch_N_per_m, c->bending_Nm);
  m.thickness_m = c->thickness_m;
  return m;
}

static int play(self_slide how, const char *cloth_name, double *worst, double *worst_free) {
  self_slide_result r;
  cb_err err = {0};
  if (self_slide_play(&how, &r, &err) != CB_OK) {
    printf("%s\n", err.msg);
    return 1;
  }
  const double off = how.mu > 0 ? r.mu / how.mu - 1 : r.mu;
  double *w = how.mu > 0 ? worst : worst_free;
  *w = fmax(*w, fabs(off));
  printf(
      "%-11s %-6s mu %.1f %4.2f m/s %g ms %-14s: mu %8.5f  %s%.4f  end %6.3f m/s  solves %.2f contacts %.0f "
      "impacts %lld\n",
      sim_pattern_text[how.pattern], cloth_name, how.mu, how.m_per_s, 1e3 * how.step_s,
      sim_cloth_scheme_names[how.scheme], r.mu, how.mu > 0 ? "ratio " : "free ", how.mu > 0 ? 1 + off : off,
      r.end_m_per_s, (double)r.solves / r.steps, (double)r.contacts / r.steps, r.impacts);
  fflush(stdout);
  return 0;
}

int main(int argc, char **argv) {
  static const double mu[] = {0, 0.1, 0.3, 0.6}, step_s[] = {5e-3, 2e-3, 1e-3}, m_per_s[] = {0.1, 1};
  static const sim_pattern pattern[] = {SIM_PATTERN_IRREGULAR, SIM_PATTERN_RIGHT};
  const int stride = argc > 1 ? atoi(argv[1]) : 1, first = argc > 2 ? atoi(argv[2]) : 0;
  const double edge = argc > 3 ? atof(argv[3]) : 6e-3, pull = argc > 4 ? atof(argv[4]) : 0;
  double worst = 0, worst_free = 0;
  int n = 0, failed = 0;
  for (size_t c = 0; c < sizeof cloths / sizeof *cloths; c++)
    for (int s = 0; s < 2; s++)
      for (int h = 0; h < 3; h++)
        for (int v = 0; v < 2; v++)
          for (int m = 0; m < 4; m++)
            for (int p = 0; p < 2; p++) {
              if (n++ % stride != first) continue;
              failed += play((self_slide){.pattern = pattern[p],
                                          .side_m = 0.06,
                                          .edge_m = {edge, edge},
                                          .seed = 1,
                                          .material = material_of(&cloths[c]),
                                          .mu = mu[m],
                                          .m_per_s = m_per_s[v],
                                          .pull_m_per_s2 = pull,
                                          .step_s = step_s[h],
                                          .settle_s = 0.05,
                                          .duration_s = 0.25,
                                          .scheme = s ? SIM_BDF2 : SIM_BACKWARD_EULER},
                             cloths[c].name, &worst, &worst_free);
            }
  printf("worst: %.2f %% of Coulomb's, %.5f where mu is 0; %d failed\n", 100 * worst, worst_free, failed);
  return failed > 0;
}
