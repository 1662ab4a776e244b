/* The page view.html. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "cb_csv.h"
#include "cb_file.h"
#include "cb_json_whole.h"
#include "cb_plural.h"
#include "cb_version.h"
#include "show_view_impl.h"

#define ZLIB_LEVEL 7
#define PROBE_ROWS 500 /* of a plot, at most */
#define TABLE_BYTES ((size_t)1 << 28)

typedef struct page {
  const show_view *v;
  show_frames *frames;
  show_against *against;
  show_pack pack;
  cb_bytes stream;
  json_t *times;
  int every; /* frames shown: every so many */
} page;

/* ---- the data ---- */

/* The first, every every-th, and the last. */
static bool is_shown(const page *p, int k) {
  return k % p->every == 0 || k == show_frames_count(p->frames) - 1;
}

static cb_status read_frame(page *p, int k, show_frame *f, cb_err *err) {
  CB_TRY(show_frames_read(p->frames, k, f, err));
  /* Where frames are left out, the frame before is another one. */
  for (int s = 0; s < f->n_surfaces; s++) f->surface[s].as_before &= p->every == 1;
  return p->against ? show_against_add(p->against, f, err) : CB_OK;
}

static cb_status find_every(page *p, cb_err *err) {
  show_frame f;
  double sum = 0;
  p->every = 1;
  if (p->v->frame) return CB_OK;
  const int n = show_frames_count(p->frames);
  if (n == 0) return cb_fail(err, CB_E_RANGE, "%s: has no frame to show", p->v->frames);
  for (int k = 0; k < n; k++) {
    CB_TRY(show_frames_read(p->frames, k, &f, err));
    for (int s = 0; s < f.n_surfaces; s++) sum += f.surface[s].n_vertices;
    show_frame_clear(&f);
  }
  p->every = (int)fmax(1, ceil(sum / SHOW_VIEW_VERTICES));
  return CB_OK;
}

typedef cb_status taker(page *p, const show_frame *f, cb_err *err);

static cb_status note(page *p, const show_frame *f, cb_err *err) {
  if (json_array_append_new(p->times, json_real(f->time_s)) != 0) return cb_no_memory(err, "view");
  return show_pack_note(&p->pack, f, err);
}

static cb_status put(page *p, const show_frame *f, cb_err *err) {
  return show_pack_put(&p->pack, f, &p->stream, err);
}

static cb_status each_frame(page *p, taker *take, cb_err *err) {
  show_frame f;
  cb_status st = CB_OK;
  if (p->v->frame) return take(p, p->v->frame, err);
  for (int k = 0; st == CB_OK && k < show_frames_count(p->frames); k++) {
    if (!is_shown(p, k)) continue;
    st = read_frame(p, k, &f, err);
    if (st == CB_OK) st = take(p, &f, err);
    show_frame_clear(&f);
  }
  return st;
}

/* ---- the description ---- */

static json_t *triple(const double v[3]) { return json_pack("[f,f,f]", v[0], v[1], v[2]); }

static json_t *surface_json(const show_pack_surface *s) {
  const double colour[3] = {s->colour[0], s->colour[1], s->colour[2]};
  json_t *channels = json_array();
  for (int c = 0; c < s->n_channels; c++) {
    const show_pack_channel *k = &s->channel[c];
    cb_json_append(&channels, json_pack("{s:s,s:s,s:f,s:f,s:b,s:b}", "name", k->name, "unit", k->unit, "low",
                                        k->low, "high", k->high, "below", k->below, "above", k->above));
  }
  return json_pack("{s:s,s:b,s:b,s:b,s:b,s:o,s:o,s:o,s:o}", "name", s->name, "cloth", s->cloth, "ground",
                   s->ground, "liquid", strncmp(s->name, "liquid", 6) == 0, "against", s->name[0] == '~',
                   "colour", triple(colour), "low", triple(s->low), "high", triple(s->high), "channels",
                   channels);
}

static json_t *outline_json(const show_outline *o) {
  json_t *xy = json_array();
  for (int i = 0; i < o->n; i++) cb_json_append(&xy, json_pack("[f,f]", o->xy_m[i][0], o->xy_m[i][1]));
  return json_pack("{s:s,s:f,s:o}", "name", o->name, "z", o->z_m, "xy", xy);
}

/* A number of a row; 0 where there is none. */
static double number_at(const cb_csv *t, size_t row, size_t column) {
  double v = 0;
  bool missing;
  return cb_csv_number(t, row, column, -INFINITY, INFINITY, &v, &missing, NULL) == CB_OK ? v : 0;
}

static json_t *column_json(const cb_csv *t, size_t column) {
  const size_t rows = cb_csv_rows(t), step = (rows + PROBE_ROWS - 1) / PROBE_ROWS;
  json_t *out = json_array();
  for (size_t row = 0; row < rows; row += step) {
    cb_json_append(&out, json_real(number_at(t, row, column)));
    if (row + step >= rows && row != rows - 1) row = rows - 1 - step; /* the last row, too */
  }
  return out;
}

/* The probes of a table are its columns NAME_x_m, NAME_y_m, NAME_z_m. */
static json_t *probes_json(const cb_csv *t) {
  json_t *out = json_array();
  const char *name;
  size_t time, column[3];
  if (cb_csv_find(t, "time_s", &time, NULL) != CB_OK) return out;
  for (size_t c = 0; (name = cb_csv_header(t, c)); c++) {
    char each[80];
    const size_t n = strlen(name);
    bool whole = n > 4 && n < 60 && strcmp(name + n - 4, "_x_m") == 0;
    for (int a = 0; whole && a < 3; a++) {
      (void)snprintf(each, sizeof each, "%.*s_%c_m", (int)n - 4, name, "xyz"[a]);
      whole = cb_csv_find(t, each, &column[a], NULL) == CB_OK;
    }
    if (!whole || strncmp(name, "mean_", 5) == 0) continue;
    (void)snprintf(each, sizeof each, "%.*s", (int)n - 4, name);
    cb_json_append(
        &out, json_pack("{s:s,s:o,s:[o,o,o]}", "name", each, "t", column_json(t, time), "xyz",
                        column_json(t, column[0]), column_json(t, column[1]), column_json(t, column[2])));
  }
  return out;
}

static cb_status read_probes(const char *path, json_t **out, cb_err *err) {
  char *text;
  size_t n;
  cb_csv *t = NULL;
  const cb_csv_options options = cb_csv_options_default();
  *out = NULL;
  if (!path || access(path, F_OK) != 0) return CB_OK;
  CB_TRY(cb_file_read(path, TABLE_BYTES, &text, &n, err));
  const cb_status st = cb_csv_parse(text, n, path, &options, &t, err);
  free(text);
  CB_TRY(st);
  *out = probes_json(t);
  cb_csv_free(t);
  return CB_OK;
}

static const char *text_of(const json_t *about, const char *key) {
  const char *text = json_string_value(json_object_get(about, key));
  return text ? text : "";
}

static json_t *run_json(const page *p, const json_t *about, json_t *probes) {
  char note[160] = "";
  json_t *surfaces = json_array(), *outlines = json_array();
  for (int s = 0; s < p->pack.n; s++) cb_json_append(&surfaces, surface_json(&p->pack.surface[s]));
  for (int k = 0; k < p->v->n_outlines; k++) cb_json_append(&outlines, outline_json(&p->v->outline[k]));
  const int shown = (int)json_array_size(p->times), n = p->v->frame ? 1 : show_frames_count(p->frames);
  if (shown < n)
    (void)snprintf(note, sizeof note, "%d of %d frame%s \xc2\xb7 %.80s", shown, n, CB_S(n),
                   text_of(about, "program"));
  else
    (void)snprintf(note, sizeof note, "%d frame%s \xc2\xb7 %.80s", n, CB_S(n), text_of(about, "program"));
  return json_pack("{s:s,s:s,s:s,s:s,s:O,s:o,s:o,s:o*}", "look", p->v->look ? p->v->look : "start", "scene",
                   text_of(about, "scene"), "note", note, "against",
                   p->against ? show_against_name(p->against) : "", "times", p->times, "surfaces", surfaces,
                   "outlines", outlines, "probes", probes);
}

/* ---- the page ---- */

/* A "<" within a script could end it. */
static void put_json(cb_bytes *out, const char *text) {
  for (; *text; text++)
    if (*text == '<')
      cb_bytes_put(out, "\\u003c", 6);
    else
      cb_bytes_put(out, text, 1);
}

static void put_base64(cb_bytes *out, const unsigned char *data, size_t n) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const uint32_t v = (uint32_t)data[i] << 16 | (i + 1 < n ? (uint32_t)data[i + 1] << 8 : 0) |
                       (i + 2 < n ? data[i + 2] : 0);
    const char four[4] = {digits[v >> 18], digits[v >> 12 & 63], i + 1 < n ? digits[v >> 6 & 63] : '=',
                          i + 2 < n ? digits[v & 63] : '='};
    cb_bytes_put(out, four, 4);
  }
}

static cb_status put_data(const cb_bytes *stream, cb_bytes *out, cb_err *err) {
  uLongf n = compressBound(stream->n);
  unsigned char *packed = malloc(n);
  if (!packed || stream->failed || compress2(packed, &n, stream->data, stream->n, ZLIB_LEVEL) != Z_OK) {
    free(packed);
    return cb_no_memory(err, "view, %zu bytes", stream->n);
  }
  put_base64(out, packed, n);
  free(packed);
  return CB_OK;
}

static void put_text(cb_bytes *out, const char *text) { cb_bytes_put(out, text, strlen(text)); }

const show_file show_files[SHOW_FILES] = {{"/view.css", "text/css", show_style},
                                          {"/three.js", "text/javascript", show_three},
                                          {"/controls.js", "text/javascript", show_controls},
                                          {"/view.js", "text/javascript", show_script}};

/* A style or script: its text, or its name. */
static void put_part(const page *p, const show_file *part, cb_bytes *out) {
  const bool style = part->text == show_style;
  if (p->v->served) {
    cb_bytes_text(out, style ? "<link rel=\"stylesheet\" href=\"%s\">" : "<script src=\"%s\"></script>",
                  part->path + 1);
    return;
  }
  put_text(out, style ? "<style>\n" : "<script>");
  put_text(out, part->text);
  put_text(out, style ? "</style>" : "</script>");
}

/* The text of the page, its marks replaced. */
static cb_status put_page(const page *p, const char *run, cb_bytes *out, cb_err *err) {
  const char *at = show_page, *mark;
  for (; (mark = strstr(at, "@@")); at = strstr(mark + 2, "@@") + 2) {
    cb_bytes_put(out, at, (size_t)(mark - at));
    switch (mark[2]) {
      case 'A': put_json(out, run); break;
      case 'D': CB_TRY(put_data(&p->stream, out, err)); break;
      case 'E': put_text(out, p->v->embedded ? " data-embedded" : ""); break;
      default: put_part(p, &show_files[mark[2] - '0'], out); break;
    }
  }
  put_text(out, at);
  return out->failed ? cb_no_memory(err, "view, %zu bytes", out->n) : CB_OK;
}

static json_t *about_of(const page *p) {
  char program[64];
  (void)snprintf(program, sizeof program, "clothbench %s", cb_version());
  return p->v->frame ? json_pack("{s:s,s:s}", "scene", p->v->scene, "program", program)
                     : json_loads(show_frames_about(p->frames), 0, NULL);
}

static cb_status finish_page(page *p, cb_bytes *out, cb_err *err) {
  json_t *probes, *about = about_of(p);
  cb_status st = read_probes(p->v->table, &probes, err);
  json_t *run = st == CB_OK ? run_json(p, about, probes) : NULL;
  char *text = run ? json_dumps(run, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
  if (st == CB_OK && !text) st = cb_no_memory(err, "view");
  if (st == CB_OK) st = put_page(p, text, out, err);
  free(text);
  json_decref(run);
  json_decref(about);
  return st;
}

static cb_status make_page(page *p, cb_bytes *out, cb_err *err) {
  if (!p->v->frame) CB_TRY(show_frames_open(p->v->frames, &p->frames, err));
  if (p->v->against) CB_TRY(show_against_open(p->v->against, &p->against, err));
  if (p->v->frame && p->against) CB_TRY(show_against_add(p->against, p->v->frame, err));
  p->times = json_array();
  CB_TRY(find_every(p, err));
  CB_TRY(each_frame(p, note, err));
  show_pack_ranges(&p->pack);
  CB_TRY(each_frame(p, put, err));
  return finish_page(p, out, err);
}

cb_status show_view_put(const show_view *v, cb_bytes *out, cb_err *err) {
  page *p = calloc(1, sizeof *p);
  if (!p) return cb_no_memory(err, "view");
  p->v = v;
  const cb_status st = make_page(p, out, err);
  show_pack_clear(&p->pack);
  cb_bytes_clear(&p->stream);
  show_against_free(p->against);
  if (p->frames) show_frames_close(p->frames);
  json_decref(p->times);
  free(p);
  return st;
}

cb_status show_view_write(const show_view *v, const char *path, cb_err *err) {
  cb_bytes out = {0};
  const cb_status st = show_view_put(v, &out, err);
  if (st == CB_OK) return cb_bytes_write(&out, path, err);
  cb_bytes_clear(&out);
  return st;
}
