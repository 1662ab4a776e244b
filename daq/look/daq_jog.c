#include "daq_jog.h"

#include <math.h>

#define FIRST_S 0.7 /* a keyboard waits for 250 to 600 ms before it repeats */
#define HELD_S 0.1  /* what comes within is a burst: pasted, or late from a slow line */
#define BEGIN_S 0.2 /* the second gap is not known yet; a console repeats every 92 ms */
#define LEAST_S 0.06
#define MOST_S 0.25     /* slower repeats cannot hold a stage */
#define TOGETHER_S 2e-3 /* what came so close was read at once, and tells of no gap */

void daq_jog_release(daq_jog *j) { *j = (daq_jog){.key = 0}; }

double daq_jog_patience_s(const daq_jog *j) {
  double longest_s = 0;
  if (!j->held) return FIRST_S;
  if (j->n_gaps == 0) return BEGIN_S;
  for (size_t i = 0; i < j->n_gaps && i < DAQ_JOG_GAPS; i++) longest_s = fmax(longest_s, j->gap_s[i]);
  return fmin(fmax(1.5 * longest_s + 0.02, LEAST_S), MOST_S);
}

void daq_jog_press(daq_jog *j, int key, double now_s) {
  const double gap_s = now_s - j->last_s;
  if (!j->key)
    *j = (daq_jog){.key = key, .first_s = now_s};
  else if (!j->held)
    j->held = now_s - j->first_s >= HELD_S;
  else if (gap_s > TOGETHER_S)
    j->gap_s[j->n_gaps++ % DAQ_JOG_GAPS] = gap_s;
  j->last_s = now_s;
  j->due_s = now_s + daq_jog_patience_s(j);
}

bool daq_jog_is_over(const daq_jog *j, double now_s) { return j->key && now_s >= j->due_s; }
