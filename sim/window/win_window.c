#include "win_window.h"

#include <SDL.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_stats.h"
#include "cb_time.h"
#include "sim_body.h"
#include "sim_vec.h"
#include "win_impl.h"

#define SURFACES (SIM_PLAY_SURFACES + SIM_SCENE_BODIES)
#define KEPT 4096 /* frames whose times are kept: the last ones */
#define TURN_RAD_PER_PX 0.01
#define TURN_RAD 0.05 /* of an arrow key */
#define ZOOM 1.1      /* of a notch of the wheel */
#define STEEPEST_RAD 1.5
#define TITLE_S 0.5 /* between two texts of the title */

/* SDL is looked for when a window is opened: with all that it brings, it would double the time in which every
 * command begins. */
#define SDL_LIBRARY "libSDL2-2.0.so.0"
#define SDL_CALLS(X)        \
  X(CreateRenderer);        \
  X(CreateWindow);          \
  X(Delay);                 \
  X(DestroyRenderer);       \
  X(DestroyWindow);         \
  X(GetCurrentVideoDriver); \
  X(GetError);              \
  X(GetRendererOutputSize); \
  X(Init);                  \
  X(PollEvent);             \
  X(Quit);                  \
  X(RenderClear);           \
  X(RenderGeometry);        \
  X(RenderPresent);         \
  X(SetRenderDrawColor);    \
  X(SetWindowTitle)
#define SDL_CALL(f) __typeof__(SDL_##f) *f

struct win_window {
  struct {
    SDL_CALLS(SDL_CALL);
  } sdl;
  sim_play *play;
  const sim_scene *scene;
  SDL_Window *window;
  SDL_Renderer *renderer;
  bool has_video, paused, ends, turning, holds;
  double step_s, opened_s, due_s, titled_s, hand_m[3];
  win_camera camera;
  win_picture picture;
  SDL_Vertex *vertex;
  int room;
  sim_surface body[SIM_SCENE_BODIES];
  int frames, grabs, late;
  double simulation_s[KEPT], drawing_s[KEPT], longest_s;
};

/* ---- what is seen ---- */

static cb_status surfaces_of(win_window *w, sim_drawn *out, int *n, cb_err *err) {
  const sim_body *body = sim_play_bodies(w->play);
  const int n_bodies = w->scene->n_bodies;
  const int cloths = sim_play_surfaces(w->play, out);
  for (int i = 0; i < n_bodies; i++) {
    const bool ground = body[i].shape == SIM_PLANE;
    sim_surface *s = &w->body[i];
    sim_surface_clear(s);
    CB_TRY(
        sim_surface_of_body(&body[i], w->camera.middle_m, (ground ? 1.5 : 1.1) * w->camera.reach_m, s, err));
    out[cloths + i] = (sim_drawn){.n_vertices = s->n_vertices,
                                  .n_triangles = s->n_triangles,
                                  .position_m = (const sim_vec3 *)s->position_m,
                                  .triangle = (const int(*)[3])s->triangle,
                                  .face = {0.45F, 0.45F, 0.43F},
                                  .back = {0.45F, 0.45F, 0.43F},
                                  .ground = ground};
  }
  *n = cloths + n_bodies;
  return CB_OK;
}

/* The ball around what the model shows at the start. */
static void find_middle(win_window *w) {
  sim_drawn surface[SURFACES] = {{0}};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, half[3];
  for (int s = sim_play_surfaces(w->play, surface) - 1; s >= 0; s--)
    for (int i = 0; i < surface[s].n_vertices; i++)
      for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], surface[s].position_m[i][k]);
        high[k] = fmax(high[k], surface[s].position_m[i][k]);
      }
  for (int k = 0; k < 3; k++) {
    w->camera.middle_m[k] = (low[k] + high[k]) / 2;
    half[k] = (high[k] - low[k]) / 2;
  }
  w->camera.reach_m = fmax(sim_norm(half), 1e-6);
}

static bool make_room(win_window *w, int n) {
  if (n <= w->room) return true;
  SDL_Vertex *more = realloc(w->vertex, (size_t)n * sizeof *more);
  if (!more) return false;
  w->vertex = more;
  w->room = n;
  return true;
}

static cb_status draw(win_window *w, cb_err *err) {
  sim_drawn surface[SURFACES] = {{0}};
  int n;
  CB_TRY(surfaces_of(w, surface, &n, err));
  w->sdl.GetRendererOutputSize(w->renderer, &w->camera.width_px, &w->camera.height_px);
  win_camera_aim(&w->camera);
  CB_TRY(win_picture_draw(&w->picture, &w->camera, surface, n, err));
  if (!make_room(w, 3 * w->picture.n)) return cb_no_memory(err, "the picture of a window");
  for (int i = 0; i < 3 * w->picture.n; i++) {
    const win_corner *c = &w->picture.corner[i];
    w->vertex[i] =
        (SDL_Vertex){.position = {c->px[0], c->px[1]}, .color = {c->rgb[0], c->rgb[1], c->rgb[2], 255}};
  }
  bool drawn =
      w->sdl.SetRenderDrawColor(w->renderer, 226, 231, 238, 255) == 0 && w->sdl.RenderClear(w->renderer) == 0;
  if (w->picture.n > 0)
    drawn = drawn && w->sdl.RenderGeometry(w->renderer, NULL, w->vertex, 3 * w->picture.n, NULL, 0) == 0;
  if (!drawn) return cb_fail(err, CB_E_IO, "window: a frame could not be drawn: %s", w->sdl.GetError());
  w->sdl.RenderPresent(w->renderer);
  return CB_OK;
}

/* ---- what people do ---- */

static void take_hold(win_window *w, const double px[2]) {
  double ray[3];
  win_camera_ray(&w->camera, px, ray);
  w->holds = sim_play_grab(w->play, w->camera.eye_m, ray, w->hand_m);
  w->grabs += w->holds;
}

/* In the plane through the hand that is parallel to the screen. */
static void move_hand(win_window *w, const double px[2]) {
  double ray[3], way[3];
  win_camera_ray(&w->camera, px, ray);
  sim_sub(w->hand_m, w->camera.eye_m, way);
  const double depth = sim_dot(way, w->camera.forward);
  for (int k = 0; k < 3; k++) w->hand_m[k] = w->camera.eye_m[k] + depth * ray[k];
  sim_play_pull(w->play, w->hand_m);
}

static void let_go(win_window *w) {
  if (w->holds) sim_play_pull(w->play, NULL);
  w->holds = false;
}

static void turn(win_window *w, double right_rad, double up_rad) {
  w->camera.azimuth_rad -= right_rad;
  w->camera.elevation_rad = fmin(STEEPEST_RAD, fmax(-STEEPEST_RAD, w->camera.elevation_rad + up_rad));
}

static void press_key(win_window *w, SDL_Keycode key) {
  switch (key) {
    case SDLK_ESCAPE: w->ends = true; break;
    case SDLK_SPACE: w->paused = !w->paused; break;
    case SDLK_LEFT: turn(w, -TURN_RAD, 0); break;
    case SDLK_RIGHT: turn(w, TURN_RAD, 0); break;
    case SDLK_UP: turn(w, 0, TURN_RAD); break;
    case SDLK_DOWN: turn(w, 0, -TURN_RAD); break;
    default: break;
  }
}

static void use_mouse(win_window *w, const SDL_Event *e) {
  const bool button = e->type != SDL_MOUSEMOTION, down = e->type == SDL_MOUSEBUTTONDOWN;
  const double px[2] = {button ? e->button.x : e->motion.x, button ? e->button.y : e->motion.y};
  if (button && e->button.button == SDL_BUTTON_RIGHT) w->turning = down;
  if (button && e->button.button == SDL_BUTTON_LEFT && down) take_hold(w, px);
  if (button && e->button.button == SDL_BUTTON_LEFT && !down) let_go(w);
  if (!button && w->holds) move_hand(w, px);
  if (!button && w->turning) turn(w, TURN_RAD_PER_PX * e->motion.xrel, TURN_RAD_PER_PX * e->motion.yrel);
}

static void listen(win_window *w) {
  SDL_Event e;
  while (w->sdl.PollEvent(&e)) switch (e.type) {
      case SDL_QUIT: w->ends = true; break;
      case SDL_KEYDOWN: press_key(w, e.key.keysym.sym); break;
      case SDL_MOUSEWHEEL: w->camera.zoom *= pow(ZOOM, -e.wheel.y); break;
      case SDL_MOUSEBUTTONDOWN:
      case SDL_MOUSEBUTTONUP:
      case SDL_MOUSEMOTION: use_mouse(w, &e); break;
      default: break;
    }
}

/* ---- frames ---- */

win_times win_frame_times(const win_window *w) {
  win_times out = {.frames = w->frames, .grabs = w->grabs, .longest_s = w->longest_s, .late = w->late};
  const int n = w->frames < KEPT ? w->frames : KEPT;
  double work[KEPT];
  if (n == 0) return out;
  out.simulation_s = cb_median(w->simulation_s, (size_t)n, work);
  out.drawing_s = cb_median(w->drawing_s, (size_t)n, work);
  out.frames_per_s = w->frames / (cb_now_monotonic_s() - w->opened_s);
  return out;
}

static void tell(win_window *w, double now_s) {
  char text[320];
  if (now_s - w->titled_s < TITLE_S) return;
  const win_times t = win_frame_times(w);
  (void)snprintf(text, sizeof text, "%s: simulation %.2f ms, drawing %.2f ms, %.0f frames/s%s",
                 w->scene->name, 1e3 * t.simulation_s, 1e3 * t.drawing_s, t.frames_per_s,
                 w->paused ? ", paused" : "");
  w->sdl.SetWindowTitle(w->window, text);
  w->titled_s = now_s;
}

/* Real time: a frame is due a step after the one before. One that is late puts off all others. */
static void wait_until_due(win_window *w) {
  const double now = cb_now_monotonic_s();
  w->due_s += w->step_s;
  if (now < w->due_s)
    w->sdl.Delay((Uint32)floor(1e3 * (w->due_s - now)));
  else
    w->due_s = now;
}

cb_status win_frame(win_window *w, bool *open, cb_err *err) {
  listen(w);
  const double begin = cb_now_monotonic_s();
  if (!w->paused) CB_TRY(sim_play_step(w->play, NULL, err));
  const double moved = cb_now_monotonic_s();
  CB_TRY(draw(w, err));
  const double drawn = cb_now_monotonic_s();
  if (!w->paused) {
    const int i = w->frames++ % KEPT;
    w->simulation_s[i] = moved - begin;
    w->drawing_s[i] = drawn - moved;
    w->longest_s = fmax(w->longest_s, drawn - begin);
    w->late += drawn - begin > w->step_s;
  }
  tell(w, drawn);
  wait_until_due(w);
  *open = !w->ends;
  return CB_OK;
}

/* It stays: what drivers of screens leave behind may run at the end. */
static cb_status find_library(win_window *w, cb_err *err) {
  void *library = dlopen(SDL_LIBRARY, RTLD_NOW);
  if (!library) return cb_fail(err, CB_E_IO, "window: SDL 2 was wanted: %s", dlerror());
  bool all = true;
#define SDL_FIND(f) all &= (*(void **)&w->sdl.f = dlsym(library, "SDL_" #f)) != NULL
  SDL_CALLS(SDL_FIND);
  return all ? CB_OK : cb_fail(err, CB_E_IO, "window: SDL 2.0.18 was wanted, %s is older", SDL_LIBRARY);
}

static cb_status open_on_screen(win_window *w, const sim_view *view, cb_err *err) {
  CB_TRY(find_library(w, err));
  if (w->sdl.Init(SDL_INIT_VIDEO) != 0)
    return cb_fail(err, CB_E_IO, "window: there is no display (%s): `sim` without --window needs none",
                   w->sdl.GetError());
  w->has_video = true;
  /* Without a screen SDL falls back on drivers that show nothing. */
  const char *driver = w->sdl.GetCurrentVideoDriver(), *screenless[] = {"offscreen", "dummy", "evdev"};
  for (int i = 0; i < 3 && !getenv("SDL_VIDEODRIVER"); i++)
    if (strcmp(driver, screenless[i]) == 0)
      return cb_fail(err, CB_E_IO, "window: there is no display: `sim` without --window needs none");
  w->window = w->sdl.CreateWindow(w->scene->name, SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                  view->width_px, view->height_px, SDL_WINDOW_RESIZABLE);
  if (w->window) w->renderer = w->sdl.CreateRenderer(w->window, -1, 0);
  if (!w->renderer) return cb_fail(err, CB_E_IO, "window: it could not be opened: %s", w->sdl.GetError());
  return CB_OK;
}

cb_status win_open(sim_play *play, const sim_scene *scene, win_window **out, cb_err *err) {
  win_window *w = *out = calloc(1, sizeof *w);
  if (!w) return cb_no_memory(err, "a window");
  w->play = play;
  w->scene = scene;
  w->step_s = scene->duration_s / sim_play_steps(play);
  const cb_status st = open_on_screen(w, &scene->view, err);
  if (st != CB_OK) {
    win_close(w);
    *out = NULL;
    return st;
  }
  w->camera.azimuth_rad = scene->view.azimuth_rad;
  w->camera.elevation_rad = scene->view.elevation_rad;
  w->camera.zoom = 1;
  find_middle(w);
  w->opened_s = w->due_s = cb_now_monotonic_s();
  return CB_OK;
}

void win_close(win_window *w) {
  if (!w) return;
  if (w->renderer) w->sdl.DestroyRenderer(w->renderer);
  if (w->window) w->sdl.DestroyWindow(w->window);
  if (w->has_video) w->sdl.Quit();
  for (int i = 0; i < SIM_SCENE_BODIES; i++) sim_surface_clear(&w->body[i]);
  win_picture_clear(&w->picture);
  free(w->vertex);
  free(w);
}
