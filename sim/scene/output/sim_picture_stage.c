#include "sim_picture_stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_vec.h"

#define SHADOW 2048   /* samples across the lamp's view */
#define SKY 256       /* and across that from each direction of the sky */
#define PENUMBRA 2.0F /* half the width of a shadow's edge, samples */
#define DIRECTIONS 16
#define BAND 256 /* rows that one thread draws at a time */

void sim_picture_stage_clear(sim_picture_stage *s) {
  free(s->x);
  free(s->normal);
  free(s->corner);
  free(s->face);
  free(s->sky);
  free(s->triangle);
  free(s->of);
  free(s->ground);
  free(s->seen);
  free(s->shadow.key);
  *s = (sim_picture_stage){0};
}

static cb_status allocate(sim_picture_stage *s, cb_err *err) {
  size_t n = (size_t)s->n_vertices, nt = (size_t)s->n_triangles;
  s->x = malloc(n * sizeof *s->x);
  s->normal = calloc(n, sizeof *s->normal);
  s->corner = calloc(nt, sizeof *s->corner);
  s->face = malloc(nt * sizeof *s->face);
  s->sky = calloc(n, sizeof *s->sky);
  s->seen = malloc(n * sizeof *s->seen);
  s->triangle = calloc(nt, sizeof *s->triangle);
  s->of = malloc(nt * sizeof *s->of);
  s->ground = malloc(nt * sizeof *s->ground);
  s->shadow = (sim_raster){.width = SHADOW, .height = SHADOW, .key = malloc(sizeof(float) * SHADOW * SHADOW)};
  if (s->x && s->normal && s->corner && s->face && s->sky && s->seen && s->triangle && s->of && s->ground &&
      s->shadow.key)
    return CB_OK;
  return cb_no_memory(err, "picture, %d triangles", s->n_triangles);
}

static void gather(sim_picture_stage *s, int n) {
  int v = 0, t = 0;
  for (int i = 0; i < n; i++) {
    const sim_drawn *d = &s->surface[i];
    memcpy(s->x + v, d->position_m, (size_t)d->n_vertices * sizeof *s->x);
    for (int j = 0; j < d->n_triangles; j++, t++) {
      for (int k = 0; k < 3; k++) s->triangle[t][k] = v + d->triangle[j][k];
      s->of[t] = i;
      s->ground[t] = d->ground;
    }
    v += d->n_vertices;
  }
}

/* ---- normals ---- */

void sim_picture_unit(float v[3]) {
  const float length = sqrtf(sim_picture_dot(v, v));
  for (int k = 0; k < 3; k++) v[k] = length > 0 ? v[k] / length : 0;
}

/* A vertex has the sum of the area vectors of its triangles. */
static void find_normals(sim_picture_stage *s) {
  for (int t = 0; t < s->n_triangles; t++) {
    const int *v = s->triangle[t];
    double a[3], b[3], n[3];
    sim_sub(s->x[v[1]], s->x[v[0]], a);
    sim_sub(s->x[v[2]], s->x[v[0]], b);
    sim_cross(a, b, n);
    for (int k = 0; k < 3; k++) s->face[t][k] = (float)n[k];
    for (int k = 0; k < 3; k++)
      for (int c = 0; c < 3; c++) s->normal[v[k]][c] += s->face[t][c];
  }
  for (int i = 0; i < s->n_vertices; i++) sim_picture_unit(s->normal[i]);
}

/* How much of a triangle's area vector the corner of another takes: all of it up to 60 degrees between them,
 * nothing from 90 degrees on; on a body from 41 and 60. */
static float share_of(const float a[3], const float b[3], bool sharp) {
  const float lengths = sqrtf(sim_picture_dot(a, a) * sim_picture_dot(b, b)),
              cosine = lengths > 0 ? sim_picture_dot(a, b) / lengths : 0;
  const float whole = sharp ? 0.75F : 0.5F, none = sharp ? 0.5F : 0;
  return fminf(fmaxf((cosine - none) / (whole - none), 0), 1);
}

/* The corners at a vertex are a chain: first, next[first] ... -1. */
static void find_corner(const sim_picture_stage *s, int triangle, int first, const int *next, float out[3]) {
  const bool sharp = s->surface[s->of[triangle]].sharp;
  for (int c = first; c >= 0; c = next[c]) {
    const float *other = s->face[c / 3],
                share = c / 3 == triangle ? 1 : share_of(s->face[triangle], other, sharp);
    for (int k = 0; k < 3; k++) out[k] += share * other[k];
  }
  sim_picture_unit(out);
}

static cb_status find_corners(sim_picture_stage *s, cb_err *err) {
  const int corners = 3 * s->n_triangles;
  int *first = malloc((size_t)s->n_vertices * sizeof *first), *next = malloc((size_t)corners * sizeof *next);
  const cb_status st = first && next ? CB_OK : cb_no_memory(err, "picture, %d corners", corners);
  for (int i = 0; st == CB_OK && i < s->n_vertices; i++) first[i] = -1;
  for (int c = 0; st == CB_OK && c < corners; c++) {
    int *at = &first[s->triangle[c / 3][c % 3]];
    next[c] = *at;
    *at = c;
  }
#pragma omp parallel for schedule(static) num_threads(cb_threads_all()) if (st == CB_OK)
  for (int c = 0; c < (st == CB_OK ? corners : 0); c++)
    find_corner(s, c / 3, first[s->triangle[c / 3][c % 3]], next, s->corner[c / 3][c % 3]);
  free(first);
  free(next);
  return st;
}

static void find_ball(sim_picture_stage *s) {
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int t = 0; t < s->n_triangles; t++)
    for (int k = 0; k < 3 && !s->ground[t]; k++)
      for (int c = 0; c < 3; c++) {
        low[c] = fmin(low[c], s->x[s->triangle[t][k]][c]);
        high[c] = fmax(high[c], s->x[s->triangle[t][k]][c]);
      }
  double r[3];
  for (int c = 0; c < 3; c++) {
    s->middle[c] = (low[c] + high[c]) / 2;
    r[c] = (high[c] - low[c]) / 2;
  }
  s->reach = fmax(sim_norm(r), 1e-9);
}

/* A camera far away in this direction that has the whole ball. */
static sim_camera look_along(const sim_picture_stage *s, const double back[3], int size) {
  sim_camera c = {.depth = 3 * s->reach, .scale = 0.49 * size / s->reach, .x = size / 2.0, .y = size / 2.0};
  memcpy(c.middle, s->middle, sizeof c.middle);
  sim_camera_turn(&c, back);
  return c;
}

/* Farther away in its key alone: it stays where it is on the screen. */
static void move_behind(const sim_camera *c, float by_m, float seen[3]) {
  seen[2] = c->distance > 0 ? seen[2] / (1 + by_m * seen[2]) : seen[2] - by_m;
}

void sim_picture_stage_see(sim_picture_stage *s, const sim_camera *c) {
#pragma omp parallel for schedule(static) num_threads(cb_threads_all())
  for (int i = 0; i < s->n_vertices; i++) sim_camera_see(c, s->x[i], s->seen[i]);
  for (int k = 0, v = 0; k < s->n_surfaces; v += s->surface[k++].n_vertices)
    for (int i = 0; s->surface[k].behind_m > 0 && i < s->surface[k].n_vertices; i++)
      move_behind(c, s->surface[k].behind_m, s->seen[v + i]);
}

static void find_shadow(sim_picture_stage *s, const double lamp[3]) {
  s->lamp = look_along(s, lamp, SHADOW);
  sim_picture_stage_see(s, &s->lamp);
#pragma omp parallel for schedule(dynamic) num_threads(cb_threads_all())
  for (int row = 0; row < SHADOW; row += BAND)
    sim_raster_fill(&s->shadow, (const float(*)[3])s->seen, (const int(*)[3])s->triangle, s->ground,
                    s->n_triangles, row, row + BAND < SHADOW ? row + BAND : SHADOW);
}

/* Is nothing nearer to the camera than this? Outside of its view there is nothing. */
static bool clear_at(const sim_raster *r, int x, int y, float key) {
  if (x < 0 || y < 0 || x >= r->width || y >= r->height) return true;
  float nearest = r->key[(size_t)y * (size_t)r->width + (size_t)x];
  return nearest == 0 || nearest <= key;
}

/* floorf without a call. */
static int floor_of(float v) {
  const int n = v > -1e9F && v < 1e9F ? (int)v : -1;
  return n - ((float)n > v);
}

static int lit_at(const sim_picture_stage *s, const float at[3], int i, int j) {
  return clear_at(&s->shadow, floor_of(at[0] + PENUMBRA * ((float)i - 1.5F)),
                  floor_of(at[1] + PENUMBRA * ((float)j - 1.5F)), at[2]);
}

/* Of 4 x 4 places around; where the corners agree, the others are taken to. */
float sim_picture_stage_lamp(const sim_picture_stage *s, const double x[3], const float normal[3]) {
  double off = 5 / s->lamp.scale, p[3];
  float at[3];
  for (int k = 0; k < 3; k++) p[k] = x[k] + off * (double)normal[k];
  sim_camera_see(&s->lamp, p, at);
  int corners = lit_at(s, at, 0, 0) + lit_at(s, at, 3, 0) + lit_at(s, at, 0, 3) + lit_at(s, at, 3, 3);
  if (corners % 4 == 0) return (float)corners / 4;
  int lit = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) lit += lit_at(s, at, i, j);
  return (float)lit / 16;
}

/* Evenly over the upper half of the sphere: Fibonacci's spiral. */
static void direction_of(int i, double out[3]) {
  double z = (i + 0.5) / DIRECTIONS, r = sqrt(1 - z * z), angle = i * M_PI * (3 - sqrt(5.0));
  out[0] = r * cos(angle);
  out[1] = r * sin(angle);
  out[2] = z;
}

/* Which vertices see the sky in this direction, on the side that looks there. */
static void look_up(const sim_picture_stage *s, const double back[3], float (*seen)[3], const sim_raster *r,
                    unsigned char *open) {
  sim_camera c = look_along(s, back, SKY);
  for (int i = 0; i < s->n_vertices; i++) sim_camera_see(&c, s->x[i], seen[i]);
  sim_raster_fill(r, (const float(*)[3])seen, (const int(*)[3])s->triangle, s->ground, s->n_triangles, 0,
                  SKY);
  double off = 1.5 / c.scale;
  for (int i = 0; i < s->n_vertices; i++) {
    double side = 0, p[3];
    for (int k = 0; k < 3; k++) side += (double)s->normal[i][k] * back[k];
    for (int k = 0; k < 3; k++) p[k] = s->x[i][k] + (side < 0 ? -off : off) * (double)s->normal[i][k];
    float at[3];
    sim_camera_see(&c, p, at);
    open[i] = clear_at(r, floor_of(at[0]), floor_of(at[1]), at[2]);
  }
}

/* Weighted by the cosine: what a matt surface makes of it. Normalised by what an open one gets that looks the
 * same way. */
static void add_up(sim_picture_stage *s, const double (*to)[3], const unsigned char *open) {
#pragma omp parallel for schedule(static) num_threads(cb_threads_all())
  for (int i = 0; i < s->n_vertices; i++) {
    float sum[2] = {0, 0}, all[2] = {0, 0};
    for (int d = 0; d < DIRECTIONS; d++) {
      double side = 0;
      for (int k = 0; k < 3; k++) side += (double)s->normal[i][k] * to[d][k];
      all[side < 0] += (float)fabs(side);
      if (open[(size_t)d * (size_t)s->n_vertices + (size_t)i]) sum[side < 0] += (float)fabs(side);
    }
    for (int k = 0; k < 2; k++) s->sky[i][k] = all[k] > 0 ? sum[k] / all[k] : 0;
  }
}

static cb_status find_sky(sim_picture_stage *s, cb_err *err) {
  size_t n = (size_t)s->n_vertices;
  double to[DIRECTIONS][3];
  for (int d = 0; d < DIRECTIONS; d++) direction_of(d, to[d]);
  unsigned char *open = malloc(DIRECTIONS * n);
  float(*seen)[3] = malloc(DIRECTIONS * n * sizeof *seen),
  *key = malloc(sizeof *key * DIRECTIONS * SKY * SKY);
  cb_status st = open && seen && key ? CB_OK : cb_no_memory(err, "picture, the light of the sky");
  if (st == CB_OK) {
#pragma omp parallel for schedule(dynamic) num_threads(cb_threads_all())
    for (int d = 0; d < DIRECTIONS; d++) {
      const sim_raster r = {.width = SKY, .height = SKY, .key = key + (size_t)d * SKY * SKY};
      look_up(s, to[d], seen + (size_t)d * n, &r, open + (size_t)d * n);
    }
    add_up(s, (const sim_vec3 *)to, open);
  }
  free(open);
  free(seen);
  free(key);
  return st;
}

cb_status sim_picture_stage_init(const sim_drawn *surface, int n, const double lamp[3], sim_picture_stage *s,
                                 cb_err *err) {
  *s = (sim_picture_stage){.surface = surface, .n_surfaces = n};
  int casting = 0;
  for (int i = 0; i < n; i++) {
    s->n_vertices += surface[i].n_vertices;
    s->n_triangles += surface[i].n_triangles;
    if (!surface[i].ground) casting += surface[i].n_triangles;
  }
  if (casting == 0)
    return cb_fail(err, CB_E_RANGE, "picture: nothing to be drawn but ground: a cloth or a body was wanted");
  CB_TRY(allocate(s, err));
  gather(s, n);
  find_normals(s);
  CB_TRY(find_corners(s, err));
  find_ball(s);
  find_shadow(s, lamp);
  return find_sky(s, err);
}
