/* Counts crossings of cloth with itself that are deeper than rounding. */
#include <math.h>
#include <stddef.h>

#include "sim_query.h"
#include "sim_self_impl.h"
#include "sim_self_look.h"
#include "sim_vec.h"

#define DEEP_M 1e-9

typedef struct counter {
  const sim_self *self;
  const double (*x)[3];
  int n;
} counter;

/* Whether the second triangle reaches out on both sides of the first one's plane. */
static bool stands_out(const double (*x)[3], const int first[3], const int second[3]) {
  double a[3], b[3], n[3], least = INFINITY, most = -INFINITY;
  sim_sub(x[first[1]], x[first[0]], a);
  sim_sub(x[first[2]], x[first[0]], b);
  sim_cross(a, b, n);
  for (int k = 0; k < 3; k++) {
    double d[3];
    sim_sub(x[second[k]], x[first[0]], d);
    least = fmin(least, sim_dot(n, d));
    most = fmax(most, sim_dot(n, d));
  }
  const double deep = DEEP_M * sim_norm(n);
  return least < -deep && most > deep;
}

static void count_crossing(void *context, int a, int b) {
  counter *c = context;
  const int *first = c->self->tree.triangle[a], *second = c->self->tree.triangle[b];
  c->n += stands_out(c->x, first, second) && stands_out(c->x, second, first) &&
          sim_triangles_cross(c->x, first, second);
}

int sim_self_deep_crossings(sim_self *s, const double (*x_m)[3]) {
  counter c = {s, x_m, 0};
  sim_bvh_refit(&s->tree, x_m, x_m, 0, NULL);
  for (int t = 0; t < s->tree.n_tasks; t++) sim_bvh_walk(&s->tree, t, count_crossing, &c);
  return c.n;
}
