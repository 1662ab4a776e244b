/* The other models of cloth in one table, beside what their papers say and what we want.
 *
 *   bench_systems [--json]
 *
 * Runs bench_curtain, bench_fluid, bench_limit, bench_remesh and bench_particles one after the other and
 * reads their JSON; --json prints all of it as one document. Papers: docs/method/curtain.md,
 * docs/method/fluid.md, docs/method/strain-limiting.md, docs/method/conditions.md. */
#include <jansson.h>
#include <libgen.h>

#include "bench_lab.h"

#define LONGEST 4096
#define TEXT_BYTES (1 << 20)

static const char *const benches[] = {"curtain", "fluid", "limit", "remesh", "particles"};
#define BENCHES (sizeof benches / sizeof *benches)

typedef struct row {
  const char *path, *what, *paper, *wanted;
} row;

static const row rows[] = {
    {"curtain.flag_240_us_per_frame", "flag of 240 vertices [us per frame]", "500 (SGI 320)", "<= 5"},
    {"curtain.curtain_1760_us_per_frame", "curtain of 1760 vertices [us per frame]", "10000 (SGI 320)",
     "<= 40"},
    {"curtain.curtain_500k_frames_per_s", "curtain of 500 K vertices [frames/s]", "-", ">= 30"},
    {"curtain.curtain_1760_worst_stretch", "its widest place over the cloth's width", "-", "-"},
    {"fluid.fps_65k", "65 K particles and cloth [steps/s]", "37 (GTX 750 Ti)", ">= 37"},
    {"fluid.fps_45k", "45 K particles and cloth [steps/s]", "37 (GTX 750 Ti)", ">= 50"},
    {"fluid.leaked_particles", "particles through whole cloth", "none seen", "0"},
    {"fluid.density_error_rel", "density too high, mean", "-", "< 0.01"},
    {"strain_limiting.max_excess_rel", "strain beyond its limit", "-", "<= 0.001"},
    {"strain_limiting.ms_per_projection", "a projection [ms]", "-", "-"},
    {"remeshing.drape_difference_rel", "drape coefficient, remeshed against fine", "-", "<= 0.01"},
    {"remeshing.cost_ratio", "cost, remeshed over fine", "-", "<= 0.25"},
    {"nonlinear.sag.0.sag_mm", "sag at the pins, lambda 0 [mm]", "falls", "falls"},
    {"nonlinear.sag.1.sag_mm", "sag at the pins, lambda 1600 [mm]", "falls", "falls"},
    {"nonlinear.sag.2.sag_mm", "sag at the pins, lambda 51200 [mm]", "falls", "falls"},
    {"nonlinear.sag.3.sag_mm", "sag at the pins, lambda 204800 [mm]", "falls", "falls"},
    {"nonlinear.linear_20.step_ms", "its step, 441 particles [ms]", "-", "-"},
};

static json_t *run(const char *folder, const char *name) {
  static char text[TEXT_BYTES];
  char command[LONGEST];
  json_error_t error;
  fprintf(stderr, "bench_%s ...\n", name);
  (void)snprintf(command, sizeof command, "'%s/bench_%s' --json", folder, name);
  FILE *out = popen(command, "r");
  if (!out) lab_die("a bench could not be started");
  const size_t n = fread(text, 1, sizeof text, out);
  if (pclose(out) != 0 || n == sizeof text) lab_die("a bench failed");
  json_t *doc = json_loadb(text, n, 0, &error);
  if (!doc) lab_die(error.text);
  return doc;
}

/* "a.b.0.c": objects by key, lists by number. */
static const json_t *find(const json_t *at, const char *path) {
  while (at && *path) {
    char key[64];
    const size_t n = strcspn(path, ".");
    (void)snprintf(key, sizeof key, "%.*s", (int)n, path);
    at = json_is_array(at) ? json_array_get(at, strtoul(key, NULL, 10)) : json_object_get(at, key);
    path += n + (path[n] == '.');
  }
  return at;
}

static void print_table(const json_t *all) {
  printf("%-44s %16s %12s %12s\n", "what", "paper", "wanted", "measured");
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const json_t *v = find(all, rows[k].path);
    if (!json_is_number(v)) lab_die(rows[k].path);
    printf("%-44s %16s %12s %12.4g\n", rows[k].what, rows[k].paper, rows[k].wanted, json_number_value(v));
  }
}

int main(int argc, char **argv) {
  const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
  char self[LONGEST];
  if (argc > 1 && !json) lab_die("usage: bench_systems [--json]");
  (void)snprintf(self, sizeof self, "%s", argv[0]);
  const char *folder = dirname(self);
  json_t *all = json_object();
  for (size_t k = 0; k < BENCHES; k++) {
    json_t *one = run(folder, benches[k]);
    if (json_object_update(all, one) != 0) lab_die("out of memory");
    json_decref(one);
  }
  if (json) {
    (void)json_dumpf(all, stdout, JSON_INDENT(2));
    printf("\n");
  } else {
    print_table(all);
  }
  json_decref(all);
  return 0;
}
