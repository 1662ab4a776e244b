/* A window that shows a scene while it plays, in real time. The mouse drags the cloth of models that have a
 * hand (sim_play_grab): the left button takes hold of it, and the hand follows the pointer in the plane
 * through the place that it took, parallel to the screen. The right button or the arrow keys turn the view,
 * the wheel zooms, Space pauses, Escape or closing the window ends. The only code that includes SDL.h. */
#ifndef WIN_WINDOW_H
#define WIN_WINDOW_H

#include "sim_play.h"

typedef struct win_window win_window;

/* Times of the frames so far, of one processor's clock on the wall. */
typedef struct win_times {
  int frames, grabs;              /* grabs: how often the hand took hold */
  double simulation_s, drawing_s; /* medians of a frame; 0 without frames */
  double longest_s;               /* of both together */
  double frames_per_s;            /* since the window opened, pauses included */
  int late;                       /* frames that took longer than the step of the scene */
} win_times;

/* Opens a window on the play of a scene, both of which must outlive it. The scene's view has the size in
 * pixels and the first direction of the camera. The caller closes *out with win_close. Errors: CB_E_IO if
 * there is no display; CB_E_NOMEM. */
CB_CHECKED cb_status win_open(sim_play *play, const sim_scene *scene, win_window **out, cb_err *err);
void win_close(win_window *window);

/* Does what people did since the last call, takes a step, draws it, and waits until the step's time is over.
 * *open: false when the window is to be closed. Errors: those of sim_play_step; CB_E_NOMEM; CB_E_IO for a
 * frame that cannot be drawn. */
CB_CHECKED cb_status win_frame(win_window *window, bool *open, cb_err *err);

win_times win_frame_times(const win_window *window);

#endif
