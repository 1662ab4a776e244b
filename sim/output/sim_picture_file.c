/* Pictures as PNG files, and those of a frame. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "sim_bytes.h"
#include "sim_picture.h"
#include "sim_surface.h"
#include "sim_vec.h"

static void append(png_structp png, png_bytep data, size_t n) { sim_bytes_put(png_get_io_ptr(png), data, n); }
static void flush(png_structp png) { (void)png; }
static void fail(png_structp png, png_const_charp what) {
  (void)what;
  longjmp(png_jmpbuf(png), 1); /* NOLINT: libpng's own way */
}
static void be_silent(png_structp png, png_const_charp what) {
  (void)png;
  (void)what;
}

/* Smooth pictures: one filter, little search. */
static bool encode(png_structp png, png_infop info, const unsigned char *rgb, int width, int height) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, 3);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  for (int y = 0; y < height; y++) png_write_row(png, rgb + 3 * (size_t)y * (size_t)width);
  png_write_end(png, info);
  return true;
}

cb_status sim_picture_write(const unsigned char *rgb, int width, int height, const char *path, cb_err *err) {
  sim_bytes b = {0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, be_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (info) {
    png_set_write_fn(png, &b, append, flush);
    b.failed = !encode(png, info, rgb, width, height) || b.failed;
  } else {
    b.failed = true;
  }
  png_destroy_write_struct(&png, &info);
  cb_status st = sim_bytes_write(&b, path, err);
  sim_bytes_clear(&b);
  return st;
}

/* ---- a frame ---- */

static sim_drawn drawn_cloth(const sim_frame *f) {
  return (sim_drawn){.n_vertices = f->mesh->n_vertices,
                     .n_triangles = f->mesh->n_triangles,
                     .position_m = (const double(*)[3])f->position_m,
                     .triangle = (const int(*)[3])f->mesh->triangle,
                     .face = {0.075F, 0.20F, 0.43F},
                     .back = {0.62F, 0.25F, 0.11F}};
}

static sim_drawn drawn_body(const sim_surface *s, bool ground) {
  return (sim_drawn){.n_vertices = s->n_vertices,
                     .n_triangles = s->n_triangles,
                     .position_m = (const double(*)[3])s->position_m,
                     .triangle = (const int(*)[3])s->triangle,
                     .face = {0.45F, 0.45F, 0.43F},
                     .back = {0.45F, 0.45F, 0.43F},
                     .ground = ground};
}

/* The middle of the cloth, and how far it reaches from there. */
static double ball_of(const sim_frame *f, double middle[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, half[3];
  for (int i = 0; i < f->mesh->n_vertices; i++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], f->position_m[i][k]);
      high[k] = fmax(high[k], f->position_m[i][k]);
    }
  for (int k = 0; k < 3; k++) {
    middle[k] = (low[k] + high[k]) / 2;
    half[k] = (high[k] - low[k]) / 2;
  }
  return sim_norm(half);
}

static cb_status make_surfaces(const sim_frame *f, const sim_body *bodies, int n, sim_surface *surface, sim_drawn *drawn, cb_err *err) {
  double middle[3], reach = ball_of(f, middle);
  drawn[0] = drawn_cloth(f);
  for (int i = 0; i < n; i++) {
    bool ground = bodies[i].shape == SIM_PLANE;
    CB_TRY(sim_surface_of_body(&bodies[i], middle, ground ? 6 * reach : 1.1 * reach, &surface[i], err));
    drawn[i + 1] = drawn_body(&surface[i], ground);
  }
  return CB_OK;
}

cb_status sim_picture_of_frame(const sim_frame *f, const sim_body *bodies, int n, const sim_view *view, const char *path, cb_err *err) {
  CB_TRY(sim_view_check(view, err));
  sim_surface *surface = calloc((size_t)n + 1, sizeof *surface);
  sim_drawn *drawn = calloc((size_t)n + 1, sizeof *drawn);
  unsigned char *rgb = malloc(3 * (size_t)view->width_px * (size_t)view->height_px);
  cb_status st;
  if (surface && drawn && rgb) {
    CB_GOTO(make_surfaces(f, bodies, n, surface, drawn, err));
    CB_GOTO(sim_picture_draw(view, drawn, n + 1, rgb, err));
    CB_GOTO(sim_picture_write(rgb, view->width_px, view->height_px, path, err));
  } else {
    st = cb_fail(err, CB_E_NOMEM, "%s: out of memory for a picture of %d x %d pixels", path, view->width_px, view->height_px);
  }
done:
  for (int i = 0; surface && i < n; i++) sim_surface_clear(&surface[i]);
  free(surface);
  free(drawn);
  free(rgb);
  return st;
}
