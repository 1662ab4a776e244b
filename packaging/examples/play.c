/* A scene played to its end: time, and where the lowest vertex of the cloth comes to lie.
 *
 *   cc play.c $(pkg-config --cflags --libs clothbench) -o play
 *   ./play /usr/share/clothbench/scenes/drop.yaml */
#include <math.h>
#include <stdio.h>

#include "sim_cloth.h"
#include "sim_play.h"

static double lowest_m(const sim_play *play) {
  const sim_mesh *mesh = sim_play_mesh(play);
  double(*x)[3] = sim_cloth_position(sim_play_cloth(play));
  double least = INFINITY;
  for (int i = 0; i < mesh->n_vertices; i++) least = fmin(least, x[i][2]);
  return least;
}

static cb_status play_scene(const char *path, cb_err *err) {
  static sim_scene scene;
  sim_play *play = NULL;
  CB_TRY(sim_scene_load(path, &scene, err));
  cb_status st = sim_play_new(&scene, &play, err);
  while (st == CB_OK && sim_play_done(play) < sim_play_steps(play)) st = sim_play_step(play, NULL, err);
  if (st == CB_OK)
    printf("%s: %g s in %d steps, lowest vertex at %.1f mm\n", scene.name, sim_play_time(play),
           sim_play_done(play), 1e3 * lowest_m(play));
  sim_play_free(play);
  return st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  if (argc != 2) {
    (void)fprintf(stderr, "usage: play SCENE.yaml\n");
    return 2;
  }
  if (play_scene(argv[1], &err) == CB_OK) return 0;
  (void)fprintf(stderr, "play: %s\n", err.msg);
  return 1;
}
