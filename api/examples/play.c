/* A scene played to its end: time, and where the lowest vertex of the cloth comes to lie.
 *
 *   cc play.c $(pkg-config --cflags --libs clothbench) -o play
 *   ./play /usr/share/clothbench/scenes/drop.yaml */
#include <clothbench.h>
#include <stdio.h>

static double lowest_m(const clothbench_surface *s) {
  double least = s->position_m[2];
  for (int i = 1; i < s->n_vertices; i++)
    if (s->position_m[3 * i + 2] < least) least = s->position_m[3 * i + 2];
  return least;
}

int main(int argc, char **argv) {
  clothbench_error error = {""};
  clothbench_scene *scene = NULL;
  clothbench_surface cloth;
  if (argc != 2) return fprintf(stderr, "usage: play SCENE.yaml\n"), 2;
  clothbench_status st = clothbench_scene_open(argv[1], NULL, &scene, &error);
  while (st == CLOTHBENCH_OK && clothbench_scene_done(scene) < clothbench_scene_steps(scene))
    st = clothbench_scene_step(scene, &error);
  if (st == CLOTHBENCH_OK) st = clothbench_scene_surface(scene, 0, &cloth, &error);
  if (st == CLOTHBENCH_OK)
    printf("%s: %g s in %d steps, lowest vertex at %.1f mm\n", argv[1], clothbench_scene_time_s(scene),
           clothbench_scene_done(scene), 1e3 * lowest_m(&cloth));
  else
    (void)fprintf(stderr, "play: %s\n", error.message);
  clothbench_scene_free(scene);
  return st == CLOTHBENCH_OK ? 0 : 1;
}
