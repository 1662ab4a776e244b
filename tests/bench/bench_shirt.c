/* What limits of strain leave of the wrinkles of a T-shirt: scenes/limit_shirt.yaml, three methods, from
 * several starts.
 *
 *   bench_shirt [--vertices 2000] [--starts 5] [--json]
 *
 * A start is the place from which the shirt is put on: the usual one, or 5 mm to a side, back or up. Of the
 * end: wrinkles (sim_scene_limits.h; mean and standard deviation over the starts), greatest ratios. Of all
 * steps: strain beyond the limits, crossings of the cloth with itself, depth in the mannequin. Processor time
 * of a step; best with OMP_NUM_THREADS=1. */
#include "bench_lab.h"
#include "sim_play.h"
#include "sim_scene.h"

#define STARTS 5

typedef struct method {
  const char *name, *limited;
} method;

static const method methods[] = {
    {"warp-weft 5 %", "method: warp-weft, warp_ratio: [0.95, 1.05], weft_ratio: [0.95, 1.05]"},
    {"warp-weft 3 %", "method: warp-weft, warp_ratio: [0.97, 1.03], weft_ratio: [0.97, 1.03]"},
    {"mapped 5 %", "method: mapped, warp_ratio: [0.95, 1.05], weft_ratio: [0.95, 1.05]"}};
#define METHODS (sizeof methods / sizeof methods[0])

static const char *const places_mm[STARTS] = {"0, 0, 0", "5, 0, 0", "-5, 0, 0", "0, 5, 0", "0, 0, 5"};

typedef struct outcome {
  double depth_m[STARTS];                               /* of wrinkles, at the end of each start */
  double thread, any, excess, crossings, sunk_m, cpu_s; /* worst of all starts; cpu_s: a step, on the mean */
} outcome;

static void play_one(const method *m, int vertices, int start, int starts, outcome *out) {
  char text[1024];
  const int n = snprintf(
      text, sizeof text,
      "name: shirt\nsheet: {shape: shirt, vertices: %d, at_mm: [%s]}\nmaterial: {areal_density_g_per_m2: "
      "150, thickness_mm: 1, stretch_N_per_m: 30, bend_uN_m: 10, drag_per_s: 5}\nlimited: {%s, tolerance: "
      "0.001, self_collision: true}\ntime: {duration_s: 0.2, step_ms: 5}\n",
      vertices, places_mm[start], m->limited);
  sim_scene scene;
  sim_play *play = NULL;
  LAB_TRY(sim_scene_parse(text, (size_t)n, "shirt", &scene, err));
  LAB_TRY(sim_play_new(&scene, &play, err));
  const double from_s = lab_cpu_s();
  while (sim_play_done(play) < sim_play_steps(play)) {
    LAB_TRY(sim_play_step(play, NULL, err));
    out->excess = fmax(out->excess, sim_play_value(play, "excess"));
    out->crossings = fmax(out->crossings, sim_play_value(play, "crossings"));
    out->sunk_m = fmax(out->sunk_m, sim_play_value(play, "sunk_m"));
  }
  out->cpu_s += (lab_cpu_s() - from_s) / sim_play_steps(play) / starts;
  out->thread =
      fmax(out->thread, fmax(sim_play_value(play, "warp_most"), sim_play_value(play, "weft_most")) - 1);
  out->any = fmax(out->any, sim_play_value(play, "any_most") - 1);
  out->depth_m[start] = sim_play_value(play, "wrinkle_depth_m");
  sim_play_free(play);
  sim_scene_clear(&scene);
}

static void print_one(const method *m, const outcome *o, int starts, bool json, bool last) {
  double mean = 0, square = 0;
  for (int k = 0; k < starts; k++) mean += o->depth_m[k] / starts;
  for (int k = 0; k < starts; k++) square += (o->depth_m[k] - mean) * (o->depth_m[k] - mean);
  const double scatter = starts > 1 ? sqrt(square / (starts - 1)) : 0;
  printf(json ? "    {\"method\": \"%s\", \"thread_strain\": %.5g, \"any_strain\": %.5g, \"excess\": %.3g, "
                "\"crossings\": %g, \"sunk_mm\": %.3g, \"wrinkles_mm\": %.4g, \"scatter_mm\": %.2g, "
                "\"cpu_s\": %.3g}"
              : "%-14s threads %.4f any %.4f excess %.5f crossings %g sunk %.3f mm wrinkles %.3f mm +- %.3f, "
                "%.2f s a step",
         m->name, o->thread, o->any, o->excess, o->crossings, 1e3 * o->sunk_m, 1e3 * mean, 1e3 * scatter,
         o->cpu_s);
  printf(json && !last ? ",\n" : "\n");
}

int main(int argc, char **argv) {
  int vertices = 2000, starts = STARTS;
  bool json = false;
  for (int k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0)
      json = true;
    else if (strcmp(argv[k], "--vertices") == 0 && k + 1 < argc)
      vertices = atoi(argv[++k]);
    else if (strcmp(argv[k], "--starts") == 0 && k + 1 < argc)
      starts = atoi(argv[++k]);
    else
      lab_die("usage: bench_shirt [--vertices 2000] [--starts 5] [--json]");
  }
  if (starts < 1 || starts > STARTS) lab_die("bench_shirt: starts: 1 to 5 were wanted");
  if (json) printf("{\n  \"rows\": [\n");
  for (size_t m = 0; m < METHODS; m++) {
    outcome o = {.cpu_s = 0};
    for (int k = 0; k < starts; k++) play_one(&methods[m], vertices, k, starts, &o);
    print_one(&methods[m], &o, starts, json, m + 1 == METHODS);
  }
  if (json) printf("  ]\n}\n");
  return 0;
}
