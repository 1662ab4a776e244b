/* A run as glTF 2.0 binary (Khronos, glTF 2.0 Specification, 2021). Every part is a mesh: its first frame,
 * and a morph target for each later one. Weights take the targets in turn, so that a viewer draws straight
 * lines between frames. A part that is not there all the time has the scale 0 else. Metres; the root node
 * turns z up into y up. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cb_bytes.h"
#include "cb_json_whole.h"
#include "cb_version.h"
#include "show_scene.h"

#define HEAD_BYTES 12
#define CHUNK_HEAD_BYTES 8
enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY = 34962, INDICES = 34963 };

typedef struct gltf {
  cb_bytes bytes;
  json_t *views, *accessors, *meshes, *nodes, *materials, *samplers, *channels;
  const double *time_s;
  int n_frames;
} gltf;

/* ---- accessors ---- */

/* The bytes since `from` as a view; purpose 0: of animations. Returns its number. */
static int add_view(gltf *g, size_t from, int purpose) {
  json_t *view = json_pack("{s:i,s:I,s:I}", "buffer", 0, "byteOffset", (json_int_t)from, "byteLength",
                           (json_int_t)(g->bytes.n - from));
  if (purpose) cb_json_set(&view, "target", json_integer(purpose));
  cb_json_append(&g->views, view);
  return (int)json_array_size(g->views) - 1;
}

typedef struct range {
  json_t *least, *most; /* NULL: no memory */
} range;

/* between may be NULL. */
static int add_accessor(gltf *g, int view, int kind, int count, const char *type, const range *between) {
  json_t *a =
      json_pack("{s:i,s:i,s:i,s:s}", "bufferView", view, "componentType", kind, "count", count, "type", type);
  if (between) {
    cb_json_set(&a, "min", between->least);
    cb_json_set(&a, "max", between->most);
  }
  cb_json_append(&g->accessors, a);
  return (int)json_array_size(g->accessors) - 1;
}

static int add_places(gltf *g, const float (*x)[3], int n) {
  const size_t from = g->bytes.n;
  float low[3], high[3];
  for (int k = 0; k < 3; k++) low[k] = high[k] = x[0][k];
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      if (x[i][k] < low[k]) low[k] = x[i][k];
      if (x[i][k] > high[k]) high[k] = x[i][k];
    }
  cb_bytes_put(&g->bytes, x, (size_t)n * sizeof *x);
  const range between = {json_pack("[f,f,f]", (double)low[0], (double)low[1], (double)low[2]),
                         json_pack("[f,f,f]", (double)high[0], (double)high[1], (double)high[2])};
  return add_accessor(g, add_view(g, from, ARRAY), FLOAT, n, "VEC3", &between);
}

static int add_numbers(gltf *g, const double *value, int n, const char *type, int per, bool with_range) {
  const size_t from = g->bytes.n;
  cb_bytes_f32(&g->bytes, value, (size_t)n);
  const int view = add_view(g, from, 0);
  if (!with_range) return add_accessor(g, view, FLOAT, n / per, type, NULL);
  const range between = {json_pack("[f]", (double)(float)value[0]),
                         json_pack("[f]", (double)(float)value[n - 1])};
  return add_accessor(g, view, FLOAT, n / per, type, &between);
}

/* ---- a part ---- */

static void add_motion(gltf *g, int node, const char *path, int times, int values, const char *between) {
  cb_json_append(&g->samplers,
                 json_pack("{s:i,s:i,s:s}", "input", times, "output", values, "interpolation", between));
  cb_json_append(&g->channels,
                 json_pack("{s:i,s:{s:i,s:s}}", "sampler", (int)json_array_size(g->samplers) - 1, "target",
                           "node", node, "path", path));
}

static cb_status add_weights(gltf *g, const show_part *p, int node, cb_err *err) {
  const int targets = p->n - 1;
  double *weight = calloc((size_t)p->n * (size_t)targets, sizeof *weight);
  if (!weight) return cb_no_memory(err, "%d morph targets", targets);
  for (int k = 1; k < p->n; k++) weight[k * targets + k - 1] = 1;
  const int times = add_numbers(g, g->time_s + p->first, p->n, "SCALAR", 1, true);
  add_motion(g, node, "weights", times, add_numbers(g, weight, p->n * targets, "SCALAR", 1, false), "LINEAR");
  free(weight);
  return CB_OK;
}

/* Shows the part in its frames only. */
static void add_presence(gltf *g, const show_part *p, int node) {
  double time_s[3], scale[9];
  int n = 0;
  for (int side = 0; side < 3; side++) {
    const int at = side == 0 ? 0 : side == 1 ? p->first : p->first + p->n;
    if ((side == 0 && p->first == 0) || at >= g->n_frames) continue;
    for (int k = 0; k < 3; k++) scale[3 * n + k] = side == 1;
    time_s[n++] = g->time_s[at];
  }
  const int times = add_numbers(g, time_s, n, "SCALAR", 1, true);
  add_motion(g, node, "scale", times, add_numbers(g, scale, 3 * n, "VEC3", 3, false), "STEP");
}

static cb_status add_targets(gltf *g, show_frames *f, const show_part *p, const show_surface *first,
                             json_t **targets, cb_err *err) {
  for (int k = 1; k < p->n; k++) {
    show_frame frame;
    CB_TRY(show_frames_read(f, p->first + k, &frame, err));
    const show_surface *s = show_surface_of(&frame, p->name);
    for (int i = 0; i < s->n_vertices; i++)
      for (int d = 0; d < 3; d++) s->position_m[i][d] -= first->position_m[i][d];
    cb_json_append(targets, json_pack("{s:i}", "POSITION",
                                      add_places(g, (const float(*)[3])s->position_m, s->n_vertices)));
    show_frame_clear(&frame);
  }
  return CB_OK;
}

static cb_status add_mesh(gltf *g, show_frames *f, const show_part *p, const show_surface *s, cb_err *err) {
  json_t *targets = json_array();
  const int places = add_places(g, (const float(*)[3])s->position_m, s->n_vertices);
  const size_t from = g->bytes.n;
  cb_bytes_i32(&g->bytes, s->triangle[0], 3 * (size_t)s->n_triangles);
  const int corners =
      add_accessor(g, add_view(g, from, INDICES), UNSIGNED_INT, 3 * s->n_triangles, "SCALAR", NULL);
  cb_status st = add_targets(g, f, p, s, &targets, err);
  json_t *primitive = json_pack("{s:{s:i},s:i,s:i}", "attributes", "POSITION", places, "indices", corners,
                                "material", (int)json_array_size(g->materials));
  if (p->n > 1)
    cb_json_set(&primitive, "targets", targets);
  else
    json_decref(targets);
  cb_json_append(&g->meshes, json_pack("{s:s,s:[o]}", "name", p->name, "primitives", primitive));
  cb_json_append(&g->materials, json_pack("{s:s,s:{s:[f,f,f,f],s:f,s:f},s:b}", "name", p->name,
                                          "pbrMetallicRoughness", "baseColorFactor", (double)p->colour[0],
                                          (double)p->colour[1], (double)p->colour[2], 1.0, "metallicFactor",
                                          0.0, "roughnessFactor", 0.9, "doubleSided", true));
  return st;
}

static cb_status add_part(gltf *g, show_frames *f, const show_part *p, cb_err *err) {
  show_frame frame;
  CB_TRY(show_frames_read(f, p->first, &frame, err));
  const int node = (int)json_array_size(g->nodes);
  cb_status st = add_mesh(g, f, p, show_surface_of(&frame, p->name), err);
  show_frame_clear(&frame);
  CB_TRY(st);
  cb_json_append(&g->nodes,
                 json_pack("{s:s,s:i}", "name", p->name, "mesh", (int)json_array_size(g->meshes) - 1));
  if (p->n > 1) CB_TRY(add_weights(g, p, node, err));
  if (p->n < g->n_frames) add_presence(g, p, node);
  return CB_OK;
}

/* ---- the file ---- */

/* Node 0 turns about x: z up becomes y up. */
static json_t *document_of(gltf *g) {
  json_t *children = json_array();
  for (size_t i = 1; i < json_array_size(g->nodes); i++) cb_json_append(&children, json_integer((int)i));
  json_t *root = json_pack("{s:s,s:o,s:[f,f,f,f]}", "name", "z up", "children", children, "rotation",
                           -0.70710678118654752, 0.0, 0.0, 0.70710678118654752);
  if (json_array_set_new(g->nodes, 0, root) != 0) cb_json_give_up(&g->nodes);
  json_t *doc =
      json_pack("{s:{s:s,s:s+},s:i,s:[{s:[i]}],s:[{s:I}],s:O,s:O,s:O,s:O,s:O}", "asset", "version", "2.0",
                "generator", "clothbench ", cb_version(), "scene", 0, "scenes", "nodes", 0, "buffers",
                "byteLength", (json_int_t)g->bytes.n, "bufferViews", g->views, "accessors", g->accessors,
                "meshes", g->meshes, "nodes", g->nodes, "materials", g->materials);
  if (doc && !(g->channels && g->samplers)) cb_json_give_up(&doc);
  if (doc && json_array_size(g->channels) > 0)
    cb_json_set(
        &doc, "animations",
        json_pack("[{s:s,s:O,s:O}]", "name", "run", "samplers", g->samplers, "channels", g->channels));
  return doc;
}

static void put_chunk(cb_bytes *file, const char *kind, const void *data, size_t n, char filler) {
  const size_t padded = (n + 3) / 4 * 4;
  cb_bytes_u32(file, (uint32_t)padded);
  cb_bytes_put(file, kind, 4);
  cb_bytes_put(file, data, n);
  for (size_t i = n; i < padded; i++) cb_bytes_put(file, &filler, 1);
}

static cb_status write_file(gltf *g, const char *path, cb_err *err) {
  json_t *doc = document_of(g);
  char *text = doc ? json_dumps(doc, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
  json_decref(doc);
  if (!text) return cb_no_memory(err, "%s", path);
  const size_t json = (strlen(text) + 3) / 4 * 4;
  cb_bytes file = {0};
  cb_bytes_put(&file, "glTF", 4);
  cb_bytes_u32(&file, 2);
  cb_bytes_u32(&file, (uint32_t)(HEAD_BYTES + 2 * CHUNK_HEAD_BYTES + json + g->bytes.n));
  put_chunk(&file, "JSON", text, strlen(text), ' ');
  put_chunk(&file, "BIN", g->bytes.data, g->bytes.n, 0);
  file.failed = file.failed || g->bytes.failed;
  cb_status st = file.n > UINT32_MAX ? cb_fail(err, CB_E_RANGE, "%s: %.1f GB: glTF holds at most 4", path,
                                               (double)file.n / 1e9)
                                     : cb_bytes_write(&file, path, err);
  cb_bytes_clear(&file);
  free(text);
  return st;
}

cb_status show_gltf_write(show_frames *f, const char *path, cb_err *err) {
  gltf g = {.views = json_array(),
            .accessors = json_array(),
            .meshes = json_array(),
            .nodes = json_pack("[{}]"),
            .materials = json_array(),
            .samplers = json_array(),
            .channels = json_array(),
            .n_frames = show_frames_count(f)};
  show_part *part = NULL;
  double *time_s = NULL;
  int n;
  cb_status st = show_parts_of(f, &part, &n, &time_s, err);
  g.time_s = time_s;
  for (int i = 0; st == CB_OK && i < n; i++) st = add_part(&g, f, &part[i], err);
  if (st == CB_OK) st = write_file(&g, path, err);
  json_t *const own[] = {g.views, g.accessors, g.meshes, g.nodes, g.materials, g.samplers, g.channels};
  for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) json_decref(own[i]);
  cb_bytes_clear(&g.bytes);
  free(part);
  free(time_s);
  return st;
}
