#include "cb_still.h"

#include <math.h>

#include "cb_stats.h"

#define CHANCE 1e-12
#define LEAST 8
#define REST_LEAST 16 /* fewer readings at rest tell nothing */
/* Two levels of a digit have half of it as standard deviation at most: beyond that, noise reaches others
 * wherever the level lies between the digit's steps. */
#define SEEN_DIGITS 0.6
/* A gauge that averages repeats itself: the longest run at rest is far from the longest there is. */
#define MANY_TIMES 4
#define HIDDEN_LEAST 16
#define HIDDEN_PART 0.25

static size_t longest_run(const double *v, size_t n, size_t *first) {
  size_t longest = n > 0 ? 1 : 0, run = 1;
  *first = 0;
  for (size_t i = 1; i < n; i++) {
    run = v[i] == v[i - 1] ? run + 1 : 1;
    if (run > longest) longest = run, *first = i + 1 - run;
  }
  return longest;
}

size_t cb_still_limit(const double *v, size_t n) {
  size_t equal = 0, first;
  double digit = INFINITY;
  if (n < 2) return 0;
  for (size_t i = 1; i < n; i++) {
    if (v[i] == v[i - 1])
      equal++;
    else
      digit = fmin(digit, fabs(v[i] - v[i - 1]));
  }
  if (isinf(digit) || cb_sd(v, n) <= SEEN_DIGITS * digit) return 0;
  /* Three more than were seen: few readings at rest know it badly. */
  const double part = ((double)equal + 3) / ((double)(n - 1) + 3);
  return (size_t)fmax(fmax(LEAST, MANY_TIMES * (double)longest_run(v, n, &first)),
                      ceil(log(CHANCE) / log(part)));
}

bool cb_still_find(const double *v, size_t n, size_t n_rest, size_t *first, size_t *longest) {
  const size_t limit = n_rest >= REST_LEAST ? cb_still_limit(v, n_rest) : 0, left = n - n_rest,
               hidden = (size_t)fmax(HIDDEN_LEAST, HIDDEN_PART * (double)left);
  *longest = longest_run(v + n_rest, left, first);
  *first += n_rest;
  return *longest >= (limit > 0 ? limit : hidden);
}
