#include "fit_drape_impl.h"

/* Sums over the levels below i: pixels, levels, squares. */
typedef struct sums {
  double n[257], x[257], xx[257];
} sums;

static void sums_of(const unsigned char *grey, size_t n, sums *s) {
  size_t histogram[256] = {0};
  for (size_t i = 0; i < n; i++) histogram[grey[i]]++;
  s->n[0] = s->x[0] = s->xx[0] = 0;
  for (int i = 0; i < 256; i++) {
    double count = (double)histogram[i];
    s->n[i + 1] = s->n[i] + count;
    s->x[i + 1] = s->x[i] + count * i;
    s->xx[i + 1] = s->xx[i] + count * i * i;
  }
}

/* Sum of squares about their mean of the levels from a up to, not with, b. */
static double scatter(const sums *s, int a, int b) {
  double n = s->n[b] - s->n[a], x = s->x[b] - s->x[a];
  return n > 0 ? s->xx[b] - s->xx[a] - x * x / n : 0;
}

static double best_two(const sums *s, int *t) {
  double least = scatter(s, 0, 256);
  int first = 128, last = 128;
  for (int i = 1; i < 256; i++) {
    double v = scatter(s, 0, i) + scatter(s, i, 256);
    if (v < least) {
      least = v;
      first = i;
    }
    if (v <= least) last = i;
  }
  /* Between two levels far apart all thresholds are equal: the middle one. */
  *t = least < scatter(s, 0, 256) ? (first + last + 1) / 2 : 128;
  return least;
}

static double best_three(const sums *s, int t[2]) {
  double least = -1;
  for (int i = 1; i < 255; i++)
    for (int j = i + 1; j < 256; j++) {
      double v = scatter(s, 0, i) + scatter(s, i, j) + scatter(s, j, 256);
      if (least >= 0 && v >= least) continue;
      least = v;
      t[0] = i;
      t[1] = j;
    }
  return least;
}

fit_levels fit_levels_of(const unsigned char *grey, size_t n) {
  sums s;
  fit_levels two = {.n = 2}, three = {.n = 3};
  sums_of(grey, n, &s);
  double left_by_two = best_two(&s, &two.threshold[0]), left_by_three = best_three(&s, three.threshold);
  double least = 0.03 * (double)n;
  int clear = left_by_three < 0.25 * left_by_two && s.n[three.threshold[0]] >= least &&
              s.n[three.threshold[1]] - s.n[three.threshold[0]] >= least &&
              s.n[256] - s.n[three.threshold[1]] >= least;
  return clear ? three : two;
}

int fit_level_class(const fit_levels *l, unsigned char grey) {
  if (grey < l->threshold[0]) return 0;
  return l->n == 3 && grey >= l->threshold[1] ? 2 : 1;
}

int fit_level_median(const size_t histogram[256]) {
  size_t all = 0, sum = 0;
  for (int i = 0; i < 256; i++) all += histogram[i];
  if (all == 0) return -1;
  for (int i = 0; i < 256; i++)
    if ((sum += histogram[i]) > all / 2 || sum == all) return i;
  return -1;
}
