/* wave FRAMES.show PAGE.html: 100 frames of a sheet of 20 000 vertices in closed form, and their page. Waves
 * of several lengths travel over a sheet that falls onto a ball's height; five channels come with it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show_frames.h"
#include "show_view.h"

#define ACROSS 142 /* 142 x 141 = 20 022 */
#define ALONG 141
#define N (ACROSS * ALONG)
#define FRAMES 100

static float at[N][3], channel[5][N];
static int triangle[2 * N][3];

static int make_triangles(void) {
  int n = 0;
  for (int v = 0; v < N; v++) {
    if (v % ACROSS == ACROSS - 1 || v / ACROSS == ALONG - 1) continue;
    const int two[2][3] = {{v, v + 1, v + ACROSS}, {v + 1, v + ACROSS + 1, v + ACROSS}};
    memcpy(triangle[n], two, sizeof two);
    n += 2;
  }
  return n;
}

static void make_places(double t) {
  for (int v = 0; v < N; v++) {
    const double x = (double)(v % ACROSS) / (ACROSS - 1) - 0.5, y = (double)(v / ACROSS) / (ALONG - 1) - 0.5,
                 r2 = x * x + y * y, amount = 1 - exp(-3 * t);
    const double fold = 0.05 * sin(8 * atan2(y, x) + 2 * t) * r2 * 4 * amount,
                 ripple = 0.006 * sin(60 * x + 9 * t) * cos(47 * y - 7 * t);
    at[v][0] = (float)(x * (1 - 0.35 * r2 * amount + fold));
    at[v][1] = (float)(y * (1 - 0.35 * r2 * amount + fold));
    at[v][2] = (float)(0.6 - 1.1 * r2 * amount + fold + ripple);
    channel[0][v] = at[v][2];
    channel[1][v] = (float)ripple;
    channel[2][v] = (float)fold;
    channel[3][v] = (float)(fold > 0.02 ? 100 * fold : 0);
    channel[4][v] = (float)(3 * exp(-3 * t) * r2 + fabs(ripple));
  }
}

int main(int argc, char **argv) {
  static const char *const names[] = {"height", "ripple", "fold", "pressure", "speed"};
  static show_frame f;
  cb_err err = {""};
  if (argc != 3) return 2;
  cb_status st = show_frames_new(argv[1], "{\"scene\": \"wave\", \"program\": \"closed form\"}", &err);
  for (int k = 0; st == CB_OK && k < FRAMES; k++) {
    make_places(0.02 * k);
    memset(&f, 0, sizeof f);
    f.time_s = 0.02 * k;
    f.n_surfaces = 1;
    show_surface *s = &f.surface[0];
    *s = (show_surface){.name = "cloth",
                        .cloth = true,
                        .colour = {0.075F, 0.20F, 0.43F},
                        .n_vertices = N,
                        .n_triangles = make_triangles(),
                        .n_channels = 5,
                        .position_m = at,
                        .triangle = triangle};
    for (int c = 0; c < 5; c++) {
      s->channel[c] = (show_channel){.unit = "m", .value = channel[c]};
      (void)snprintf(s->channel[c].name, sizeof s->channel[c].name, "%s", names[c]);
    }
    st = show_frames_add(argv[1], &f, &err);
  }
  if (st == CB_OK) st = show_view_write(&(show_view){.frames = argv[1]}, argv[2], &err);
  if (st != CB_OK) fprintf(stderr, "%s\n", err.msg);
  return st == CB_OK ? 0 : 1;
}
