/* The closest points of a cloth on a body (sim_traverse.h): are their signs right, and what do they cost?
 *   ./run bench traverse [--vertex-steps 100000000] [--pillow-steps 500] [--json]
 * First many vertex-steps on hard bodies against exhaustive search, a part of them against all triangles and
 * the winding number; then three pillows, both modes on the same states. Minutes. Exit code 1: a sign was
 * wrong. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_lab.h"
#include "cb_num.h"
#include "traverse_pillows.h"
#include "traverse_proof.h"

typedef struct options {
  double vertex_steps;
  int pillow_steps;
  bool json;
} options;

static void add(proof_counts *sum, const proof_counts *c) {
  sum->vertex_steps += c->vertex_steps;
  sum->within += c->within;
  sum->wrong_signs += c->wrong_signs;
  sum->missed += c->missed;
  sum->shorter += c->shorter;
  sum->sampled += c->sampled;
  sum->sampled_wrong += c->sampled_wrong;
  sum->doubted += c->doubted;
  sum->walk.crossed += c->walk.crossed;
  sum->walk.measured += c->walk.measured;
  sum->walk.restarts += c->walk.restarts;
  sum->all.measured += c->all.measured;
}

static bool wrong(const proof_counts *c) {
  return c->wrong_signs + c->missed + c->shorter + c->sampled_wrong + c->doubted > 0;
}

static void print_row(const char *of, const char *motion, const proof_counts *c) {
  double n = (double)c->vertex_steps;
  printf("%-8s %-7s %12.0f %12.0f %6.0f %6.0f %7.0f %8.0f %6.0f %9.2f %10.2f %10.0f\n", of, motion, n,
         (double)c->within, (double)c->wrong_signs, (double)c->missed, (double)c->shorter, (double)c->sampled,
         (double)(c->sampled_wrong + c->doubted), (double)(c->walk.crossed + c->walk.measured) / n,
         (double)c->all.measured / n, (double)c->walk.restarts);
}

/* Both orientations of every body, every motion. */
static proof_counts prove(const options *o) {
  const int cases = PROOF_CASES;
  proof_counts sum = {0}, row = {0};
  double begin = cb_now_monotonic_s();
  if (!o->json)
    printf(
        "body     motion  vertex-steps within reach  wrong missed shorter  sampled  wrong triangles "
        "exhaustive   restarts\n");
  for (int i = 0; i < cases; i++) {
    proof_case c = proof_case_of(i);
    proof_run(&c, (int64_t)(o->vertex_steps / cases), &row);
    if (c.inside_out) {
      if (!o->json) print_row(body_kind_names[c.kind], proof_motion_names[c.motion], &row);
      add(&sum, &row);
      row = (proof_counts){0};
    }
    double spent = cb_now_monotonic_s() - begin;
    (void)fprintf(stderr, "\r%3d %%, %.0f s left   ", 100 * (i + 1) / cases,
                  spent * (cases - i - 1) / (i + 1));
  }
  (void)fprintf(stderr, "\r%30s\r", "");
  if (!o->json) print_row("all", "", &sum);
  return sum;
}

static void print_pillows(const pillows_result *r) {
  double n = (double)r->walk.points, near = (double)r->near_points;
  printf(
      "\nthree pillows: %d triangles of cases and %d of bodies, %d vertices, %d steps of 1 ms, reach %.1f to "
      "%.1f mm\n",
      r->cloth_triangles, r->body_triangles, r->cloth_vertices, r->steps, 1e3 * r->reach_m[0],
      1e3 * r->reach_m[1]);
  printf(
      "  triangles per vertex and step %.3f (crossed %.3f, measured %.3f); of vertices with any within reach "
      "(%.1f %%) %.3f\n",
      (double)(r->walk.crossed + r->walk.measured) / n, (double)r->walk.crossed / n,
      (double)r->walk.measured / n, 100 * near / (double)r->near_of, (double)r->near_triangles / near);
  printf("  exhaustive: %.2f triangles; restarts %.0f; wrong signs %.0f of %.0f\n",
         (double)r->all.measured / n, (double)r->walk.restarts, (double)r->wrong, (double)r->compared);
  printf("  CPU per step: surface %.2f ms, traversal %.2f ms, exhaustive %.2f ms: %.2f times as fast\n",
         1e3 * r->surface_s, 1e3 * r->walk_s, 1e3 * r->all_s, r->all_s / r->walk_s);
}

static void print_json(const proof_counts *c, const pillows_result *r) {
  double n = (double)r->walk.points;
  printf(
      "{\"traversal\": {\"triangles_per_vertex_step\": %.17g, \"triangles_per_near_vertex_step\": %.17g, "
      "\"exhaustive_triangles_per_vertex_step\": %.17g, \"speedup_over_exhaustive\": %.17g, \"surface_s\": "
      "%.17g, \"traverse_s\": %.17g, "
      "\"exhaustive_s\": %.17g, ",
      (double)(r->walk.crossed + r->walk.measured) / n, (double)r->near_triangles / (double)r->near_points,
      (double)r->all.measured / n, r->all_s / r->walk_s, r->surface_s, r->walk_s, r->all_s);
  printf(
      "\"vertex_steps\": %lld, \"within_reach\": %lld, \"wrong_signs\": %lld, \"missed\": %lld, \"sampled\": "
      "%lld, \"sampled_wrong\": "
      "%lld, "
      "\"restarts\": %lld}}\n",
      (long long)c->vertex_steps, (long long)c->within, (long long)(c->wrong_signs + r->wrong),
      (long long)c->missed, (long long)c->sampled, (long long)(c->sampled_wrong + c->doubted),
      (long long)c->walk.restarts);
}

int main(int argc, char **argv) {
  options o = {1e8, 500, false};
  for (int i = 1; i < argc; i++) {
    if (i + 1 < argc && strcmp(argv[i], "--vertex-steps") == 0)
      o.vertex_steps = atof(argv[++i]);
    else if (i + 1 < argc && strcmp(argv[i], "--pillow-steps") == 0)
      o.pillow_steps = atoi(argv[++i]);
    else if (strcmp(argv[i], "--json") == 0)
      o.json = true;
    else
      lab_die("usage: bench_traverse [--vertex-steps N] [--pillow-steps N] [--json]");
  }
  if (!(o.vertex_steps >= 1) || o.vertex_steps > 1e12 || o.pillow_steps < 1 ||
      o.pillow_steps > PILLOWS_STEPS_MOST)
    lab_die("vertex-steps must be 1 to 1e12, pillow-steps 1 to 5000");
  pillows_result r;
  proof_counts sum = prove(&o);
  pillows_run(o.pillow_steps, &r);
  if (o.json)
    print_json(&sum, &r);
  else
    print_pillows(&r);
  return wrong(&sum) || r.wrong > 0;
}
