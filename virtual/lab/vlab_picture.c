#include "vlab_picture.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>

#include "cb_file.h"

#define SIDE 720 /* pixels */
#define PIXEL_M 0.0005
#define PIXEL_SD 0.01 /* nobody knows the size of a pixel better: the support has to tell */
#define FINE 3        /* samples along the side of a pixel */
#define OFF_M 0.004   /* of the cloth's middle from that of the picture */
#define GROUND 222.0
#define CLOTH 96.0
#define SUPPORT 34.0
#define NOISE 1.5

/* The middle of the picture and its scale. */
typedef struct camera {
  double off_m[2], samples_per_m;
} camera;

static void place_point(const camera *c, const double x[3], double out[2]) {
  const double middle = FINE * SIDE / 2.0;
  out[0] = middle + (x[0] + c->off_m[0]) * c->samples_per_m;
  out[1] = middle - (x[1] + c->off_m[1]) * c->samples_per_m;
}

static double side_of(const double a[2], const double b[2], double x, double y) {
  return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

/* Marks the samples whose middle lies in the triangle, or on its rim. */
static void mark_triangle(const double p[3][2], unsigned char *sample) {
  const int n = FINE * SIDE;
  const double low[2] = {fmin(p[0][0], fmin(p[1][0], p[2][0])), fmin(p[0][1], fmin(p[1][1], p[2][1]))},
               high[2] = {fmax(p[0][0], fmax(p[1][0], p[2][0])), fmax(p[0][1], fmax(p[1][1], p[2][1]))};
  for (int y = (int)fmax(low[1] - 1, 0); y < n && y <= high[1]; y++)
    for (int x = (int)fmax(low[0] - 1, 0); x < n && x <= high[0]; x++) {
      double s[3];
      for (int k = 0; k < 3; k++) s[k] = side_of(p[k], p[(k + 1) % 3], x + 0.5, y + 0.5);
      if ((s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0))
        sample[(size_t)y * (size_t)n + (size_t)x] = 1;
    }
}

static void mark_cloth(const vlab_shadow *s, const camera *c, unsigned char *sample) {
  for (int t = 0; t < s->n_triangles; t++) {
    double p[3][2];
    for (int k = 0; k < 3; k++) place_point(c, s->position_m[s->triangle[t][k]], p[k]);
    mark_triangle((const double(*)[2])p, sample);
  }
}

static void mark_support(const vlab_shadow *s, const camera *c, unsigned char *sample) {
  const int n = FINE * SIDE;
  const double radius = s->support_m / 2 * c->samples_per_m, origin[3] = {0};
  double middle[2];
  place_point(c, origin, middle);
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++)
      if (hypot(x + 0.5 - middle[0], y + 0.5 - middle[1]) <= radius)
        sample[(size_t)y * (size_t)n + (size_t)x] = 2;
}

static void expose(const unsigned char *sample, cb_rng *rng, unsigned char *grey) {
  static const double level[] = {GROUND, CLOTH, SUPPORT};
  for (size_t y = 0; y < SIDE; y++)
    for (size_t x = 0; x < SIDE; x++) {
      double sum = NOISE * cb_rng_normal(rng);
      for (size_t k = 0; k < (size_t)FINE * FINE; k++)
        sum += level[sample[(FINE * y + k / FINE) * FINE * SIDE + FINE * x + k % FINE]] / (FINE * FINE);
      grey[y * SIDE + x] = (unsigned char)lround(fmin(fmax(sum, 0), 255));
    }
}

static cb_status write_png(const unsigned char *grey, const char *path, cb_err *err) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = SIDE, .height = SIDE, .format = PNG_FORMAT_GRAY};
  png_alloc_size_t n = PNG_IMAGE_PNG_SIZE_MAX(image);
  void *bytes = malloc(n);
  if (!bytes) return cb_no_memory(err, "%s", path);
  cb_status st = png_image_write_to_memory(&image, bytes, &n, 0, grey, 0, NULL)
                     ? cb_file_write(path, bytes, n, err)
                     : cb_fail(err, CB_E_IO, "%s: %s", path, image.message);
  free(bytes);
  return st;
}

cb_status vlab_picture(const vlab_shadow *s, cb_rng *rng, const char *path, cb_err *err) {
  const camera c = {.off_m = {OFF_M * cb_rng_normal(rng), OFF_M * cb_rng_normal(rng)},
                    .samples_per_m = FINE / (PIXEL_M * (1 + PIXEL_SD * cb_rng_normal(rng)))};
  unsigned char *sample = calloc((size_t)FINE * SIDE * FINE * SIDE, 1), *grey = malloc((size_t)SIDE * SIDE);
  cb_status st = CB_OK;
  if (!sample || !grey) CB_GOTO(cb_no_memory(err, "a picture of %d x %d", SIDE, SIDE));
  mark_cloth(s, &c, sample);
  mark_support(s, &c, sample);
  expose(sample, rng, grey);
  CB_GOTO(write_png(grey, path, err));
done:
  free(sample), free(grey);
  return st;
}
