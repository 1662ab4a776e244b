/* The traversal's proof. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_lab.h"
#include "traverse_proof.h"

int main(int argc, char **argv) {
  int64_t each = argc > 1 ? atoll(argv[1]) : 100000;
  proof_counts sum = {0};
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
