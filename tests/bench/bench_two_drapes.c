/* The same cloths draped by two discretisations that share no code: the simulator's triangles, as `predict
 * drape` does, and the grid of finite differences of the virtual drape meter (virtual/lab/shell).
 *   ./run bench two_drapes [LAYINGS [NODES]]
 * Made-up cloths of docs/method/drape-prediction.md: 200 g/m2, B warp / weft 1.6, stretch 400 N/m, G 45 N/m;
 * without friction in bending and with it (HB of warp and weft = 40 B / m, onset 45 1/m; the grid has Dahl's
 * form, the simulator Prandtl's). LAYINGS each (6), of NODES nodes (1000). Prints means with their standard
 * uncertainties. */
#include "bench_lab.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "val_drape.h"
#include "vlab.h"

#define MOST 100
#define MASS 0.2
#define RATIO 1.6
#define HB_PER_B 40.0
#define ONSET 45.0
#define CROSS 0.2 /* as virtual/lab/vlab_drape.c */

static double warp_of(double c_m) { return pow(c_m, 3) * MASS * 9.80665 * sqrt(RATIO); }

static vlab grid_cloth(double c_m, bool rubs, int layings, int nodes) {
  const double B[2] = {warp_of(c_m), warp_of(c_m) / RATIO}, HB = rubs ? HB_PER_B : 0;
  vlab l = {.seed = 1, .drape_area_factor = 1};
  l.truth.areal_density_kg_per_m2 = MASS;
  l.truth.membrane = (vlab_membrane){.warp_N_per_m = 400, .weft_N_per_m = 400, .shear_N_per_m = 45};
  l.truth.bending = (vlab_bending){.warp_Nm = B[0],
                                   .weft_Nm = B[1],
                                   .twist_Nm = sqrt(B[0] * B[1]),
                                   .friction_N = {HB * B[0], HB * B[1]},
                                   .onset_per_m = ONSET};
  l.have.drapes = layings, l.have.drape_vertices = nodes;
  return l;
}

static val_drape_many triangle_cloth(double c_m, bool rubs, int layings) {
  const double B[2] = {warp_of(c_m), warp_of(c_m) / RATIO}, HB = rubs ? HB_PER_B : 0,
               both = sqrt(B[0] * B[1]);
  const double D[3][3] = {{B[0], CROSS * both, 0}, {CROSS * both, B[1], 0}, {0, 0, (1 - CROSS) / 2 * both}};
  val_drape_many many = {.one = val_drape_default(), .seeds = layings};
  sim_material *m = &many.one.material;
  *m = sim_material_isotropic(MASS, 400, B[0]);
  m->shear = sim_curve_linear(2 * 45);
  memcpy(m->bending_Nm, D, sizeof D);
  m->bending_friction_N[0] = HB * B[0], m->bending_friction_N[1] = HB * B[1];
  m->bending_friction_onset_per_m = ONSET;
  many.one.also_coarser = true;
  return many;
}

static void tell(const char *who, const double *DC, const double *nodes, size_t n, double more) {
  printf("  %-10s DC %.4f +- %.4f, nodes %.1f\n", who, cb_mean(DC, n) + more, cb_sd(DC, n) / sqrt((double)n),
         cb_mean(nodes, n));
}

static void by_grid(const vlab *l, const char *folder) {
  const fit_drape_setup size = fit_drape_setup_default();
  double DC[MOST], nodes[MOST];
  LAB_TRY(vlab_drapes_end(-1, l, folder, NULL, err));
  for (int i = 0; i < l->have.drapes; i++) {
    char path[300];
    fit_drape_file f;
    (void)snprintf(path, sizeof path, "%s/drape-%d.png", folder, i + 1);
    LAB_TRY(fit_drape_read(path, &size, &f, err));
    DC[i] = f.drape.drape_coefficient, nodes[i] = f.drape.nodes;
  }
  tell("grid", DC, nodes, (size_t)l->have.drapes, 0);
}

static void by_triangles(const val_drape_many *many) {
  double DC[MOST], nodes[MOST];
  val_drape_statistics s;
  LAB_TRY(val_drape_many_run(many, &s, err));
  for (int i = 0; i < s.n; i++) DC[i] = s.each[i].drape.drape_coefficient, nodes[i] = s.each[i].drape.nodes;
  tell("triangles", DC, nodes, (size_t)s.n, s.mesh_shift);
  val_drape_statistics_clear(&s);
}

int main(int argc, char **argv) {
  static const double c_m[] = {0.019, 0.011, 0.014, 0.016};
  char folder[] = "/tmp/two-drapes-XXXXXX";
  const int layings = argc > 1 ? atoi(argv[1]) : 6, nodes = argc > 2 ? atoi(argv[2]) : 1000;
  if (layings < 2 || layings > MOST || nodes < 100) lab_die("usage: bench_two_drapes [LAYINGS [NODES]]");
  if (!mkdtemp(folder)) lab_die("no folder in /tmp");
  for (int rubs = 0; rubs < 2; rubs++)
    for (size_t k = 0; k < sizeof c_m / sizeof c_m[0]; k++) {
      const vlab l = grid_cloth(c_m[k], rubs, layings, nodes);
      const val_drape_many many = triangle_cloth(c_m[k], rubs, layings);
      printf("c %.1f mm, %s friction\n", 1e3 * c_m[k], rubs ? "with" : "without");
      by_grid(&l, folder);
      by_triangles(&many);
      (void)fflush(stdout);
    }
  return 0;
}
