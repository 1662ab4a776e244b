/* A window without a screen (SDL's driver `dummy`): the mouse drags a node of the curtain; keys pause and
 * end; what is drawn is where the camera sees it. */
#include <SDL.h>
#include <stdlib.h>

#include "cbtest.h"
#include "win_impl.h"

static sim_scene scene;
static sim_play *play;
static win_window *shown;

static int open_window(void **state) {
  (void)state;
  (void)setenv("SDL_VIDEODRIVER", "dummy", 1);
  assert_ok(sim_scene_load("scenes/curtain_drag.yaml", &scene, err));
  scene.duration_s = 0.1; /* before its own hand takes hold; a window goes on */
  assert_ok(sim_play_new(&scene, &play, err));
  assert_ok(win_open(play, &scene, &shown, err));
  return 0;
}

static int close_window(void **state) {
  (void)state;
  win_close(shown);
  sim_play_free(play);
  sim_scene_clear(&scene);
  return 0;
}

static bool frames(win_window *w, int n) {
  bool open = true;
  for (int i = 0; i < n; i++) assert_ok(win_frame(w, &open, err));
  return open;
}

static void push(SDL_Event e) { assert_int_equal(SDL_PushEvent(&e), 1); }

static void push_button(bool down, int x, int y) {
  push((SDL_Event){.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                              .button = SDL_BUTTON_LEFT,
                              .state = down ? SDL_PRESSED : SDL_RELEASED,
                              .x = x,
                              .y = y}});
}

static void push_key(SDL_Keycode key) {
  push((SDL_Event){.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = key}}});
}

/* The vertex of the first layer that is nearest to a pixel. */
static int nearest(const win_camera *c, const sim_drawn *d, const double px[2]) {
  int best = 0;
  double least = INFINITY;
  for (int i = 0; i < d->n_vertices; i++) {
    double at[2], depth;
    win_camera_see(c, d->position_m[i], at, &depth);
    const double off = hypot(at[0] - px[0], at[1] - px[1]);
    if (i % 6 == 0 && off < least) least = off, best = i;
  }
  return best;
}

static win_camera camera_of_scene(void) {
  sim_drawn d[SIM_PLAY_SURFACES] = {{0}};
  win_camera c = {.azimuth_rad = scene.view.azimuth_rad,
                  .elevation_rad = scene.view.elevation_rad,
                  .zoom = 1,
                  .width_px = scene.view.width_px,
                  .height_px = scene.view.height_px};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  assert_int_equal(sim_play_surfaces(play, d), 1);
  for (int i = 0; i < 3 * d->n_vertices; i++) {
    low[i % 3] = fmin(low[i % 3], d->position_m[i / 3][i % 3]);
    high[i % 3] = fmax(high[i % 3], d->position_m[i / 3][i % 3]);
  }
  for (int k = 0; k < 3; k++) {
    c.middle_m[k] = (low[k] + high[k]) / 2;
    c.reach_m += (high[k] - low[k]) * (high[k] - low[k]) / 4;
  }
  c.reach_m = sqrt(c.reach_m);
  win_camera_aim(&c);
  return c;
}

static void test_drag(void **state) {
  (void)state;
  win_window *w = shown;
  sim_drawn d[SIM_PLAY_SURFACES] = {{0}};
  const win_camera c = camera_of_scene();
  const double from[2] = {0.35 * c.width_px, 0.7 * c.height_px}, to[2] = {from[0] - 40, from[1] - 20};
  assert_true(frames(w, 2));
  (void)sim_play_surfaces(play, d);
  const int node = nearest(&c, d, from);
  double before[2], after[2], depth;
  win_camera_see(&c, d->position_m[node], before, &depth);
  push_button(true, (int)from[0], (int)from[1]);
  push((SDL_Event){.motion = {.type = SDL_MOUSEMOTION, .x = (int)to[0], .y = (int)to[1]}});
  assert_true(frames(w, 40));
  (void)sim_play_surfaces(play, d);
  win_camera_see(&c, d->position_m[node], after, &depth);
  print_message("the pointer goes (%.0f, %.0f) pixels, the node (%.1f, %.1f)\n", to[0] - before[0],
                to[1] - before[1], after[0] - before[0], after[1] - before[1]);
  assert_int_equal(win_frame_times(w).grabs, 1);
  assert_true(hypot(after[0] - to[0], after[1] - to[1]) < 0.5 * hypot(before[0] - to[0], before[1] - to[1]));
  push_button(false, (int)to[0], (int)to[1]);
  assert_true(frames(w, 90));
  (void)sim_play_surfaces(play, d);
  win_camera_see(&c, d->position_m[node], after, &depth);
  assert_true(hypot(after[0] - before[0], after[1] - before[1]) < 15);
}

static void test_pause_and_end(void **state) {
  (void)state;
  win_window *w = shown;
  const double then = sim_play_time(play);
  push_key(SDLK_SPACE);
  assert_true(frames(w, 3));
  assert_true(sim_play_time(play) == then);
  push_key(SDLK_SPACE);
  assert_true(frames(w, 3));
  assert_true(sim_play_time(play) > then);
  push_key(SDLK_ESCAPE);
  assert_false(frames(w, 1));
  const win_times t = win_frame_times(w);
  print_message("%d frames: simulation %.3f ms, drawing %.3f ms\n", t.frames, 1e3 * t.simulation_s,
                1e3 * t.drawing_s);
  assert_true(t.simulation_s > 0 && t.drawing_s > 0 && t.longest_s >= t.drawing_s);
}

/* A pixel's ray goes through what is seen there. */
static void test_camera(void **state) {
  (void)state;
  const win_camera c = camera_of_scene();
  const double x[3] = {0.3, 0.2, 1.4};
  double px[2], depth, ray[3];
  win_camera_see(&c, x, px, &depth);
  win_camera_ray(&c, px, ray);
  for (int k = 0; k < 3; k++) assert_near(c.eye_m[k] + depth * ray[k], x[k], 1e-12);
}

static void test_no_display(void **state) {
  (void)state;
  win_window *w;
  win_close(shown);
  shown = NULL;
  (void)setenv("SDL_VIDEODRIVER", "none of these", 1);
  assert_fails(CB_E_IO, "there is no display", win_open(play, &scene, &w, err));
  assert_null(w);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_camera), cmocka_unit_test(test_drag),
                                     cmocka_unit_test(test_pause_and_end), cmocka_unit_test(test_no_display)};
  return cmocka_run_group_tests(tests, open_window, close_window);
}
