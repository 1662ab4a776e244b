/* Loops of a strip: both ends are clamped in one place, and the middle hangs. The clamp's direction makes
 * Peirce's three loops (J. Text. Inst. 21, T377, 1930): level, a ring; downwards, a pear; upwards, a heart.
 * Compared is the depth of the lowest place below the clamp, over the length L.
 *
 * Reference: half of the loop as a heavy elastica without stretch. Lengths are over L, and the weight is
 * gamma = w g L^3 / B: theta'' = gamma (1/2 - s) cos theta + h sin theta. theta is given at the clamp, and
 * theta = -pi, x = 0 at the middle. GSL integrates, Newton's method finds h and theta'(0). */
#ifndef VAL_LOOP_H
#define VAL_LOOP_H

#include <stdbool.h>

#include "cb_err.h"
#include "sim_mesh.h"

typedef enum val_loop_kind { VAL_LOOP_RING, VAL_LOOP_PEAR, VAL_LOOP_HEART, VAL_LOOPS } val_loop_kind;
extern const char *const val_loop_names[VAL_LOOPS];

typedef struct val_loop {
  val_loop_kind kind;
  double gamma;
  sim_pattern pattern;
  int cells; /* along the strip, which is ten times as long as wide */
} val_loop;

typedef struct val_loop_result {
  int vertices;
  double depth, reference, error; /* over L; error: relative */
  bool settled, agrees;           /* agrees: settled and |error| <= VAL_LOOP_TOLERANCE */
  double seconds;
} val_loop_result;

#define VAL_LOOP_TOLERANCE 5e-3

/* Half of the loop, as VAL_LOOP_POINTS + 1 places x, z at even lengths from the clamp to the middle. Errors:
 * memory; CB_E_NUM where no such loop is found. */
#define VAL_LOOP_POINTS 100
CB_CHECKED cb_status val_loop_half(val_loop_kind kind, double gamma, double out[VAL_LOOP_POINTS + 1][2],
                                   cb_err *err);
/* The strip begins as the loop without weight. Errors: those of val_loop_half and sim_cloth; not to agree is
 * none. */
CB_CHECKED cb_status val_loop_run(const val_loop *e, val_loop_result *out, cb_err *err);

#endif
