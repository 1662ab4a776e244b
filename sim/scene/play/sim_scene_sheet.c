/* The sheets of a scene file, and what is held of them. */
#include "sim_sheet.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "sim_scene_impl.h"
#include "sim_vec.h"

const char *const sim_scene_sheet_names[] = {"rectangle", "disc", "file", "shirt", "ball", NULL};
/* sim_pattern_text, with the end that a table of choices wants. */
static const char *const pattern_names[] = {"right", "alternating", "equilateral", "irregular", NULL};
_Static_assert(sizeof pattern_names / sizeof pattern_names[0] == SIM_PATTERN_COUNT + 1,
               "one name for each pattern");

/* ---- sheets ---- */

#define VERTICES 5000 /* where the file does not say how fine a sheet is */

typedef struct sheet_text {
  sim_scene_sheet sheet;
  cb_numlist at, turned;
} sheet_text;

static const cb_yfield sheet_fields[] = {
    {"shape", CB_Y_ENUM, offsetof(sheet_text, sheet.shape), .required = true,
     .choices = sim_scene_sheet_names},
    {"length_mm", CB_Y_NUM, offsetof(sheet_text, sheet.length_m), .min = 0.1, .max = 1e6, .scale = 1e-3},
    {"width_mm", CB_Y_NUM, offsetof(sheet_text, sheet.width_m), .min = 0.1, .max = 1e6, .scale = 1e-3},
    {"radius_mm", CB_Y_NUM, offsetof(sheet_text, sheet.radius_m), .min = 0.1, .max = 1e5, .scale = 1e-3},
    {"hole_mm", CB_Y_NUM, offsetof(sheet_text, sheet.hole_m), .min = 0, .max = 1e5, .scale = 1e-3},
    {"vertices", CB_Y_INT, offsetof(sheet_text, sheet.vertices), .min = 4, .max = 2e6},
    {"cells", CB_Y_INT, offsetof(sheet_text, sheet.cells), .min = 1, .max = 1000},
    {"edge_mm", CB_Y_NUM, offsetof(sheet_text, sheet.edge_m), .min = 0.1, .max = 1e4, .scale = 1e-3},
    {"pattern", CB_Y_ENUM, offsetof(sheet_text, sheet.pattern), .choices = pattern_names},
    {"warp_deg", CB_Y_NUM, offsetof(sheet_text, sheet.warp_rad), .min = -360, .max = 360, .scale = CB_DEG},
    {"seed", CB_Y_INT, offsetof(sheet_text, sheet.seed), .min = 0, .max = 1e9},
    {"slack", CB_Y_NUM, offsetof(sheet_text, sheet.slack), .min = 0, .max = 0.5},
    {"file", CB_Y_STR, offsetof(sheet_text, sheet.file), sizeof((sheet_text *)NULL)->sheet.file},
    {"mm_per_unit", CB_Y_NUM, offsetof(sheet_text, sheet.m_per_unit), .min = 1e-6, .max = 1e6, .scale = 1e-3},
    {"texture_mm_per_unit", CB_Y_NUM, offsetof(sheet_text, sheet.texture_m_per_unit), .min = 1e-6, .max = 1e6,
     .scale = 1e-3},
    {"at_mm", CB_Y_NUMLIST, offsetof(sheet_text, at), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {"turned_deg", CB_Y_NUMLIST, offsetof(sheet_text, turned), .min = -360, .max = 360, .scale = CB_DEG},
};

static cb_status check_size(cb_ynode at, const sim_scene_sheet *s, cb_err *err) {
  if (s->shape == SIM_SCENE_RECTANGLE && !(s->length_m > 0 && s->width_m > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: a rectangle needs length_mm and width_mm");
  if (s->shape == SIM_SCENE_DISC && !(s->radius_m > s->hole_m))
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: a disc needs radius_mm, larger than hole_mm");
  if (s->shape == SIM_SCENE_BALL && !(s->radius_m > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: a ball needs radius_mm");
  if (s->shape == SIM_SCENE_SHEET_FILE && !s->file[0])
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: 'file' needs the name of an OBJ file");
  if (s->slack > 0 && s->shape != SIM_SCENE_RECTANGLE)
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: slack: a rectangle was wanted");
  return CB_OK;
}

/* How fine it is: one of three keys, or none of them. Cells are rows of squares, unless told otherwise. */
static cb_status set_fineness(cb_ynode at, sim_scene_sheet *s, cb_err *err) {
  const int given = (s->vertices > 0) + (s->cells > 0) + (s->edge_m > 0);
  if (given > 1)
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: one of vertices, cells and edge_mm was wanted");
  if (s->cells > 0 && s->shape != SIM_SCENE_RECTANGLE && s->shape != SIM_SCENE_BALL)
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: cells: a rectangle or a ball was wanted");
  if (given == 0) s->vertices = VERTICES;
  if (s->pattern < 0) s->pattern = s->cells > 0 ? SIM_PATTERN_ALTERNATING : SIM_PATTERN_IRREGULAR;
  return CB_OK;
}

static cb_status bind_sheet(cb_ynode at, sim_scene_sheet *s, cb_err *err) {
  sheet_text t = {.sheet = {.pattern = -1, .seed = 1, .m_per_unit = 1e-3}};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(sheet_fields), &t, err));
  CB_TRY(check_size(at, &t.sheet, err));
  CB_TRY(set_fineness(at, &t.sheet, err));
  *s = t.sheet;
  if (!(s->texture_m_per_unit > 0)) s->texture_m_per_unit = s->m_per_unit;
  CB_TRY(sim_scene_triple(at, "at_mm", &t.at, s->at_m, err));
  return sim_scene_triple(at, "turned_deg", &t.turned, s->turned_rad, err);
}

cb_status sim_scene_sheets(cb_ynode at, sim_scene *s, cb_err *err) {
  if (at.doc == NULL) return CB_OK;
  if (!cb_yaml_is_list(at)) return bind_sheet(at, &s->sheet[s->n_sheets++], err);
  CB_TRY(sim_scene_list(at, "sheet", SIM_SCENE_SHEETS, err));
  for (size_t i = 0; i < cb_yaml_count(at); i++)
    CB_TRY(bind_sheet(cb_yaml_item(at, i), &s->sheet[s->n_sheets++], err));
  return CB_OK;
}

/* ---- what is held ---- */

static const char *const part_names[] = {"corners",       "lower-corners", "upper-corners", "left-corners",
                                         "right-corners", "lower-edge",    "upper-edge",    "left-edge",
                                         "right-edge",    "middle",        "top",           NULL};

typedef struct held_text {
  int part, sheet;
  double within_m;
  cb_numlist box;
  cb_ynode motion;
} held_text;

static const cb_yfield held_fields[] = {
    {"part", CB_Y_ENUM, offsetof(held_text, part), .choices = part_names},
    {"within_mm", CB_Y_NUM, offsetof(held_text, within_m), .min = 0, .max = 1e6, .scale = 1e-3},
    {"sheet", CB_Y_INT, offsetof(held_text, sheet), .min = 1, .max = SIM_SCENE_SHEETS},
    {"box_mm", CB_Y_NUMLIST, offsetof(held_text, box), .min = -1e6, .max = 1e6, .scale = 1e-3},
    {"motion", CB_Y_NODE, offsetof(held_text, motion)},
};

static cb_status set_box(cb_ynode at, const cb_numlist *box, sim_scene_held *h, cb_err *err) {
  if (box->n != 6)
    return cb_yaml_fail(at, err, CB_E_RANGE,
                        "box_mm: %zu number%s: least x, y, z, then largest x, y, z were wanted", box->n,
                        CB_S(box->n));
  for (int k = 0; k < 3; k++) {
    h->low_m[k] = box->v[k];
    h->high_m[k] = box->v[k + 3];
    if (!(h->low_m[k] <= h->high_m[k]))
      return cb_yaml_fail(at, err, CB_E_RANGE, "box_mm: from %g to %g mm: least and largest were wanted",
                          1e3 * h->low_m[k], 1e3 * h->high_m[k]);
  }
  return CB_OK;
}

/* Which shapes have that part. */
static bool has_part(int shape, sim_scene_part part) {
  switch (part) {
    case SIM_SCENE_BOX: return true;
    case SIM_SCENE_TOP: return shape == SIM_SCENE_BALL;
    case SIM_SCENE_MIDDLE: return shape == SIM_SCENE_RECTANGLE || shape == SIM_SCENE_DISC;
    default: return shape == SIM_SCENE_RECTANGLE;
  }
}

static cb_status check_part(cb_ynode at, const sim_scene *s, const sim_scene_held *h, cb_err *err) {
  if (h->sheet >= s->n_sheets)
    return cb_yaml_fail(at, err, CB_E_RANGE, "held: sheet = %d: there are %d", h->sheet + 1, s->n_sheets);
  for (int k = 0; k < s->n_sheets; k++)
    if ((h->sheet < 0 || h->sheet == k) && !has_part(s->sheet[k].shape, h->part))
      return cb_yaml_fail(at, err, CB_E_RANGE, "held: '%s': sheet %d, of shape '%s', has no such part",
                          part_names[h->part], k + 1, sim_scene_sheet_names[s->sheet[k].shape]);
  return CB_OK;
}

static cb_status bind_held_map(cb_ynode at, sim_scene_held *h, cb_err *err) {
  held_text t = {.part = -1};
  CB_TRY(cb_yaml_bind(at, SIM_SCENE_FIELDS(held_fields), &t, err));
  if ((t.part >= 0) == (t.box.n > 0))
    return cb_yaml_fail(at, err, CB_E_RANGE, "held: part or box_mm was wanted, one of them");
  *h = (sim_scene_held){.part = t.box.n > 0 ? SIM_SCENE_BOX : (sim_scene_part)t.part,
                        .within_m = t.within_m,
                        .sheet = t.sheet - 1};
  if (t.box.n > 0) CB_TRY(set_box(at, &t.box, h, err));
  return sim_scene_motions(t.motion, false, &h->motions, err);
}

/* A word alone is a part of every sheet. */
static cb_status bind_held(cb_ynode at, sim_scene *s, cb_err *err) {
  sim_scene_held *h = &s->held[s->n_held++];
  const char *word = cb_yaml_scalar(at);
  if (word == NULL) {
    CB_TRY(bind_held_map(at, h, err));
    return check_part(at, s, h, err);
  }
  int part = 0;
  while (part_names[part] != NULL && strcmp(part_names[part], word) != 0) part++;
  if (part_names[part] == NULL)
    return cb_yaml_fail(
        at, err, CB_E_RANGE,
        "held: '%s': corners, upper-corners, upper-edge, middle, top (docs/reference/scene-file.md has all) "
        "or a box was wanted",
        word);
  *h = (sim_scene_held){.part = (sim_scene_part)part, .sheet = -1};
  return check_part(at, s, h, err);
}

cb_status sim_scene_all_held(cb_ynode at, sim_scene *s, cb_err *err) {
  if (at.doc == NULL) return CB_OK;
  if (!cb_yaml_is_list(at)) return bind_held(at, s, err);
  CB_TRY(sim_scene_list(at, "held", SIM_SCENE_HELD, err));
  for (size_t i = 0; i < cb_yaml_count(at); i++) CB_TRY(bind_held(cb_yaml_item(at, i), s, err));
  return CB_OK;
}

/* ---- what a model does not take ---- */

cb_status sim_scene_check_sheets(cb_ynode at, const sim_scene *s, const sim_scene_takes *takes, cb_err *err) {
  if (s->n_sheets < takes->sheets_least || s->n_sheets > takes->sheets_most)
    return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: %d: a '%s' scene takes %d to %d", s->n_sheets,
                        takes->name, takes->sheets_least, takes->sheets_most);
  for (int k = 0; k < s->n_sheets; k++) {
    const sim_scene_sheet *sheet = &s->sheet[k];
    if (!(takes->shapes >> sheet->shape & 1))
      return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: shape = '%s': a '%s' scene takes no such sheet",
                          sim_scene_sheet_names[sheet->shape], takes->name);
    if (sheet->slack > 0 && !takes->slack)
      return cb_yaml_fail(at, err, CB_E_RANGE, "sheet: slack: a '%s' scene takes none", takes->name);
  }
  return CB_OK;
}

cb_status sim_scene_check_held(cb_ynode at, const sim_scene *s, const sim_scene_takes *takes, cb_err *err) {
  for (int k = 0; k < s->n_held; k++) {
    const sim_scene_held *h = &s->held[k];
    if (!(takes->parts >> h->part & 1))
      return cb_yaml_fail(at, err, CB_E_RANGE, "held: %s: a '%s' scene does not hold that",
                          h->part == SIM_SCENE_BOX ? "box_mm" : part_names[h->part], takes->name);
    if (h->motions.n > 0 && !takes->motion)
      return cb_yaml_fail(at, err, CB_E_RANGE, "held: motion: a '%s' scene keeps still what it holds",
                          takes->name);
  }
  return CB_OK;
}
