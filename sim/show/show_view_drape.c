/* The page of one drape, and its picture. */
#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "show_view.h"
#include "sim_picture.h"

#define CLOTH_COLOUR \
  { 0.075F, 0.20F, 0.43F }
#define SUPPORT_COLOUR \
  { 0.45F, 0.45F, 0.43F }
#define CORNERS 96   /* of the support's circle */
#define HEIGHT 0.10F /* of the support [m] */
#define GAP 0.002F   /* of the drawn support below the cloth, which has no thickness on the page [m] */

static cb_status allocate(show_surface *s, int n_vertices, int n_triangles, cb_err *err) {
  s->position_m = malloc((size_t)n_vertices * sizeof *s->position_m + 1);
  s->triangle = malloc((size_t)n_triangles * sizeof *s->triangle + 1);
  if (!s->position_m || !s->triangle) return cb_no_memory(err, "view, %d vertices", n_vertices);
  s->n_vertices = n_vertices;
  s->n_triangles = n_triangles;
  return CB_OK;
}

static cb_status add_cloth(const show_drape *d, show_surface *s, cb_err *err) {
  *s = (show_surface){.name = "cloth", .cloth = true, .colour = CLOTH_COLOUR};
  CB_TRY(allocate(s, d->n_vertices, d->n_triangles, err));
  for (int v = 0; v < d->n_vertices; v++)
    for (int k = 0; k < 3; k++) s->position_m[v][k] = (float)d->position_m[v][k];
  for (int t = 0; t < d->n_triangles; t++)
    for (int k = 0; k < 3; k++) s->triangle[t][k] = d->triangle[t][k];
  return CB_OK;
}

/* A cylinder with an upper side: the middle, then pairs of an upper and a lower corner. */
static cb_status add_support(const show_drape *d, show_surface *s, cb_err *err) {
  *s = (show_surface){.name = "support", .colour = SUPPORT_COLOUR};
  CB_TRY(allocate(s, 1 + 2 * CORNERS, 3 * CORNERS, err));
  s->position_m[0][0] = s->position_m[0][1] = 0;
  s->position_m[0][2] = -GAP;
  for (int i = 0; i < CORNERS; i++) {
    const int a = 1 + 2 * i, b = 1 + 2 * ((i + 1) % CORNERS);
    const int three[3][3] = {{0, a, b}, {a, a + 1, b}, {b, a + 1, b + 1}};
    for (int k = 0; k < 2; k++) {
      s->position_m[a + k][0] = (float)(d->support_m / 2 * cos(2 * M_PI * i / CORNERS));
      s->position_m[a + k][1] = (float)(d->support_m / 2 * sin(2 * M_PI * i / CORNERS));
      s->position_m[a + k][2] = -GAP - (k == 1 ? HEIGHT : 0);
    }
    for (int t = 0; t < 3; t++)
      for (int k = 0; k < 3; k++) s->triangle[3 * i + t][k] = three[t][k];
  }
  return CB_OK;
}

static cb_status make_frame(const show_drape *d, show_frame *f, cb_err *err) {
  *f = (show_frame){.n_surfaces = 2};
  CB_TRY(add_cloth(d, &f->surface[0], err));
  return add_support(d, &f->surface[1], err);
}

static cb_status put_view(const show_drape *d, show_view *v, cb_bytes *out, cb_err *err) {
  show_frame *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "view, %d vertices", d->n_vertices);
  v->frame = f;
  v->scene = d->name;
  v->against = d->scan;
  v->outline = d->outline;
  v->n_outlines = d->n_outlines;
  cb_status st = make_frame(d, f, err);
  if (st == CB_OK) st = show_view_put(v, out, err);
  show_frame_clear(f);
  free(f);
  return st;
}

cb_status show_drape_view(const show_drape *d, const char *path, cb_err *err) {
  show_view v = {.look = "top"};
  cb_bytes out = {0};
  const cb_status st = put_view(d, &v, &out, err);
  if (st == CB_OK) return cb_bytes_write(&out, path, err);
  cb_bytes_clear(&out);
  return st;
}

cb_status show_drape_page(const show_drape *d, bool served, cb_bytes *out, cb_err *err) {
  show_view v = {.embedded = true, .served = served};
  return put_view(d, &v, out, err);
}

cb_status show_drape_picture(const show_drape *d, int width_px, int height_px, cb_bytes *out, cb_err *err) {
  show_surface s;
  const sim_view view = {width_px, height_px, -60 * CB_DEG, 24 * CB_DEG, 28 * CB_DEG};
  cb_status st = add_support(d, &s, err);
  double(*x)[3] = st == CB_OK ? malloc((size_t)s.n_vertices * sizeof *x) : NULL;
  if (st == CB_OK && !x) st = cb_no_memory(err, "a picture of a drape");
  for (int i = 0; x && i < 3 * s.n_vertices; i++) x[i / 3][i % 3] = (double)s.position_m[i / 3][i % 3];
  const sim_drawn drawn[] = {{.n_vertices = d->n_vertices,
                              .n_triangles = d->n_triangles,
                              .position_m = d->position_m,
                              .triangle = d->triangle,
                              .face = CLOTH_COLOUR,
                              .back = {0.62F, 0.25F, 0.11F}},
                             {.n_vertices = s.n_vertices,
                              .n_triangles = s.n_triangles,
                              .position_m = (const double(*)[3])x,
                              .triangle = (const int(*)[3])s.triangle,
                              .face = SUPPORT_COLOUR,
                              .sharp = true}};
  if (st == CB_OK) st = sim_picture_png(drawn, 2, &view, out, err);
  free(x);
  free(s.position_m);
  free(s.triangle);
  return st;
}
