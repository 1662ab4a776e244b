/* What a frame of a curtain costs: one step of 1/60 s and the places of all vertices, folds included.
 *
 *   bench_curtain [--json]
 *   bench_curtain --count [--json]   instructions per frame and node instead of times: by valgrind, of the
 * frames from FIRST to LAST; its processor has no AVX-512
 *
 * The flag and the curtain of Cheng and others (SGI 320, 1999 or later): 240 vertices in 0.5 ms, 1760 in 10
 * ms, drawing included. Flag: 16 columns of 15 nodes, no folds. Curtain: 10 columns of 32 nodes with folds of
 * 6 segments, which are 1760 vertices; and, as the harder reading, 40 columns of 44 nodes, whose 10340
 * vertices have 1760 in the first layer. Big: 500 thousand vertices with folds. Everything of sim_curtain.h
 * is on (wind through the cloth, turbulence, damping by place and speed, pulls, self-collision) but bodies,
 * which have a line of their own, as has the cloth that may cross itself. At the end, crossings in the
 * scenes. Processor time, median and least of 41 runs of frames; the big one by the clock, on all threads. */
#include <omp.h>

#include "bench_lab.h"
#include "sim_curtain.h"
#include "sim_play.h"
#include "sim_self.h"

#define DT_S (1.0 / 60)
#define RUNS 41
#define FIRST 300
#define LAST 900
#define PLAYED 600 /* frames for the stretch, of which the first half is the start */

typedef struct cost {
  const char *name;
  sim_curtain_setup setup;
  int frames; /* of a run */
  int vertices, first_layer;
  double least_s, median_s, clock_s, mean_stretch, worst_stretch;
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
                              .eddy_m = 0.15,
                              .turbulence_m_per_s = 6,
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
                              .eddy_m = 0.15,
                              .turbulence_m_per_s = 1,
                              .seed = 1};
  return s;
}

/* Of the worst edge, over the frames after the start. */
static void stretch_of(cost *k) {
  sim_curtain *c;
  LAB_TRY(sim_curtain_new(&k->setup, &c, err));
  for (int i = 0; i < PLAYED; i++) {
    sim_curtain_report r;
    LAB_TRY(sim_curtain_step(c, DT_S, &r, err));
    if (i < PLAYED / 2) continue;
    k->mean_stretch += r.stretch / (PLAYED - PLAYED / 2);
    k->worst_stretch = fmax(k->worst_stretch, r.stretch);
  }
  sim_curtain_free(c);
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
  }
  k->median_s = median(cpu, RUNS);
  k->least_s = cpu[0];
  k->clock_s = median(wall, RUNS);
  free(place);
  sim_curtain_free(c);
  stretch_of(k);
}

static void print(const cost *k, bool json, const char *more) {
  if (json)
    printf(
        "    \"%s_us_per_frame\": %.6g, \"%s_least_us\": %.6g, \"%s_frames_per_s\": %.6g, \"%s_vertices\": "
        "%d, \"%s_stretch\": %.6g, "
        "\"%s_worst_stretch\": %.6g%s\n",
        k->name, 1e6 * k->median_s, k->name, 1e6 * k->least_s, k->name, 1 / k->clock_s, k->name, k->vertices,
        k->name, k->mean_stretch, k->name, k->worst_stretch, more);
  else
    printf(
        "%-20s %7d vertices, %6d in the first layer: %8.2f us per frame (least %.2f), %.0f frames/s; stretch "
        "%.4f (worst %.3f)\n",
        k->name, k->vertices, k->first_layer, 1e6 * k->median_s, 1e6 * k->least_s, 1 / k->clock_s,
        k->mean_stretch, k->worst_stretch);
}

static sim_curtain_setup with_pulls(sim_curtain_setup s, int pulls) {
  s.pulls = pulls;
  return s;
}

static sim_curtain_setup without_self(sim_curtain_setup s) {
  s.self_collision = false;
  return s;
}

static sim_curtain_setup with_ball(sim_curtain_setup s, const sim_body *ball) {
  s.body = ball;
  s.n_bodies = 1;
  return s;
}

/* A mesh of what the play shows: its own places, flat by rows. */
static void mesh_of(const sim_drawn *d, sim_mesh *out) {
  const int width = d->triangle[0][1] - d->triangle[0][0];
  double(*flat)[3][2] = calloc((size_t)d->n_triangles, sizeof *flat);
  if (!flat) lab_die("out of memory");
  for (int i = 0; i < 3 * d->n_triangles; i++) {
    flat[i / 3][i % 3][0] = 0.01 * (d->triangle[i / 3][i % 3] % width);
    flat[i / 3][i % 3][1] = -0.01 * (d->triangle[i / 3][i % 3] / width);
  }
  LAB_TRY(sim_mesh_build(d->position_m, d->n_vertices, d->triangle, (const double(*)[3][2])flat,
                         d->n_triangles, out, err));
  free(flat);
}

/* Pairs of triangles that cross, summed over every tenth frame of a minute of a scene. */
static int crossings_of(const char *path) {
  static sim_scene scene;
  sim_play *play;
  sim_self *self;
  sim_mesh mesh;
  sim_drawn d[SIM_PLAY_SURFACES] = {{0}};
  int sum = 0;
  LAB_TRY(sim_scene_load(path, &scene, err));
  scene.duration_s = 60;
  LAB_TRY(sim_play_new(&scene, &play, err));
  (void)sim_play_surfaces(play, d);
  mesh_of(d, &mesh);
  const sim_mesh *one = &mesh;
  const sim_self_options opt = {.thickness_m = 1e-3, .rounds = 1};
  LAB_TRY(sim_self_new(&one, NULL, 1, &opt, &self, err));
  for (int i = 1; i <= sim_play_steps(play); i++) {
    LAB_TRY(sim_play_step(play, NULL, err));
    if (i % 10) continue;
    (void)sim_play_surfaces(play, d);
    sum += sim_self_crossings(self, d->position_m);
  }
  sim_self_free(self);
  sim_mesh_clear(&mesh);
  sim_play_free(play);
  sim_scene_clear(&scene);
  return sum;
}

static void print_crossings(bool json) {
  static const char *const names[] = {"flag", "curtain", "curtain_drag"};
  for (int i = 0; i < 3; i++) {
    char path[1000];
    (void)snprintf(path, sizeof path, CB_SOURCE_DIR "/scenes/%s.yaml", names[i]);
    const int n = crossings_of(path);
    if (json)
      printf("    \"%s_crossings\": %d%s\n", names[i], n, i < 2 ? "," : "");
    else
      printf("scenes/%s.yaml, 60 s: %d pairs of triangles cross in 360 frames\n", names[i], n);
  }
}

/* ---- instructions ---- */

static void play_frames(const sim_curtain_setup *setup, int frames) {
  sim_curtain *c;
  LAB_TRY(sim_curtain_new(setup, &c, err));
  double(*place)[3] = calloc((size_t)sim_curtain_vertices(c), sizeof *place);
  if (!place) lab_die("out of memory");
  for (int i = 0; i < frames; i++) {
    LAB_TRY(sim_curtain_step(c, DT_S, NULL, err));
    sim_curtain_places(c, place);
  }
  free(place);
  sim_curtain_free(c);
}

/* Of this program with --play NAME FRAMES. */
static double instructions_of(const char *name, int frames) {
  char line[400];
  double n = -1;
  (void)snprintf(line, sizeof line,
                 "OMP_NUM_THREADS=1 valgrind --tool=callgrind --callgrind-out-file=/dev/null /proc/%d/exe "
                 "--play %s %d 2>&1",
                 (int)getpid(), name, frames);
  FILE *from = popen(line, "r");
  while (from && fgets(line, sizeof line, from)) {
    const char *at = strstr(line, "Collected : ");
    if (at) n = atof(at + strlen("Collected : "));
  }
  if (!from || pclose(from) != 0 || n < 0) lab_die("valgrind is wanted, and does not count");
  return n;
}

static void count(const cost *k, bool json, const char *more) {
  sim_curtain *c;
  LAB_TRY(sim_curtain_new(&k->setup, &c, err));
  const int nodes = sim_curtain_vertices(c);
  sim_curtain_free(c);
  const double n = (instructions_of(k->name, LAST) - instructions_of(k->name, FIRST)) / (LAST - FIRST);
  printf(json ? "  \"%s\": {\"instructions_per_frame\": %.6g, \"per_node\": %.4g, \"nodes\": %d}%s\n"
              : "%-22s %9.0f instructions per frame, %5.0f per node of %d%s\n",
         k->name, n, n / nodes, nodes, json ? more : "");
}

static int play_named(const cost *all, int n, const char *name, int frames) {
  for (int i = 0; i < n; i++)
    if (strcmp(all[i].name, name) == 0) play_frames(&all[i].setup, frames);
  return 0;
}

static int count_all(const cost *all, bool json) {
  static const int counted[] = {0, 1, 5, 7}; /* flag and curtain, with and without self-collision */
  if (json) printf("{\n");
  for (int i = 0; i < 4; i++) count(&all[counted[i]], json, i < 3 ? "," : "");
  if (json) printf("}\n");
  return 0;
}

int main(int argc, char **argv) {
  const bool json = argc > 1 && strcmp(argv[argc - 1], "--json") == 0;
  const bool counting = argc > 1 && strcmp(argv[1], "--count") == 0;
  const bool playing = argc == 4 && strcmp(argv[1], "--play") == 0;
  const sim_body ball = {
      .shape = SIM_SPHERE, .origin_m = {0.6, 0.4, -1.2}, .axis = {0, 0, 1}, .radius_m = 0.2};
  if (!playing && argc > 1 + json + counting) lab_die("usage: bench_curtain [--count] [--json]");
  const sim_curtain_setup flag = flag_setup(), curtain = curtain_setup(10, 32, 6);
  cost all[] = {{.name = "flag_240", .setup = flag, .frames = 600},
                {.name = "flag_240_crossing", .setup = without_self(flag), .frames = 600},
                {.name = "flag_240_pulls_1", .setup = with_pulls(flag, 1), .frames = 600},
                {.name = "flag_240_pulls_4", .setup = with_pulls(flag, 4), .frames = 600},
                {.name = "flag_240_pulls_8", .setup = with_pulls(flag, 8), .frames = 600},
                {.name = "curtain_1760", .setup = curtain, .frames = 300},
                {.name = "curtain_1760_ball", .setup = with_ball(curtain, &ball), .frames = 100},
                {.name = "curtain_1760_crossing", .setup = without_self(curtain), .frames = 300},
                {.name = "curtain_1760_nodes", .setup = curtain_setup(40, 44, 6), .frames = 100},
                {.name = "curtain_500k", .setup = with_pulls(curtain_setup(126, 668, 6), 4), .frames = 1}};
  const int n = sizeof all / sizeof *all;
  if (playing) return play_named(all, n, argv[2], atoi(argv[3]));
  if (counting) return count_all(all, json);
  if (json) printf("{\n  \"curtain\": {\n");
  for (int i = 0; i < n; i++) {
    measure(&all[i]);
    print(&all[i], json, ",");
  }
  print_crossings(json);
  if (json) printf("  }\n}\n");
  return 0;
}
