/* Drapes whose truth is known: shapes drawn with exact covers (16 x 16 samples per pixel on the edge), as
 * pictures in memory and in files.
 */
#ifndef DRAPETEST_H
#define DRAPETEST_H

#include <png.h>
#include <jpeglib.h>

#include "cb_num.h"
#include "cbtest.h"
#include "fit_drape_impl.h"

/* r = a + b cos(k phi) [px] about (x, y), phi counter-clockwise from the right; k = 0: a disc of radius a. */
typedef struct dt_rosette {
  double x, y, a, b;
  int k;
} dt_rosette;

#define DT_SAMPLES 16

static inline int dt_inside(const dt_rosette *q, double x, double y) {
  double r = hypot(x - q->x, q->y - y);
  if (r < q->a - fabs(q->b)) return 1;
  if (r > q->a + fabs(q->b)) return 0;
  return r < q->a + q->b * cos(q->k * atan2(q->y - y, x - q->x));
}

static inline double dt_cover(const dt_rosette *q, size_t i, size_t j) {
  double x = (double)i + 0.5 - q->x, y = q->y - (double)j - 0.5,
         slope = fabs(q->b) * q->k / (q->a - fabs(q->b));
  if (fabs(hypot(x, y) - q->a - q->b * cos(q->k * atan2(y, x))) > 0.8 * (1 + slope))
    return dt_inside(q, x + q->x, q->y - y);
  int n = 0;
  for (int s = 0; s < DT_SAMPLES * DT_SAMPLES; s++)
    n += dt_inside(q, (double)i + (s % DT_SAMPLES + 0.5) / DT_SAMPLES,
                   (double)j + (s / DT_SAMPLES + 0.5) / DT_SAMPLES);
  return (double)n / (DT_SAMPLES * DT_SAMPLES);
}

static inline fit_picture dt_ground(size_t width, size_t height, unsigned char grey) {
  fit_picture p = {width, height, malloc(width * height)};
  assert_non_null(p.grey);
  memset(p.grey, grey, width * height);
  return p;
}

static inline void dt_draw(fit_picture *p, const dt_rosette *q, double grey) {
  for (size_t j = 0; j < p->height; j++)
    for (size_t i = 0; i < p->width; i++) {
      double c = dt_cover(q, i, j), was = p->grey[j * p->width + i];
      p->grey[j * p->width + i] = (unsigned char)lrint(was + c * (grey - was));
    }
}

static inline double dt_area(const dt_rosette *q) { return CB_PI * (q->a * q->a + q->b * q->b / 2); }

/* Of a 30 cm specimen on an 18 cm support. */
static inline double dt_coefficient(double area_m2) {
  return (area_m2 - CB_PI * 0.0081) / (CB_PI * (0.0225 - 0.0081));
}

static inline void dt_write_png(const fit_picture *p, const char *path) {
  png_image image = {.version = PNG_IMAGE_VERSION,
                     .width = (png_uint_32)p->width,
                     .height = (png_uint_32)p->height,
                     .format = PNG_FORMAT_GRAY};
  assert_int_not_equal(png_image_write_to_file(&image, path, 0, p->grey, 0, NULL), 0);
}

static inline void dt_write_jpeg(const fit_picture *p, const char *path, int quality) {
  struct jpeg_compress_struct c;
  struct jpeg_error_mgr e;
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  c.err = jpeg_std_error(&e);
  jpeg_create_compress(&c);
  jpeg_stdio_dest(&c, f);
  c.image_width = (JDIMENSION)p->width;
  c.image_height = (JDIMENSION)p->height;
  c.input_components = 1;
  c.in_color_space = JCS_GRAYSCALE;
  jpeg_set_defaults(&c);
  jpeg_set_quality(&c, quality, TRUE);
  jpeg_start_compress(&c, TRUE);
  while (c.next_scanline < c.image_height) {
    JSAMPROW row = p->grey + c.next_scanline * p->width;
    (void)jpeg_write_scanlines(&c, &row, 1);
  }
  jpeg_finish_compress(&c);
  jpeg_destroy_compress(&c);
  fclose(f);
}

#endif
