/* A picture -> the shadow in it, and its scale. */
#include "fit_drape_impl.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"

/* What a pixel is, step by step. */
enum { NOTHING, CANDIDATE, SEEN, SHAPE, OUTSIDE };

typedef struct work {
  const fit_picture *p;
  const char *name;
  fit_levels levels;
  unsigned char *label; /* owned */
  uint32_t *number;     /* owned, (width + 1) x (height + 1): a stack of pixels, later sums of the shape */
} work;

static size_t pixels(const work *w) { return w->p->width * w->p->height; }
static int class_at(const work *w, size_t i) { return fit_level_class(&w->levels, w->p->grey[i]); }

/* ---- connected pixels ---- */

typedef struct flood {
  size_t pixels;
  bool at_border;
} flood;

/* All pixels of that label that hang together with start, over edges, become another. */
static flood relabel(work *w, size_t start, unsigned char from, unsigned char to) {
  size_t width = w->p->width, height = w->p->height, depth = 0;
  flood f = {0, false};
  w->label[start] = to;
  w->number[depth++] = (uint32_t)start;
  while (depth > 0) {
    size_t at = w->number[--depth], x = at % width, y = at / width;
    f.pixels++;
    f.at_border |= x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    const size_t next[4] = {x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at, y > 0 ? at - width : at,
                            y + 1 < height ? at + width : at};
    for (int k = 0; k < 4; k++)
      if (w->label[next[k]] == from) {
        w->label[next[k]] = to;
        w->number[depth++] = (uint32_t)next[k];
      }
  }
  return f;
}

/* The largest piece of CANDIDATE; all of them are SEEN then. */
static flood largest(work *w, size_t *start, size_t *second) {
  flood best = {0, false};
  *second = 0;
  for (size_t i = 0; i < pixels(w); i++) {
    if (w->label[i] != CANDIDATE) continue;
    flood f = relabel(w, i, CANDIDATE, SEEN);
    if (f.pixels > best.pixels) {
      *second = best.pixels;
      best = f;
      *start = i;
    } else if (f.pixels > *second) {
      *second = f.pixels;
    }
  }
  return best;
}

/* ---- the shape ---- */

/* The class that most pixels of the border have. */
static int surroundings(const work *w) {
  size_t width = w->p->width, height = w->p->height, count[3] = {0};
  for (size_t x = 0; x < width; x++) {
    count[class_at(w, x)]++;
    count[class_at(w, (height - 1) * width + x)]++;
  }
  for (size_t y = 0; y < height; y++) {
    count[class_at(w, y * width)]++;
    count[class_at(w, y * width + width - 1)]++;
  }
  int best = 0;
  for (int c = 1; c < 3; c++)
    if (count[c] > count[best]) best = c;
  return best;
}

/* Afterwards every pixel is SHAPE, holes filled, or OUTSIDE. */
static cb_status find_shape(work *w, cb_err *err) {
  int ground = surroundings(w);
  size_t start = 0, second;
  for (size_t i = 0; i < pixels(w); i++) w->label[i] = class_at(w, i) == ground ? NOTHING : CANDIDATE;
  flood best = largest(w, &start, &second);
  if (best.pixels == 0 || best.pixels < pixels(w) / 100)
    return cb_fail(err, CB_E_RANGE,
                   "%s: there is no shape in the picture: a dark silhouette on a light ground, or the "
                   "reverse, was wanted",
                   w->name);
  if (best.at_border)
    return cb_fail(err, CB_E_RANGE, "%s: the shape touches the border of the picture: all of it must be seen",
                   w->name);
  if (second > best.pixels / 20)
    return cb_fail(err, CB_E_RANGE, "%s: there are two shapes, of %zu and of %zu pixels: one was wanted",
                   w->name, best.pixels, second);
  (void)relabel(w, start, SEEN, SHAPE);
  for (size_t i = 0; i < pixels(w); i++)
    if (w->label[i] != SHAPE) w->label[i] = NOTHING;
  /* The border is free of the shape, so that all that is outside hangs together with the first pixel. */
  (void)relabel(w, 0, NOTHING, OUTSIDE);
  for (size_t i = 0; i < pixels(w); i++)
    if (w->label[i] == NOTHING) w->label[i] = SHAPE;
  return CB_OK;
}

/* ---- covers ---- */

/* number[y][x]: pixels of the shape above y and left of x (modulo 2^32, which differences do not feel). */
static void sum_shape(work *w) {
  size_t width = w->p->width, height = w->p->height, stride = width + 1;
  memset(w->number, 0, stride * sizeof *w->number);
  for (size_t y = 0; y < height; y++) {
    uint32_t row = 0;
    w->number[(y + 1) * stride] = 0;
    for (size_t x = 0; x < width; x++) {
      row += w->label[y * width + x] == SHAPE;
      w->number[(y + 1) * stride + x + 1] = w->number[y * stride + x + 1] + row;
    }
  }
}

/* Is the square of that radius all inside (1), all outside (-1), or across the edge (0)? */
static int side(const work *w, size_t x, size_t y, size_t radius) {
  size_t stride = w->p->width + 1, x0 = x > radius ? x - radius : 0, y0 = y > radius ? y - radius : 0;
  size_t x1 = x + radius < w->p->width ? x + radius + 1 : w->p->width,
         y1 = y + radius < w->p->height ? y + radius + 1 : w->p->height;
  const uint32_t *n = w->number;
  uint32_t inside = n[y1 * stride + x1] - n[y0 * stride + x1] - n[y1 * stride + x0] + n[y0 * stride + x0];
  return inside == 0 ? -1 : inside == (x1 - x0) * (y1 - y0);
}

/* How far a blurred edge reaches: 2 pixels in small pictures, in proportion in large ones. */
static size_t reach(const work *w) {
  size_t longer = w->p->width > w->p->height ? w->p->width : w->p->height;
  return longer > 512 ? longer / 256 : 2;
}

/* Grey of the ground, and of the cloth along its rim, beyond the reach of the edge; -1: there is no such
 * pixel. */
static void grey_beside_edge(const work *w, int *ground, int *cloth) {
  size_t outside[256] = {0}, inside[256] = {0}, near = reach(w), far = 4 * near;
  for (size_t y = 0, i = 0; y < w->p->height; y++)
    for (size_t x = 0; x < w->p->width; x++, i++) {
      int here = side(w, x, y, near);
      if (here < 0) outside[w->p->grey[i]]++;
      if (here > 0 && side(w, x, y, far) == 0) inside[w->p->grey[i]]++;
    }
  *ground = fit_level_median(outside);
  *cloth = fit_level_median(inside);
}

static void cover_pixels(const work *w, int ground, int cloth, fit_shadow *out) {
  double area = 0, quarter = 0, three_quarters = 0;
  for (size_t y = 0, i = 0; y < w->p->height; y++)
    for (size_t x = 0; x < w->p->width; x++, i++) {
      int here = side(w, x, y, reach(w));
      double c = here < 0   ? 0
                 : here > 0 ? 1
                            : fmin(fmax((double)(w->p->grey[i] - ground) / (cloth - ground), 0), 1);
      out->cover[i] = (float)c;
      area += c;
      quarter += c > 0.25;
      three_quarters += c > 0.75;
    }
  /* The edge is somewhere where the cover goes from 1/4 to 3/4; where no greys tell, within a quarter of a
   * pixel. Rectangular. */
  double width_px = (quarter - three_quarters) / (2 * sqrt(CB_PI * area));
  out->u_edge_px = fmax(width_px / 2, 0.25) / sqrt(3);
}

/* ---- scale ---- */

/* The support, where it is seen: a disc within the shape, of another grey than the cloth. *found is false
 * without it. */
static cb_status scale_by_disc(work *w, int cloth, const fit_drape_setup *q, fit_shadow *out, bool *found,
                               cb_err *err) {
  int of_cloth = fit_level_class(&w->levels, (unsigned char)cloth);
  size_t start = 0, second, shape = 0;
  *found = false;
  for (size_t i = 0; i < pixels(w); i++) {
    shape += w->label[i] == SHAPE;
    w->label[i] =
        w->label[i] == SHAPE && out->cover[i] == 1.0F && class_at(w, i) != of_cloth ? CANDIDATE : NOTHING;
  }
  flood best = largest(w, &start, &second);
  if (best.pixels < shape / 20) return CB_OK;
  (void)relabel(w, start, SEEN, SHAPE);
  float *cover = malloc(pixels(w) * sizeof *cover);
  if (!cover) return cb_no_memory(err, "%s, %zu pixels", w->name, pixels(w));
  for (size_t i = 0; i < pixels(w); i++) cover[i] = w->label[i] == SHAPE;
  fit_outline o;
  cb_status st = fit_outline_of(cover, w->p->width, w->p->height, w->name, &o, NULL);
  free(cover);
  if (st != CB_OK) return CB_OK; /* not a disc */
  double squares = 0, scatter = 0;
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) squares += o.radius_px[i] * o.radius_px[i] / FIT_DRAPE_ANGLES;
  double radius = sqrt(squares); /* of the disc of the same area, whatever holes are in it */
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) scatter += pow(o.radius_px[i] - radius, 2) / FIT_DRAPE_ANGLES;
  double roundness = sqrt(scatter) / radius;
  if (!(roundness < 0.02)) return CB_OK;
  *found = true;
  out->scale_from = FIT_SCALE_DISC;
  out->pixel_m = q->support_m / 2 / radius;
  /* what is out of round repeats about ten times around */
  out->u_scale_rel = hypot(0.25 / sqrt(3) / radius, roundness / sqrt(10));
  return CB_OK;
}

static cb_status find_scale(work *w, int cloth, const fit_drape_setup *q, fit_shadow *out, cb_err *err) {
  bool found;
  if (q->scale_m_per_px > 0) {
    out->scale_from = FIT_SCALE_GIVEN;
    out->pixel_m = q->scale_m_per_px;
    return CB_OK;
  }
  CB_TRY(scale_by_disc(w, cloth, q, out, &found, err));
  if (found) return CB_OK;
  size_t longer = out->width > out->height ? out->width : out->height;
  out->scale_from = FIT_SCALE_ASSUMED;
  out->pixel_m = FIT_DRAPE_FIELD_M / (double)longer;
  out->u_scale_rel = FIT_DRAPE_U_FIELD_REL;
  return CB_OK;
}

/* ---- all of it ---- */

static cb_status silhouette(work *w, const fit_drape_setup *q, fit_shadow *out, cb_err *err) {
  int ground, cloth;
  CB_TRY(find_shape(w, err));
  sum_shape(w);
  grey_beside_edge(w, &ground, &cloth);
  if (ground < 0 || cloth < 0 || abs(ground - cloth) < 24)
    return cb_fail(
        err, CB_E_RANGE,
        "%s: the shape does not stand out from its surroundings: 24 of 256 grey levels or more were wanted",
        w->name);
  cover_pixels(w, ground, cloth, out);
  return find_scale(w, cloth, q, out, err);
}

cb_status fit_drape_silhouette(const fit_picture *p, const char *name, const fit_drape_setup *q,
                               fit_shadow *out, cb_err *err) {
  work w = {.p = p, .name = name};
  *out = (fit_shadow){.width = p->width, .height = p->height};
  CB_TRY(fit_drape_setup_check(q, err));
  if (p->width == 0 || p->height == 0) return cb_fail(err, CB_E_RANGE, "%s: a picture without pixels", name);
  w.label = malloc(pixels(&w));
  w.number = malloc((p->width + 1) * (p->height + 1) * sizeof *w.number);
  out->cover = calloc(pixels(&w), sizeof *out->cover);
  cb_status st =
      w.label && w.number && out->cover ? CB_OK : cb_no_memory(err, "%s, %zu pixels", name, pixels(&w));
  if (st == CB_OK) {
    w.levels = fit_levels_of(p->grey, pixels(&w));
    st = silhouette(&w, q, out, err);
  }
  free(w.label);
  free(w.number);
  return st;
}
