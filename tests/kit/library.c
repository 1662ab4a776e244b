/* The whole chain by the library alone: library LAB.db SCENE.yaml. It fits a pair, predicts a force, judges a
 * slide and plays a drape. test_demo runs it. */
#include <clothbench.h>
#include <stdio.h>

static clothbench_status judge_pair(clothbench_database *lab, clothbench_error *error) {
  clothbench_law *law = NULL;
  clothbench_verdict verdict;
  double force_N, low_N, high_N;
  const clothbench_band band = {.value = &force_N, .low = &low_N, .high = &high_N};
  clothbench_status st = clothbench_fit(lab, CLOTHBENCH_KINETIC, "Demo Twill", "Demo Foam", error);
  if (!st) st = clothbench_law_find(lab, CLOTHBENCH_KINETIC, "Demo Twill", "Demo Foam", &law, error);
  if (!st) st = clothbench_friction_force(law, 1, (double[]){30}, (double[]){1}, &band, error);
  if (!st) printf("predicted %.4f N (95 %%: %.4f to %.4f N)\n", force_N, low_N, high_N);
  clothbench_law_free(law);
  if (!st) st = clothbench_judge_slide(lab, 0, &verdict, error);
  if (!st) printf("slide: %s, |E_n| at most %.2f\n", verdict.pass ? "pass" : "fail", verdict.worst_en);
  return st;
}

static clothbench_status play_drape(const char *path, clothbench_error *error) {
  clothbench_scene *scene;
  clothbench_status st = clothbench_scene_open(path, NULL, &scene, error);
  while (!st && clothbench_scene_done(scene) < clothbench_scene_steps(scene))
    st = clothbench_scene_step(scene, error);
  if (!st) printf("drape: %d steps to %g s\n", clothbench_scene_done(scene), clothbench_scene_time_s(scene));
  clothbench_scene_free(scene);
  return st;
}

int main(int argc, char **argv) {
  clothbench_error error;
  clothbench_database *lab = NULL;
  clothbench_status st = argc == 3 ? clothbench_open(argv[1], true, &lab, &error) : 2;
  if (!st) st = judge_pair(lab, &error);
  if (!st) st = play_drape(argv[2], &error);
  if (st < 0) (void)fprintf(stderr, "%s\n", error.message);
  return clothbench_close(lab, NULL) || st;
}
