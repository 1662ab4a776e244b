/* The second layer, equation (2) of sim_curtain.h, and both layers as one surface. */
#include <string.h>

#include "sim_f64x8.h"

#define TINY 1e-300
#define ROOM 0.05

/* Of eight columns in a row, where the cloth to their right stands: along the edge, out of the surface;
 * cosine and sine of alpha. */
typedef struct fold {
  sim_f64x8 along[3], out[3], cosine, sine, longer; /* longer: a segment over its length in the cloth */
} fold;

static int sides_of(int segments) { return (segments + 2) / 3; }

/* Where folds stand: across the edge and across the mean of the columns at its ends. */
SIM_F64X8_FN void normal_out(const sim_f64x8 *x, const sim_f64x8 *beyond, long up, long down,
                             const sim_f64x8 way[3], sim_f64x8 out[3]) {
  sim_f64x8 column[3];
  for (int i = 0; i < 3; i++) {
    const sim_f64x8 own = x[down + i] - x[up + i], other = beyond[down + i] - beyond[up + i];
    column[i] = own + sim_f64x8_from_right(own, other);
  }
  sim_f64x8_cross(way, column, out);
}

/* Cloth that does not cross itself is a graph along n (sim_curtain_order.c). It remains one if folds stand in
 * the plane of the edge and n, and if their segments, which are turned by alpha against the edge, stay
 * steeper than n by ROOM. Where the edge itself is turned towards n, alpha is smaller for that, and the
 * segments are shorter than the cloth. Returns the least cosine. */
SIM_F64X8_FN sim_f64x8 graph_out(const double n[3], const sim_f64x8 along[3], sim_f64x8 out[3]) {
  const sim_f64x8 lean = n[0] * along[0] + n[1] * along[1] + n[2] * along[2];
  for (int i = 0; i < 3; i++) out[i] = n[i] - lean * along[i];
  return sim_f64x8_smaller(sim_f64x8_size(lean) + ROOM, sim_f64x8_all(1));
}

SIM_F64X8_FN void fold_of(const sim_curtain *c, const double *n, const sim_f64x8 *x, const sim_f64x8 *beyond,
                          long up, long down, fold *f) {
  const int segments = c->setup.segments, k = sides_of(segments), flat = segments - 2 * k;
  sim_f64x8 way[3], out[3], least = sim_f64x8_all(-1);
  for (int i = 0; i < 3; i++) way[i] = sim_f64x8_from_right(x[i], beyond[i]) - x[i];
  const sim_f64x8 length = sim_f64x8_root(sim_f64x8_dot(way, way)), q = segments * length / c->setup.weft_m;
  const sim_f64x8 one = 1 / (length + TINY);
  for (int i = 0; i < 3; i++) f->along[i] = one * way[i];
  if (n)
    least = graph_out(n, f->along, out);
  else
    normal_out(x, beyond, up, down, way, out);
  const sim_f64x8 high = 1 / (sim_f64x8_root(sim_f64x8_dot(out, out)) + TINY);
  f->cosine = sim_f64x8_larger(sim_f64x8_smaller((q - flat) / (2 * k), sim_f64x8_all(1)), least);
  f->sine = sim_f64x8_root(1 - f->cosine * f->cosine);
  f->longer = q / (2 * k * f->cosine + flat);
  for (int i = 0; i < 3; i++) f->out[i] = high * out[i];
}

/* Out on one side of the cloth and on the other in turn. */
SIM_F64X8_FN void stand(const sim_curtain *c, const sim_f64x8 x[3], const fold *f, int segment,
                        sim_f64x8 out[3]) {
  const int n = c->setup.segments, k = sides_of(n), back = segment - (n - k);
  const int side = segment < k ? segment
                   : back > 0  ? k - back
                               : k,
            slanted = side + 2 * (back > 0 ? back : 0);
  const sim_f64x8 sign = {1, -1, 1, -1, 1, -1, 1, -1};
  const sim_f64x8 length = c->setup.weft_m / n * f->longer;
  const sim_f64x8 far = length * (slanted * f->cosine + (segment - slanted)),
                  high = side * length * sign * f->sine;
  for (int i = 0; i < 3; i++) out[i] = x[i] + far * f->along[i] + high * f->out[i];
}

CB_WIDE static void place_row(const sim_curtain *c, const double *outward, int node, double (*out)[3]) {
  const long stride = 3L * c->setup.nodes, up = node > 0 ? -3 : 0, down = node < c->setup.nodes - 1 ? 3 : 0;
  const int n = c->setup.segments;
  for (int b = 0; b < c->blocks; b++) {
    const sim_f64x8 *x = &c->x[b * stride + 3L * node], *beyond = b < c->blocks - 1 ? x + stride : x;
    const int left = c->setup.columns - b * SIM_CURTAIN_LANES,
              lanes = left < SIM_CURTAIN_LANES ? left : SIM_CURTAIN_LANES;
    double(*to)[3] = &out[(long)b * SIM_CURTAIN_LANES * n];
    fold f;
    for (int l = 0; l < lanes; l++)
      for (int i = 0; i < 3; i++) to[(long)l * n][i] = x[i][l];
    if (n == 1) continue;
    const int edges = lanes < left ? lanes : lanes - 1;
    fold_of(c, outward, x, beyond, up, down, &f);
    for (int j = 1; j < n; j++) {
      sim_f64x8 at[3];
      stand(c, x, &f, j, at);
      for (int l = 0; l < edges; l++)
        for (int i = 0; i < 3; i++) to[l * n + j][i] = at[i][l];
    }
  }
}

int sim_curtain_width(const sim_curtain *c) { return (c->setup.columns - 1) * c->setup.segments + 1; }
int sim_curtain_vertices(const sim_curtain *c) { return sim_curtain_width(c) * c->setup.nodes; }
int sim_curtain_triangles(const sim_curtain *c) {
  return 2 * (sim_curtain_width(c) - 1) * (c->setup.nodes - 1);
}

typedef struct placing {
  const sim_curtain *c;
  const double *outward; /* NULL: folds may cross */
  double (*out)[3];
} placing;

static void place_fold(void *context, int node, sim_f64x8 *work) {
  const placing *p = context;
  (void)work;
  double(*row)[3] = &p->out[(long)node * sim_curtain_width(p->c)];
  place_row(p->c, p->outward, node, row);
  const int n = p->c->setup.segments;
  for (int i = 0; i < p->c->setup.columns - 1 && n > 1 && p->c->setup.n_bodies > 0; i++)
    sim_curtain_flatten(p->c, &row[(long)i * n]);
}

void sim_curtain_places(const sim_curtain *c, double (*out_m)[3]) {
  double outward[3];
  placing p = {c, c->order.row ? outward : NULL, out_m};
  if (c->order.row) sim_curtain_outward(c, outward);
  sim_curtain_each(c, c->setup.nodes, place_fold, &p);
}

void sim_curtain_surface(const sim_curtain *c, int (*out)[3]) {
  const int width = sim_curtain_width(c);
  for (int row = 0; row < c->setup.nodes - 1; row++)
    for (int i = 0; i < width - 1; i++, out += 2) {
      const int a = row * width + i, b = a + width;
      const int first[] = {a, b, a + 1}, second[] = {a + 1, b, b + 1};
      memcpy(out[0], first, sizeof first);
      memcpy(out[1], second, sizeof second);
    }
}
