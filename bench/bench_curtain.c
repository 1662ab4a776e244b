/* What a frame of a curtain costs: one step of 1/60 s and all places, folds included.
 *
 *   bench_curtain [--json]
 *
 * The flag and the curtain of Cheng and others (SGI 320, 1998): 240 and 1760 vertices. The flag: 16 columns of 15 nodes, no folds, wind and
 * turbulence along its columns. The curtain: 10 columns of 32 nodes with folds of 6 segments, which are 1760 vertices, in front of a
 * window; and, as the harder reading of "1760", 40 columns of 44 nodes, whose folds come on top (8624 vertices). The big one: 500 thousand
 * vertices with folds, and likewise without. Everything of sim_curtain.h is on but bodies and collisions with itself: wind with
 * permeability, turbulence, damping by place and speed, two rounds of pulls (four for the big ones). Small ones by processor time on one thread, least and median
 * of runs of frames; big ones by the clock on all threads. */
#include <omp.h>

#include "bench_lab.h"
#include "sim_curtain.h"

#define DT_S (1.0 / 60)
#define RUNS 41

typedef struct cost {
  const char *name;
  sim_curtain_setup setup;
  int frames; /* of a run */
  int vertices, first_layer;
  double least_s, median_s, clock_s, stretch;
} cost;

static double clock_s(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sim_curtain_setup flag_setup(void) {
  sim_curtain_setup s = sim_curtain_setup_default();
  s.columns = 16, s.nodes = 15;
  s.rod_m = 0.1, s.weft_m = s.spacing_m = 0.06;
  s.across[0] = 0, s.across[2] = -1;
  s.down[0] = 1, s.down[2] = 0;
  s.wind = (sim_curtain_wind){.centre_m = {-2, 0.3, -0.45},
                              .direction = {1, -0.1, 0},
                              .radius_m = 3,
                              .apex_m = 20,
                              .pressure_Pa = 40,
                              .near_m = 4,
                              .thinning = 1,
                              .passing = 0.1,
                              .falloff = 1,
                              .turbulence = 0.1,
                              .eddy_m = 0.15, .turbulence_m_per_s = 6,
                              .seed = 1};
  return s;
}

static sim_curtain_setup curtain_setup(int columns, int nodes, int segments) {
  sim_curtain_setup s = sim_curtain_setup_default();
  const double width = 2.2, height = 2.2;
  s.columns = columns, s.nodes = nodes, s.segments = segments;
  s.rod_m = height / (nodes - 1);
  s.spacing_m = width / (columns - 1) / (segments > 1 ? 2 : 1);
  s.weft_m = width / (columns - 1);
  s.wind = (sim_curtain_wind){.centre_m = {0.6, -1, -1},
                              .direction = {0, 1, 0},
                              .radius_m = 1,
                              .apex_m = 5,
                              .pressure_Pa = 4,
                              .near_m = 1,
                              .thinning = 1,
                              .passing = 0.2,
                              .falloff = 1,
                              .turbulence = 0.1,
                              .eddy_m = 0.15, .turbulence_m_per_s = 1,
                              .seed = 1};
  return s;
}

static void measure(cost *k) {
  sim_curtain *c;
  double cpu[RUNS], wall[RUNS];
  LAB_TRY(sim_curtain_new(&k->setup, &c, err));
  k->vertices = sim_curtain_vertices(c);
  k->first_layer = k->setup.columns * k->setup.nodes;
  double(*place)[3] = calloc((size_t)k->vertices, sizeof *place);
  if (!place) lab_die("out of memory");
  for (int run = 0; run < RUNS; run++) {
    const double cpu_s = lab_cpu_s(), wall_s = clock_s();
    for (int i = 0; i < k->frames; i++) {
      LAB_TRY(sim_curtain_step(c, DT_S, NULL, err));
      sim_curtain_places(c, place);
    }
    cpu[run] = (lab_cpu_s() - cpu_s) / k->frames;
    wall[run] = (clock_s() - wall_s) / k->frames;
    sim_curtain_report r;
    LAB_TRY(sim_curtain_step(c, DT_S, &r, err));
    k->stretch = fmax(k->stretch, r.stretch);
  }
  k->median_s = median(cpu, RUNS);
  k->least_s = cpu[0];
  k->clock_s = median(wall, RUNS);
  free(place);
  sim_curtain_free(c);
}

static void print(const cost *k, bool json, const char *more) {
  if (json)
    printf("    \"%s_us_per_frame\": %.6g, \"%s_least_us\": %.6g, \"%s_frames_per_s\": %.6g, \"%s_vertices\": %d, \"%s_stretch\": %.6g%s\n",
           k->name, 1e6 * k->median_s, k->name, 1e6 * k->least_s, k->name, 1 / k->clock_s, k->name, k->vertices, k->name, k->stretch, more);
  else
    printf("%-22s %7d vertices, %6d of them in the first layer: %.2f us of processor per frame (least %.2f), %.0f frames/s; stretch %.3f\n",
           k->name, k->vertices, k->first_layer, 1e6 * k->median_s, 1e6 * k->least_s, 1 / k->clock_s, k->stretch);
}

int main(int argc, char **argv) {
  const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) lab_die("usage: bench_curtain [--json]");
  cost all[] = {{.name = "flag_240", .setup = flag_setup(), .frames = 600},
                {.name = "curtain_1760", .setup = curtain_setup(10, 32, 6), .frames = 300},
                {.name = "curtain_1760_nodes", .setup = curtain_setup(40, 44, 6), .frames = 100},
                {.name = "curtain_500k", .setup = curtain_setup(126, 668, 6), .frames = 1},
                {.name = "curtain_500k_nodes", .setup = curtain_setup(704, 711, 1), .frames = 1}};
  const int n = sizeof all / sizeof *all;
  if (json) printf("{\n  \"curtain\": {\n");
  for (int i = 0; i < n; i++) {
    measure(&all[i]);
    print(&all[i], json, i < n - 1 ? "," : "");
  }
  if (json) printf("  }\n}\n");
  return 0;
}
