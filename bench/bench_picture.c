/* What a picture costs: a draped disc of about N vertices over a ball on the ground, 1000 x 1000 pixels.
 *   bench_picture [VERTICES] [FILE.png]   without FILE the picture is thrown away */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cb_time.h"
#include "sim_mesh.h"
#include "sim_picture_draw.h"

/* Flat over a support of 9 cm, then down in seven folds that open towards the hem. */
static void drape(const sim_mesh *m, double (*x)[3]) {
  for (int i = 0; i < m->n_vertices; i++) {
    double rho = hypot(m->position_m[i][0], m->position_m[i][1]),
           phi = atan2(m->position_m[i][1], m->position_m[i][0]);
    double hangs = fmax(0, rho - 0.09), fold = hangs * (0.42 + 0.3 * cos(7 * phi) * fmin(1, hangs / 0.04));
    double r = fmin(rho, 0.09) + fold, down = sqrt(fmax(0, hangs * hangs - fold * fold));
    x[i][0] = r * cos(phi);
    x[i][1] = r * sin(phi);
    x[i][2] = 0.12 - down;
  }
}

static int run(int vertices, const char *path, cb_err *err) {
  const sim_disc disc = {.n_circles = 2,
                         .circle = {{0, 0.01}, {0.18, 0.01}},
                         .pattern = SIM_PATTERN_IRREGULAR,
                         .about_vertices = vertices};
  const sim_body bodies[] = {
      {.shape = SIM_SPHERE, .origin_m = {0, 0, 0.059}, .axis = {0, 0, 1}, .radius_m = 0.059},
      {.shape = SIM_PLANE, .axis = {0, 0, 1}}};
  sim_view view = sim_view_default();
  sim_frame frame = {0};
  sim_mesh mesh;
  cb_status st = sim_mesh_disc(&disc, &mesh, err);
  if (st == CB_OK) st = sim_frame_init(&mesh, &frame, err);
  if (st == CB_OK) {
    drape(&mesh, frame.position_m);
    double best = INFINITY;
    for (int k = 0; k < 5 && st == CB_OK; k++) {
      double start = cb_now_monotonic_s();
      st = sim_picture_of_frame(&frame, bodies, 2, &view, path, err);
      best = fmin(best, cb_now_monotonic_s() - start);
    }
    printf("%d vertices, %d x %d pixels: %.3f s, the file included (best of 5)\n", mesh.n_vertices,
           view.width_px, view.height_px, best);
  }
  sim_frame_clear(&frame);
  sim_mesh_clear(&mesh);
  return st == CB_OK ? 0 : 1;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  char thrown_away[64];
  (void)snprintf(thrown_away, sizeof thrown_away, "/tmp/bench_picture.%ld.png", (long)getpid());
  int code = run(argc > 1 ? atoi(argv[1]) : 80000, argc > 2 ? argv[2] : thrown_away, &err);
  if (argc <= 2) (void)unlink(thrown_away);
  if (code) fprintf(stderr, "bench_picture: %s\n", err.msg);
  return code;
}
