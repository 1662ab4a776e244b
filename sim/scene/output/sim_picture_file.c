/* Pictures as PNG files, and those of a frame. */
#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "cb_bytes.h"
#include "sim_body.h"
#include "sim_picture_draw.h"
#include "sim_vec.h"

static void append(png_structp png, png_bytep data, size_t n) { cb_bytes_put(png_get_io_ptr(png), data, n); }
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
  png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_compression_level(png, 3);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB);
  png_write_info(png, info);
  for (int y = 0; y < height; y++) png_write_row(png, rgb + 3 * (size_t)y * (size_t)width);
  png_write_end(png, info);
  return true;
}

static void encode_to(const unsigned char *rgb, int width, int height, cb_bytes *b) {
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail, be_silent);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (info) {
    png_set_write_fn(png, b, append, flush);
    b->failed = !encode(png, info, rgb, width, height) || b->failed;
  } else {
    b->failed = true;
  }
  png_destroy_write_struct(&png, &info);
}

cb_status sim_picture_write(const unsigned char *rgb, int width, int height, const char *path, cb_err *err) {
  cb_bytes b = {0};
  encode_to(rgb, width, height, &b);
  return cb_bytes_write(&b, path, err);
}

cb_status sim_picture_png(const sim_drawn *surface, int n, const sim_view *view, cb_bytes *out, cb_err *err) {
  CB_TRY(sim_view_check(view, err));
  unsigned char *rgb = malloc(3 * (size_t)view->width_px * (size_t)view->height_px);
  cb_status st =
      rgb ? sim_picture_draw(view, surface, n, rgb, err) : cb_no_memory(err, "a picture of a drape");
  if (st == CB_OK) encode_to(rgb, view->width_px, view->height_px, out);
  free(rgb);
  return st == CB_OK && out->failed ? cb_no_memory(err, "a picture of %zu bytes", out->n) : st;
}

/* ---- a frame ---- */

typedef struct colour {
  float face[3], back[3];
} colour;

static const colour sheet = {{0.075F, 0.20F, 0.43F}, {0.62F, 0.25F, 0.11F}},
                    hard = {{0.45F, 0.45F, 0.43F}, {0.45F, 0.45F, 0.43F}};
/* One for each layer in turn: its case, and the body in it. */
static const colour cases[] = {{{0.62F, 0.57F, 0.45F}, {0.40F, 0.34F, 0.24F}},
                               {{0.42F, 0.13F, 0.12F}, {0.30F, 0.10F, 0.09F}},
                               {{0.17F, 0.34F, 0.20F}, {0.12F, 0.24F, 0.14F}},
                               {{0.55F, 0.40F, 0.10F}, {0.40F, 0.29F, 0.08F}}};
static const colour soft[] = {{{0.50F, 0.36F, 0.20F}, {0.50F, 0.36F, 0.20F}},
                              {{0.25F, 0.32F, 0.42F}, {0.25F, 0.32F, 0.42F}}};

#define OF(list, i) (&(list)[(i) % (int)(sizeof(list) / sizeof(list)[0])])

static sim_drawn drawn(const double (*x)[3], int n, const int (*triangle)[3], int n_triangles,
                       const colour *c) {
  sim_drawn d = {.n_vertices = n, .n_triangles = n_triangles, .position_m = x, .triangle = triangle};
  memcpy(d.face, c->face, sizeof d.face);
  memcpy(d.back, c->back, sizeof d.back);
  return d;
}

/* The cloth, in one piece or in several. Returns how many. */
static int draw_cloth(const sim_frame *f, sim_drawn *out) {
  const double(*x)[3] = (const sim_vec3 *)f->position_m;
  const int(*triangle)[3] = (const int(*)[3])f->mesh->triangle;
  for (int k = 0; k < f->n_parts; k++) {
    const sim_frame_part *p = &f->part[k];
    out[k] = drawn(x, f->mesh->n_vertices, triangle + p->first_triangle, p->n_triangles,
                   p->layer < 0 ? &sheet : OF(cases, p->layer));
  }
  if (f->n_parts > 0) return f->n_parts;
  out[0] = drawn(x, f->mesh->n_vertices, triangle, f->mesh->n_triangles, &sheet);
  return 1;
}

static int draw_layers(const sim_frame *f, sim_drawn *out) {
  for (int k = 0; k < f->n_layers; k++) {
    const sim_frame_body *l = &f->layer[k];
    out[k] = drawn((const sim_vec3 *)l->position_m, l->n_vertices, (const int(*)[3])l->triangle,
                   l->n_triangles, l->rigid ? &hard : OF(soft, k));
    out[k].sharp = true;
  }
  return f->n_layers;
}

int sim_picture_surfaces(const sim_frame *f, sim_drawn *out) {
  const int n = draw_cloth(f, out);
  return n + draw_layers(f, out + n);
}

/* The middle of what is drawn, and how far it reaches from there. */
static double ball_of(const sim_drawn *d, int n, double middle[3]) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, half[3];
  for (int s = 0; s < n; s++)
    for (int i = 0; i < d[s].n_vertices; i++)
      for (int k = 0; k < 3; k++) {
        low[k] = fmin(low[k], d[s].position_m[i][k]);
        high[k] = fmax(high[k], d[s].position_m[i][k]);
      }
  for (int k = 0; k < 3; k++) {
    middle[k] = (low[k] + high[k]) / 2;
    half[k] = (high[k] - low[k]) / 2;
  }
  return sim_norm(half);
}

/* Behind the n that there are: the bodies. */
static cb_status add_bodies(const sim_body *bodies, int n_bodies, sim_surface *surface, sim_drawn *all, int n,
                            cb_err *err) {
  double middle[3], reach = ball_of(all, n, middle);
  for (int i = 0; i < n_bodies; i++) {
    const bool ground = bodies[i].shape == SIM_PLANE;
    sim_surface *s = &surface[i];
    CB_TRY(sim_surface_of_body(&bodies[i], middle, ground ? 6 * reach : 1.1 * reach, s, err));
    all[n + i] = drawn((const sim_vec3 *)s->position_m, s->n_vertices, (const int(*)[3])s->triangle,
                       s->n_triangles, &hard);
    all[n + i].ground = ground;
    all[n + i].sharp = true;
  }
  return CB_OK;
}

#define CUT 0.25F /* of an edge of the cloth */

/* Cloth cuts the corners of the body that it lies on. It hides what it cuts: a body is drawn so far behind.
 */
static void draw_behind(sim_drawn *d, int n) {
  double sum = 0, edges = 0;
  for (int s = 0; s < n; s++)
    for (int t = 0; t < d[s].n_triangles && !d[s].sharp; t++, edges++) {
      double edge[3];
      sim_sub(d[s].position_m[d[s].triangle[t][1]], d[s].position_m[d[s].triangle[t][0]], edge);
      sum += sim_norm(edge);
    }
  for (int s = 0; s < n && edges > 0; s++)
    if (d[s].sharp) d[s].behind_m = CUT * (float)(sum / edges);
}

cb_status sim_picture_of(const sim_drawn *drawn, int n, const sim_body *bodies, int n_bodies,
                         const sim_view *view, const char *path, cb_err *err) {
  CB_TRY(sim_view_check(view, err));
  sim_surface *surface = calloc((size_t)n_bodies + 1, sizeof *surface);
  sim_drawn *all = calloc((size_t)(n + n_bodies) + 1, sizeof *all);
  unsigned char *rgb = malloc(3 * (size_t)view->width_px * (size_t)view->height_px);
  cb_status st;
  if (surface && all && rgb) {
    memcpy(all, drawn, (size_t)n * sizeof *all);
    CB_GOTO(add_bodies(bodies, n_bodies, surface, all, n, err));
    draw_behind(all, n + n_bodies);
    CB_GOTO(sim_picture_draw(view, all, n + n_bodies, rgb, err));
    CB_GOTO(sim_picture_write(rgb, view->width_px, view->height_px, path, err));
  } else {
    st = cb_no_memory(err, "%s, a picture of %d x %d pixels", path, view->width_px, view->height_px);
  }
done:
  for (int i = 0; surface && i < n_bodies; i++) sim_surface_clear(&surface[i]);
  free(surface);
  free(all);
  free(rgb);
  return st;
}
