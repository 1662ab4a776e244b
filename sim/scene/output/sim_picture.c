#include "sim_picture_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_threads.h"
#include "sim_picture_stage.h"
#include "sim_vec.h"

#define MAX_PX 8192
#define MARGIN 1.04 /* around what is drawn */
#define BAND 128    /* rows of samples that one thread draws at a time; even */

/* The lamp stands to the left of the camera, and higher. */
#define LAMP_AZIMUTH (-50 * CB_DEG)
#define LAMP_ELEVATION (48 * CB_DEG)

static const float lamp_light = 0.72F, sky_light = 0.52F, any_light = 0.05F;

sim_view sim_view_default(void) {
  return (sim_view){.width_px = 1000,
                    .height_px = 1000,
                    .azimuth_rad = -60 * CB_DEG,
                    .elevation_rad = 25 * CB_DEG,
                    .field_rad = 25 * CB_DEG};
}

cb_status sim_view_check(const sim_view *v, cb_err *err) {
  if (v->width_px < 16 || v->width_px > MAX_PX || v->height_px < 16 || v->height_px > MAX_PX)
    return cb_fail(err, CB_E_RANGE, "picture: %d x %d pixels: 16 to %d were wanted", v->width_px,
                   v->height_px, MAX_PX);
  if (!(fabs(v->elevation_rad) <= CB_PI / 2 && isfinite(v->azimuth_rad)))
    return cb_fail(
        err, CB_E_RANGE,
        "picture: seen from %g deg, %g deg above: finite, at most 90 deg above or below were wanted",
        v->azimuth_rad / CB_DEG, v->elevation_rad / CB_DEG);
  if (!(v->field_rad >= 0 && v->field_rad <= 2 * CB_PI / 3))
    return cb_fail(err, CB_E_RANGE,
                   "picture: opening angle = %g deg: must lie between 0 (orthographic) and 120",
                   v->field_rad / CB_DEG);
  return CB_OK;
}

static void direction(double azimuth, double elevation, double out[3]) {
  out[0] = cos(elevation) * cos(azimuth);
  out[1] = cos(elevation) * sin(azimuth);
  out[2] = sin(elevation);
}

/* As near as everything but the ground fits into the picture of w x h samples. */
static void fit(const sim_view *v, const sim_picture_stage *s, sim_camera *c, int w, int h) {
  double back[3], shorter = w < h ? w : h, tangent = v->field_rad > 0 ? tan(v->field_rad / 2) : 1;
  double tx = tangent * w / shorter / MARGIN, ty = tangent * h / shorter / MARGIN, need = 0;
  direction(v->azimuth_rad, v->elevation_rad, back);
  *c = (sim_camera){.depth = 3 * s->reach, .x = w / 2.0, .y = h / 2.0};
  memcpy(c->middle, s->middle, sizeof c->middle);
  sim_camera_turn(c, back);
  for (int t = 0; t < s->n_triangles; t++)
    for (int k = 0; k < 3 && !s->ground[t]; k++) {
      double d[3];
      sim_sub(s->x[s->triangle[t][k]], c->middle, d);
      double away = fmax(fabs(sim_dot(d, c->right)) / tx, fabs(sim_dot(d, c->up)) / ty);
      need = fmax(need, v->field_rad > 0 ? away + sim_dot(d, back) : away);
    }
  need = fmax(need, 1e-9);
  c->distance = v->field_rad > 0 ? need : 0;
  c->scale = shorter / 2 / (v->field_rad > 0 ? tangent : need);
}

/* ---- light ---- */

typedef struct picture {
  const sim_picture_stage *stage;
  sim_camera camera;
  sim_raster raster;
  double lamp[3];
  int width, height; /* samples */
} picture;

/* Where a sample lies on its triangle. */
typedef struct spot {
  const sim_drawn *surface;
  double x[3];
  float normal[3], sky; /* on the side that is seen */
  float to_camera[3];
  bool back;
} spot;

/* On the screen keys are linear; on the triangle of a perspective picture it is what they weigh. */
static void weights_at(const picture *p, const int v[3], int x, int y, float w[3]) {
  const float *a = p->stage->seen[v[0]], *b = p->stage->seen[v[1]], *c = p->stage->seen[v[2]];
  sim_raster_weights(a, b, c, (float)x + 0.5F, (float)y + 0.5F, w);
  if (p->camera.distance == 0) return;
  const float by_key[3] = {w[0] * a[2], w[1] * b[2], w[2] * c[2]};
  float sum = by_key[0] + by_key[1] + by_key[2];
  for (int k = 0; k < 3; k++) w[k] = by_key[k] / sum;
}

/* The normal on the side that is seen. What is seen does not look away: where a smooth normal would, it stays
 * on the edge. */
static void find_normal(const sim_picture_stage *s, int triangle, const float w[3], spot *at) {
  at->back = sim_picture_dot(s->face[triangle], at->to_camera) < 0;
  const float side = at->back ? -1 : 1;
  for (int k = 0; k < 3; k++) at->normal[k] = 0;
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++) at->normal[k] += side * w[c] * s->corner[triangle][c][k];
  const float away = fminf(sim_picture_dot(at->normal, at->to_camera), 0);
  for (int k = 0; k < 3; k++) at->normal[k] -= away * at->to_camera[k];
  sim_picture_unit(at->normal);
}

static void find_spot(const picture *p, int triangle, int x, int y, spot *at) {
  const sim_picture_stage *s = p->stage;
  const int *v = s->triangle[triangle];
  float w[3];
  weights_at(p, v, x, y, w);
  at->surface = &s->surface[s->of[triangle]];
  for (int k = 0; k < 3; k++) {
    at->x[k] = (double)w[0] * s->x[v[0]][k] + (double)w[1] * s->x[v[1]][k] + (double)w[2] * s->x[v[2]][k];
    double from = p->camera.distance > 0
                      ? p->camera.middle[k] + p->camera.distance * p->camera.back[k] - at->x[k]
                      : p->camera.back[k];
    at->to_camera[k] = (float)from;
  }
  sim_picture_unit(at->to_camera);
  find_normal(s, triangle, w, at);
  /* In a fold a vertex may look to the other side than its triangle. */
  at->sky = 0;
  for (int c = 0; c < 3; c++)
    at->sky += w[c] * s->sky[v[c]][at->back != (sim_picture_dot(s->normal[v[c]], s->face[triangle]) < 0)];
}

/* A little lighter below, as a studio's wall. */
static void background(const picture *p, int y, float rgb[3]) {
  float t = (float)y / (float)p->height;
  rgb[0] = 0.70F + 0.14F * t;
  rgb[1] = 0.74F + 0.12F * t;
  rgb[2] = 0.80F + 0.08F * t;
}

/* What is missing of the light that an empty ground gets, less and less towards its rim. */
static void shade_ground(const picture *p, const spot *at, int y, float rgb[3]) {
  const sim_picture_stage *s = p->stage;
  double d[3];
  sim_sub(at->x, s->middle, d);
  const float rim = (float)fmin(1, fmax(0, (sim_norm(d) / s->reach - 1.5) / 2));
  background(p, y, rgb);
  if (rim == 1) return;
  float full = sky_light + lamp_light * (float)p->lamp[2], got = sky_light * at->sky;
  got += lamp_light * (float)p->lamp[2] * sim_picture_stage_lamp(s, at->x, at->normal);
  float share = rim + (1 - rim) * got / full;
  for (int k = 0; k < 3; k++) rgb[k] *= share;
}

#define LINE 0.4F /* of the light is left on a line */

/* How light it is so near to an edge of its triangle: lines are one to two samples wide on either side. */
static float lined(const picture *p, int triangle, int x, int y) {
  const int *v = p->stage->triangle[triangle];
  float nearest = INFINITY, at[2] = {(float)x + 0.5F, (float)y + 0.5F};
  for (int k = 0; k < 3; k++) {
    const float *a = p->stage->seen[v[k]], *b = p->stage->seen[v[(k + 1) % 3]], dx = b[0] - a[0],
                dy = b[1] - a[1];
    nearest = fminf(nearest, fabsf(dx * (at[1] - a[1]) - dy * (at[0] - a[0])) / sqrtf(dx * dx + dy * dy));
  }
  return LINE + (1 - LINE) * fminf(fmaxf(nearest - 0.5F, 0), 1);
}

static void wind_shadow(const picture *p, int triangle, int x, int y, float rgb[3]) {
  spot at;
  if (triangle < 0) {
    background(p, y, rgb);
    return;
  }
  find_spot(p, triangle, x, y, &at);
  if (at.surface->ground) {
    shade_ground(p, &at, y, rgb);
    return;
  }
  const float lamp[3] = {(float)p->lamp[0], (float)p->lamp[1], (float)p->lamp[2]},
              *colour = at.back ? at.surface->back : at.surface->face;
  /* Cloth scatters: the light reaches a little round the edge of what it falls on, and at grazing sight
   * fibres shine. */
  float falls = (sim_picture_dot(at.normal, lamp) + 0.12F) / 1.12F,
        grazing = 1 - fabsf(sim_picture_dot(at.normal, at.to_camera));
  float light = any_light + sky_light * at.sky * (0.55F + 0.45F * at.normal[2]);
  if (falls > 0) light += lamp_light * falls * sim_picture_stage_lamp(p->stage, at.x, at.normal);
  if (at.surface->edges) light *= lined(p, triangle, x, y);
  float sheen = 0.18F * grazing * grazing * grazing * light;
  for (int k = 0; k < 3; k++) rgb[k] = colour[k] * light * 1.15F + sheen;
}

/* ---- pixels ---- */

#define GAMMA_STEPS 4096

/* IEC 61966-2-1. */
static void make_gamma(unsigned char *table) {
  for (int i = 0; i < GAMMA_STEPS; i++) {
    double v = (i + 0.5) / GAMMA_STEPS, s = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1 / 2.4) - 0.055;
    table[i] = (unsigned char)lround(255 * s);
  }
}

/* Do two samples look alike: both background, both ground, or pieces of one surface that lie and look nearly
 * the same? */
static bool alike(const picture *p, size_t a, size_t b) {
  const sim_picture_stage *s = p->stage;
  int ta = p->raster.triangle[a], tb = p->raster.triangle[b];
  if (ta >= 0 && s->surface[s->of[ta]].edges) return false;
  if (ta == tb) return true;
  if (ta < 0 || tb < 0 || s->of[ta] != s->of[tb]) return false;
  if (s->ground[ta]) return true;
  float ka = p->raster.key[a], kb = p->raster.key[b];
  return fabsf(ka - kb) < 0.003F * ka && sim_picture_dot(s->corner[ta][0], s->corner[tb][0]) > 0.99F;
}

/* A pixel whose samples look alike is shaded once, others sample by sample. */
static void pixel(const picture *p, int px, int py, float rgb[3]) {
  size_t at = (size_t)(2 * py - p->raster.top) * (size_t)p->width + (size_t)(2 * px),
         below = at + (size_t)p->width;
  const int *t = p->raster.triangle, id[4] = {t[at], t[at + 1], t[below], t[below + 1]};
  if (alike(p, at, at + 1) && alike(p, at, below) && alike(p, at, below + 1)) {
    wind_shadow(p, id[0], 2 * px, 2 * py, rgb);
    return;
  }
  rgb[0] = rgb[1] = rgb[2] = 0;
  for (int k = 0; k < 4; k++) {
    float one[3];
    wind_shadow(p, id[k], 2 * px + k % 2, 2 * py + k / 2, one);
    for (int c = 0; c < 3; c++) rgb[c] += fminf(one[c], 1) / 4;
  }
}

/* p has room for the rows first to last - 1 of samples. */
static void draw_rows(const picture *p, int first, int last, const unsigned char *gamma, unsigned char *out) {
  memset(p->raster.triangle, 0xFF, (size_t)(last - first) * (size_t)p->width * sizeof(int)); /* -1 */
  sim_raster_fill(&p->raster, (const float(*)[3])p->stage->seen, (const int(*)[3])p->stage->triangle, NULL,
                  p->stage->n_triangles, first, last);
  for (int py = first / 2; py < last / 2; py++)
    for (int px = 0; px < p->width / 2; px++) {
      float rgb[3];
      pixel(p, px, py, rgb);
      unsigned char *to = out + 3 * ((size_t)py * (size_t)(p->width / 2) + (size_t)px);
      for (int c = 0; c < 3; c++) {
        int step = (int)(rgb[c] * GAMMA_STEPS);
        to[c] = gamma[step < GAMMA_STEPS ? step : GAMMA_STEPS - 1];
      }
    }
}

/* A thread has samples for one band alone, and uses them again: memory of the whole picture, taken for each,
 * costs more than what is drawn into it. */
static bool take_band(picture *p) {
  const size_t samples = (size_t)p->width * BAND;
  p->raster =
      (sim_raster){p->width, p->height, malloc(samples * sizeof(float)), malloc(samples * sizeof(int)), 0};
  return p->raster.key && p->raster.triangle;
}

static cb_status draw(const sim_view *v, sim_picture_stage *s, const double lamp[3], unsigned char *rgb,
                      cb_err *err) {
  picture p = {.stage = s, .width = 2 * v->width_px, .height = 2 * v->height_px};
  unsigned char gamma[GAMMA_STEPS];
  bool room = true;
  memcpy(p.lamp, lamp, sizeof p.lamp);
  fit(v, s, &p.camera, p.width, p.height);
  sim_picture_stage_see(s, &p.camera);
  make_gamma(gamma);
#pragma omp parallel num_threads(cb_threads_all()) reduction(&& : room)
  {
    picture own = p;
    room = take_band(&own);
#pragma omp for schedule(dynamic)
    for (int row = 0; row < p.height; row += BAND) {
      own.raster.top = row;
      if (room) draw_rows(&own, row, row + BAND < p.height ? row + BAND : p.height, gamma, rgb);
    }
    free(own.raster.key);
    free(own.raster.triangle);
  }
  return room ? CB_OK : cb_no_memory(err, "picture, %d x %d pixels", v->width_px, v->height_px);
}

cb_status sim_picture_draw(const sim_view *v, const sim_drawn *surface, int n, unsigned char *rgb,
                           cb_err *err) {
  sim_picture_stage s;
  double lamp[3];
  CB_TRY(sim_view_check(v, err));
  direction(v->azimuth_rad + LAMP_AZIMUTH, LAMP_ELEVATION, lamp);
  cb_status st = sim_picture_stage_init(surface, n, lamp, &s, err);
  if (st == CB_OK) st = draw(v, &s, lamp, rgb, err);
  sim_picture_stage_clear(&s);
  return st;
}
