
#include <math.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_file.h"
#include "cb_gzip.h"
#include "cb_num.h"
#include "cb_plural.h"
#include "cb_obj.h"

/* ---- triangles of a polygon ---- */

#define CORNERS_MOST 200
#define FLAT 1e-9 /* area over a square of sides below which a triangle has none */

typedef struct polygon {
  int n; /* corners left */
  int vertex[CORNERS_MOST], texcoord[CORNERS_MOST];
  double x[CORNERS_MOST][2]; /* seen along the polygon's normal, counter-clockwise */
} polygon;

/* Twice the area of a triangle, > 0: counter-clockwise. */
static double turn_of(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double side2_of(const double a[2], const double b[2]) {
  return (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]);
}

/* Area over the squares of the sides; 0: none. */
static double quality_of(const double a[2], const double b[2], const double c[2]) {
  const double sides = side2_of(a, b) + side2_of(b, c) + side2_of(c, a);
  return sides > 0 ? turn_of(a, b, c) / sides : 0;
}

/* Newell's normal: right for corners on a line and for concave polygons. */
static void normal_of(const cb_obj *o, const polygon *p, double out[3]) {
  out[0] = out[1] = out[2] = 0;
  for (int i = 0; i < p->n; i++) {
    const double *a = o->vertex[p->vertex[i]], *b = o->vertex[p->vertex[(i + 1) % p->n]];
    for (int k = 0; k < 3; k++) {
      const int u = (k + 1) % 3, v = (k + 2) % 3;
      out[k] += (a[u] - b[u]) * (a[v] + b[v]);
    }
  }
}

static void read_polygon(const cb_obj *o, size_t first, size_t n_triangles, polygon *p) {
  double normal[3];
  int up = 0;
  p->n = 0;
  for (size_t c = 0; c < n_triangles + 2; c++, p->n++) {
    const size_t t = first + (c < 2 ? 0 : c - 2);
    p->vertex[p->n] = o->triangle[t][c < 2 ? c : 2];
    p->texcoord[p->n] = o->triangle_texcoord[t][c < 2 ? c : 2];
  }
  normal_of(o, p, normal);
  for (int k = 1; k < 3; k++)
    if (fabs(normal[k]) > fabs(normal[up])) up = k;
  const int u = (up + 1) % 3, v = (up + 2) % 3;
  for (int i = 0; i < p->n; i++) {
    const double *x = o->vertex[p->vertex[i]];
    p->x[i][0] = normal[up] < 0 ? x[v] : x[u];
    p->x[i][1] = normal[up] < 0 ? x[u] : x[v];
  }
}

static bool fan_is_good(const polygon *p) {
  for (int i = 2; i < p->n; i++)
    if (!(quality_of(p->x[0], p->x[i - 1], p->x[i]) > FLAT)) return false;
  return true;
}

/* Quality of the ear at corner i; 0: it is none, or a further corner lies in it or on its border. */
static double ear_of(const polygon *p, int i) {
  const double *a = p->x[(i + p->n - 1) % p->n], *b = p->x[i], *c = p->x[(i + 1) % p->n];
  const double quality = quality_of(a, b, c), least = -FLAT * (side2_of(a, b) + side2_of(b, c));
  if (!(quality > FLAT)) return 0;
  for (int k = 2; k < p->n - 1; k++) {
    const double *x = p->x[(i + k) % p->n];
    if (turn_of(a, b, x) >= least && turn_of(b, c, x) >= least && turn_of(c, a, x) >= least) return 0;
  }
  return quality;
}

static void drop_corner(polygon *p, int i) {
  const size_t behind = (size_t)(p->n - 1 - i);
  memmove(&p->vertex[i], &p->vertex[i + 1], behind * sizeof p->vertex[0]);
  memmove(&p->texcoord[i], &p->texcoord[i + 1], behind * sizeof p->texcoord[0]);
  memmove(&p->x[i], &p->x[i + 1], behind * sizeof p->x[0]);
  p->n--;
}

/* Writes p->n - 2 triangles. Returns false if there is no ear. */
static bool cut_ears(polygon *p, int (*triangle)[3], int (*texcoord)[3]) {
  for (int t = 0; p->n > 2; t++) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < p->n; i++) {
      const double quality = ear_of(p, i);
      if (quality > most) best = i, most = quality;
    }
    if (best < 0) return false;
    for (int k = 0; k < 3; k++) {
      const int i = (best + p->n - 1 + k) % p->n;
      triangle[t][k] = p->vertex[i];
      texcoord[t][k] = p->texcoord[i];
    }
    drop_corner(p, best);
  }
  return true;
}

/* Replaces fans that have a triangle without area, or one turned over: corners on a line, concave polygons.
 * Ears are cut off instead, the best one first; no triangle then has a further corner on its border. A
 * polygon of more than 200 corners, or without an ear, stays a fan. Errors: CB_E_NOMEM. */
static cb_status cut_all_ears(cb_obj *o, cb_err *err) {
  polygon *p = malloc(sizeof *p);
  if (!p) return cb_no_memory(err, "a polygon of %d corners", CORNERS_MOST);
  for (size_t first = 0, n; first < o->n_triangles; first += n) {
    int triangle[CORNERS_MOST][3], texcoord[CORNERS_MOST][3];
    for (n = 1; first + n < o->n_triangles && o->line[first + n] == o->line[first]; n++) {
    }
    if (n == 1 || n + 2 > CORNERS_MOST) continue;
    read_polygon(o, first, n, p);
    if (fan_is_good(p) || !cut_ears(p, triangle, texcoord)) continue;
    memcpy(o->triangle[first], triangle, n * sizeof triangle[0]);
    memcpy(o->triangle_texcoord[first], texcoord, n * sizeof texcoord[0]);
  }
  free(p);
  return CB_OK;
}

typedef struct reader {
  const char *name;
  int line;
  cb_obj *o;
  /* How many there are in all: the first pass counts, the second fills. */
  size_t vertices, texcoords, triangles;
  bool fill;
} reader;

/* ---- words of a line ---- */

typedef struct word {
  char text[64];
  size_t n;
} word;

/* A backslash continues the line: it and the line's end are blank. */
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\\'; }

static const char *next_word(const char *p, const char *end, const char **start) {
  while (p < end && is_blank(*p)) p++;
  *start = p;
  while (p < end && !is_blank(*p)) p++;
  return p;
}

static cb_status take_word(const reader *r, const char **p, const char *end, word *w, cb_err *err) {
  const char *start;
  *p = next_word(*p, end, &start);
  w->n = (size_t)(*p - start);
  if (w->n >= sizeof w->text)
    return cb_fail(err, CB_E_PARSE, "%s:%d: '%.30s...': a word of %zu characters is not believable", r->name,
                   r->line, start, w->n);
  memcpy(w->text, start, w->n);
  w->text[w->n] = '\0';
  return CB_OK;
}

/* ---- v, vt ---- */

static cb_status numbers(const reader *r, const char *p, const char *end, const char *what, double *out,
                         int n, cb_err *err) {
  for (int i = 0; i < n; i++) {
    word w;
    CB_TRY(take_word(r, &p, end, &w, err));
    if (w.n == 0)
      return cb_fail(err, CB_E_PARSE, "%s:%d: %s with %d number%s, %d were wanted", r->name, r->line, what, i,
                     CB_S(i), n);
    cb_status st = cb_parse_double(w.text, what, &out[i], err);
    if (st != CB_OK) return cb_fail_in(err, st, "%s:%d", r->name, r->line);
  }
  return CB_OK;
}

static cb_status read_vertex(reader *r, const char *p, const char *end, cb_err *err) {
  if (r->fill) CB_TRY(numbers(r, p, end, "vertex", r->o->vertex[r->vertices], 3, err));
  r->vertices++;
  return CB_OK;
}

/* A texture coordinate may have one number only: the second is 0. */
static cb_status read_texcoord(reader *r, const char *p, const char *end, cb_err *err) {
  if (r->fill) {
    const char *start;
    const char *after_first = next_word(p, end, &start);
    bool two = next_word(after_first, end, &start) > start;
    CB_TRY(numbers(r, p, end, "texture coordinate", r->o->texcoord[r->texcoords], two ? 2 : 1, err));
  }
  r->texcoords++;
  return CB_OK;
}

/* ---- f ---- */

static cb_status index_of(const reader *r, const char *text, const char *what, size_t so_far, size_t all,
                          int *out, cb_err *err) {
  long long i;
  cb_status st = cb_parse_int(text, what, &i, err);
  if (st != CB_OK) return cb_fail_in(err, st, "%s:%d", r->name, r->line);
  long long at = i < 0 ? (long long)so_far + i : i - 1;
  if (i == 0 || at < 0 || at >= (long long)all)
    return cb_fail(err, CB_E_RANGE, "%s:%d: %s %lld: there are %zu", r->name, r->line, what, i, all);
  *out = (int)at;
  return CB_OK;
}

/* "7", "7/3", "7//2", "7/3/2": vertex / texcoord / normal. */
static cb_status corner(const reader *r, char *text, int *vertex, int *texcoord, cb_err *err) {
  char *slash = strchr(text, '/');
  *texcoord = -1;
  if (slash) {
    *slash++ = '\0';
    slash[strcspn(slash, "/")] = '\0';
    if (slash[0])
      CB_TRY(index_of(r, slash, "texture coordinate", r->texcoords, r->o->n_texcoords, texcoord, err));
  }
  return index_of(r, text, "vertex", r->vertices, r->o->n_vertices, vertex, err);
}

static cb_status read_face(reader *r, const char *p, const char *end, cb_err *err) {
  int v[3] = {0}, t[3] = {0}; /* first corner, the one before, this one */
  size_t n = 0;
  for (;; n++) {
    word w;
    CB_TRY(take_word(r, &p, end, &w, err));
    if (w.n == 0) break;
    int to = n < 2 ? (int)n : 2;
    if (r->fill) CB_TRY(corner(r, w.text, &v[to], &t[to], err));
    if (n < 2) continue;
    if (r->fill) {
      memcpy(r->o->triangle[r->triangles], v, sizeof v);
      memcpy(r->o->triangle_texcoord[r->triangles], t, sizeof t);
      r->o->line[r->triangles] = r->line;
      v[1] = v[2];
      t[1] = t[2];
    }
    r->triangles++;
  }
  return n >= 3 ? CB_OK
                : cb_fail(err, CB_E_PARSE, "%s:%d: a face with %zu corner%s, 3 or more were wanted", r->name,
                          r->line, n, CB_S(n));
}

/* ---- the file ---- */

static cb_status read_line(reader *r, const char *p, const char *end, cb_err *err) {
  const char *start;
  p = next_word(p, end, &start);
  size_t n = (size_t)(p - start);
  if (n == 1 && start[0] == 'v') return read_vertex(r, p, end, err);
  if (n == 2 && start[0] == 'v' && start[1] == 't') return read_texcoord(r, p, end, err);
  if (n == 1 && start[0] == 'f') return read_face(r, p, end, err);
  return CB_OK;
}

/* The end of the line that begins at p, over continued ones. */
static const char *line_end(const char *p, const char *stop, int *lines) {
  for (*lines = 1;; ++*lines) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    if (!end) return stop;
    const char *last = end > p && end[-1] == '\r' ? end - 1 : end;
    if (last == p || last[-1] != '\\') return end;
    p = end + 1;
  }
}

static cb_status pass(reader *r, const char *text, size_t n, bool fill, cb_err *err) {
  const char *stop = text + n;
  r->vertices = r->texcoords = r->triangles = 0;
  r->fill = fill;
  r->line = 1;
  for (const char *p = text; p < stop;) {
    int lines;
    const char *end = line_end(p, stop, &lines), *comment = memchr(p, '#', (size_t)(end - p));
    CB_TRY(read_line(r, p, comment ? comment : end, err));
    r->line += lines;
    p = end < stop ? end + 1 : stop;
  }
  return CB_OK;
}

static cb_status check_counts(const reader *r, cb_err *err) {
  if (r->vertices == 0 || r->triangles == 0)
    return cb_fail(err, CB_E_PARSE,
                   "%s: %zu vertices and %zu face%s: an OBJ file with at least one of both was wanted",
                   r->name, r->vertices, r->triangles, CB_S(r->triangles));
  if (r->vertices > INT_MAX || r->texcoords > INT_MAX || r->triangles > INT_MAX)
    return cb_fail(err, CB_E_RANGE, "%s: more than %d vertices or faces", r->name, INT_MAX);
  return CB_OK;
}

static cb_status make_room(reader *r, cb_err *err) {
  cb_obj *o = r->o;
  CB_TRY(check_counts(r, err));
  o->n_vertices = r->vertices;
  o->n_texcoords = r->texcoords;
  o->n_triangles = r->triangles;
  o->vertex = calloc(o->n_vertices, sizeof *o->vertex);
  o->texcoord = o->n_texcoords ? calloc(o->n_texcoords, sizeof *o->texcoord) : NULL;
  o->triangle = calloc(o->n_triangles, sizeof *o->triangle);
  o->triangle_texcoord = calloc(o->n_triangles, sizeof *o->triangle_texcoord);
  o->line = calloc(o->n_triangles, sizeof *o->line);
  if (!o->vertex || (o->n_texcoords && !o->texcoord) || !o->triangle || !o->triangle_texcoord || !o->line)
    return cb_no_memory(err, "%s, %zu vertices and %zu triangles", r->name, o->n_vertices, o->n_triangles);
  return CB_OK;
}

cb_status cb_obj_parse(const char *text, size_t n, const char *name, cb_obj *out, cb_err *err) {
  *out = (cb_obj){0};
  reader r = {.name = name, .o = out};
  CB_TRY(pass(&r, text, n, false, err));
  CB_TRY(make_room(&r, err));
  CB_TRY(pass(&r, text, n, true, err));
  return cut_all_ears(out, err);
}

cb_status cb_obj_read(const char *path, size_t max_bytes, cb_obj *out, cb_err *err) {
  char *bytes = NULL, *unpacked = NULL;
  size_t n;
  *out = (cb_obj){0};
  cb_status st = cb_file_read(path, max_bytes, &bytes, &n, err);
  if (st == CB_OK && cb_gzip_is(bytes, n)) {
    st = cb_gzip_unpack(bytes, n, path, max_bytes, &unpacked, &n, err);
    if (st == CB_OK) st = cb_obj_parse(unpacked, n, path, out, err);
  } else if (st == CB_OK) {
    st = cb_obj_parse(bytes, n, path, out, err);
  }
  free(bytes);
  free(unpacked);
  return st;
}

void cb_obj_clear(cb_obj *o) {
  free(o->vertex);
  free(o->texcoord);
  free(o->triangle);
  free(o->triangle_texcoord);
  free(o->line);
  *o = (cb_obj){0};
}
