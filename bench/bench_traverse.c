/* The traversal's proof. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_lab.h"
#include "traverse_pillows.h"
#include "traverse_proof.h"

int main(int argc, char **argv) {
  int64_t each = argc > 1 ? atoll(argv[1]) : 100000;
  proof_counts sum = {0};
  pillows_result r;
  pillows_run(500, &r);
  double n = (double)r.walk.points;
  printf("pillows: %d + %d triangles, %d vertices; reach %.2f to %.2f mm; triangles %.3f (crossed %.3f) of %.2f; near %.3f; walk %.1f ns, all %.1f ns, ratio %.2f; surface %.2f ms; compared %ld wrong %ld restarts %ld\n",
  r.cloth_triangles, r.body_triangles, r.cloth_vertices, 1e3*r.reach_m[0], 1e3*r.reach_m[1], (double)(r.walk.crossed + r.walk.measured)/n, (double)r.walk.crossed/n, (double)r.all.measured/n, (double)r.walk.near/n, 1e9*r.walk_s/r.cloth_vertices, 1e9*r.all_s/r.cloth_vertices, r.all_s/r.walk_s, 1e3*r.surface_s, (long)r.compared, (long)r.wrong, (long)r.walk.restarts);
  if (argc > 2) return 0;
  for (int i = 0; i < BODY_KINDS * PROOF_MOTIONS * 2; i++) {
    proof_case c = {(body_kind)(i / 8), i % 2, (proof_motion)(i / 2 % 4), (uint64_t)i + 1};
    proof_counts k = {0};
    double from = cb_now_monotonic_s();
    proof_run(&c, each, &k);
    printf("%-8s %-7s %d steps %ld within %ld wrong %ld missed %ld shorter %ld sampled %ld wrong %ld doubted %ld  tri %.2f of %.2f  restarts %ld %.2f us\n", body_kind_names[c.kind], proof_motion_names[c.motion], c.inside_out,
           (long)k.vertex_steps, (long)k.within, (long)k.wrong_signs, (long)k.missed, (long)k.shorter, (long)k.sampled, (long)k.sampled_wrong, (long)k.doubted,
           (double)(k.walk.crossed + k.walk.measured) / (double)k.vertex_steps, (double)k.all.measured / (double)k.vertex_steps, (long)k.walk.restarts, 1e6*(cb_now_monotonic_s() - from) / (double)k.vertex_steps);
  }
  (void)sum;
  return 0;
}
