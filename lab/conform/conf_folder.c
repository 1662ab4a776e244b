/* An experiment as files: docs/reference/experiment-folder.md. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_draft.h"
#include "cb_file.h"
#include "cb_num.h"
#include "conf_engine_impl.h"

#define MOST_BYTES (64u << 20)

/* ---- writing ---- */

json_t *conf_number(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static json_t *cloth_json(const exch_cloth *s) {
  return json_pack(
      "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", s->name, "areal_density_kg_per_m2",
      conf_number(s->areal_density_kg_per_m2.value), "thickness_m", conf_number(s->thickness_m.value),
      "stretch_warp_N_per_m", conf_number(s->stretch_warp_N_per_m.value), "stretch_weft_N_per_m",
      conf_number(s->stretch_weft_N_per_m.value), "shear_N_per_m", conf_number(s->shear_N_per_m.value),
      "bending_warp_N_m", conf_number(s->bending_warp_N_m.value), "bending_weft_N_m",
      conf_number(s->bending_weft_N_m.value));
}

static json_t *pinned_json(const conf_case *c) {
  json_t *list = json_array();
  for (int i = 0; i < c->n_vertices; i++)
    if (c->pinned[i]) (void)json_array_append_new(list, json_integer(i));
  return list;
}

static json_t *friction_json(const conf_case *c, bool is) {
  return is ? json_pack("{s:f}", "friction", c->cloth.friction.value) : json_null();
}

static json_t *drum_json(const conf_case *c) {
  return c->drum_m > 0 ? json_pack("{s:f, s:f}", "radius_m", c->drum_m, "friction", c->cloth.friction.value)
                       : json_null();
}

static json_t *pads_json(const conf_case *c) {
  const conf_pads *p = &c->pads;
  return p->force_N > 0 ? json_pack("{s:[f,f], s:[f,f], s:f, s:f, s:f}", "x_m", p->x_m[0], p->x_m[1], "y_m",
                                    p->y_m[0], p->y_m[1], "apart_m", p->apart_m, "force_N", p->force_N,
                                    "friction", c->cloth.friction.value)
                        : json_null();
}

static json_t *pull_json(const conf_pull *p) {
  return p->m_per_s > 0 ? json_pack("{s:f, s:f, s:[f,f,f]}", "from_s", p->from_s, "ramp_s", p->ramp_s,
                                    "velocity_m_per_s", p->m_per_s, 0.0, 0.0)
                        : json_null();
}

static json_t *case_json(const conf_case *c) {
  json_t *times = json_array();
  for (int k = 0; k < CONF_TIMES; k++) (void)json_array_append_new(times, json_real(c->time_s[k]));
  const double *g = c->gravity_m_per_s2;
  return json_pack(
      "{s:s, s:i, s:s, s:f, s:s, s:o, s:o, s:[f,f,f], s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:s}",
      "format", "clothbench-experiment", "version", 1, "experiment", conf_kind_names[c->kind], "level",
      c->level, "mesh", "cloth.obj", "start", c->start ? json_string("start.obj") : json_null(), "cloth",
      cloth_json(&c->cloth), "gravity_m_per_s2", g[0], g[1], g[2], "gravity_from_s", c->gravity_from_s,
      "pinned_vertices", pinned_json(c), "pinned_motion", pull_json(&c->pull), "plane",
      friction_json(c, c->plane), "self", friction_json(c, c->self), "drum", drum_json(c), "pads",
      pads_json(c), "rest", c->rest, "air", false, "times_s", times, "positions", "out_K.obj");
}

cb_status conf_text_write(const char *folder, const char *name, const char *text, cb_err *err) {
  char path[CONF_FOLDER_BYTES + 32];
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  return cb_file_write(path, text, strlen(text), err);
}

static cb_status write_mesh(const conf_case *c, const double (*x)[3], const char *folder, const char *name,
                            cb_err *err) {
  char *text;
  cb_draft d;
  CB_TRY(cb_draft_begin(&d, err));
  fprintf(d.to, "# Metres. %s\n",
          strcmp(name, "start.obj") == 0 ? "Where the cloth begins."
                                         : "The warp runs along x. The mesh is the cloth at rest.");
  for (int i = 0; i < c->n_vertices; i++) fprintf(d.to, "v %.9g %.9g %.9g\n", x[i][0], x[i][1], x[i][2]);
  for (int k = 0; k < c->n_faces; k++) {
    const int *f = c->face[k];
    fprintf(d.to, "f %d %d %d", f[0] + 1, f[1] + 1, f[2] + 1);
    fprintf(d.to, f[3] < 0 ? "\n" : " %d\n", f[3] + 1);
  }
  CB_TRY(cb_draft_end(&d, CB_OK, &text, err));
  const cb_status st = conf_text_write(folder, name, text, err);
  free(text);
  return st;
}

cb_status conf_folder_write(const conf_case *c, const char *folder, cb_err *err) {
  json_t *doc = case_json(c);
  char *text = doc ? json_dumps(doc, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(doc);
  cb_status st = text ? conf_text_write(folder, "case.json", text, err) : cb_no_memory(err, "an experiment");
  free(text);
  if (st == CB_OK) st = write_mesh(c, (const double(*)[3])c->vertex, folder, "cloth.obj", err);
  if (st == CB_OK && c->start) st = write_mesh(c, (const double(*)[3])c->start, folder, "start.obj", err);
  return st;
}

/* ---- reading ---- */

static cb_status read_vertex(const char *line, const char *name, int number, double out[3], cb_err *err) {
  const char *at = line + 1, *line_end = line + strcspn(line, "\r\n");
  for (int k = 0; k < 3; k++) {
    char *end;
    out[k] = strtod(at, &end);
    if (end == at || end > line_end || !isfinite(out[k]))
      return cb_fail(err, CB_E_PARSE, "%s: vertex %d: three finite numbers were wanted", name, number);
    at = end;
  }
  return CB_OK;
}

cb_status conf_positions_read(const char *text, const char *name, int n, double (*position)[3], cb_err *err) {
  int found = 0;
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    if (line[0] != 'v' || (line[1] != ' ' && line[1] != '\t')) continue;
    if (found < n) CB_TRY(read_vertex(line, name, found + 1, position[found], err));
    found++;
  }
  return found == n ? CB_OK : cb_fail(err, CB_E_PARSE, "%s: %d vertices: %d were wanted", name, found, n);
}

cb_status conf_folder_read(const conf_case *c, const char *folder, double (*position)[3], cb_err *err) {
  for (int k = 0; k < CONF_TIMES; k++) {
    char path[CONF_FOLDER_BYTES + 32], *text;
    size_t n;
    (void)snprintf(path, sizeof path, "%s/out_%d.obj", folder, k);
    CB_TRY(cb_file_read(path, MOST_BYTES, &text, &n, err));
    const cb_status st =
        conf_positions_read(text, path, c->n_vertices, position + (size_t)k * (size_t)c->n_vertices, err);
    free(text);
    CB_TRY(st);
  }
  return CB_OK;
}
