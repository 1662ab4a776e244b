#include "lab_export.h"

#include <stdio.h>

#include "cb_draft.h"
#include "exch_u3m.h"
#include "lab_card_parts.h"
#include "lab_material.h"
#include "lab_exch_cloth.h"

#define LOST                                                                                         \
  "direction (warp and weft are averaged), curves, hysteresis, air, friction at other loads, every " \
  "uncertainty"

const lab_export_facts lab_export_format_facts[LAB_EXPORT_FORMATS] = {
    [LAB_EXPORT_JSON] = {"json", "every law with every digit and uncertainty; 'import material' reads it",
                         false, "the measurements behind the laws"},
    [LAB_EXPORT_CSV] = {"csv", "properties: value, uncertainty, unit, what stands behind it", false,
                        "the laws between the listed points, and what their errors share"},
    [LAB_EXPORT_ARCSIM] = {"arcsim", "material file of ARCSim; 'import material' reads it", false,
                           "name, friction, air, hysteresis, every uncertainty"},
    [LAB_EXPORT_U3M] = {"u3m", "physics.json of U3M 1.1; 'import material' reads it", false,
                        "the measurements behind the laws; other programs find no raw data"},
    [LAB_EXPORT_BLENDER] = {"blender", "cloth preset (Python)", true,
                            "direction (warp and weft are averaged), curves, hysteresis, air, every "
                            "uncertainty; friction is a comment",
                            exch_blender_write},
    [LAB_EXPORT_MUJOCO] = {"mujoco", "model (MJCF) with a flex of this cloth", true,
                           LOST "; shear is half of stretch", exch_mujoco_write},
    [LAB_EXPORT_NEWTON] = {"newton", "arguments of Newton's add_cloth_mesh (JSON)", true,
                           LOST "; shear is half of stretch", exch_newton_write},
    [LAB_EXPORT_PYBULLET] = {"pybullet", "arguments of PyBullet's loadSoftBody (JSON)", true,
                             LOST ", bending and shear", exch_pybullet_write},
    [LAB_EXPORT_PPF] = {"ppf", "material preset (TOML) of ppf-contact-solver, by definition", true, LOST,
                        exch_ppf_write},
    [LAB_EXPORT_CLO] =
        {"clo", "table in the units of CLO's property panel", true,
         "curves, hysteresis, air, friction at other loads and directions, what the errors share"},
    [LAB_EXPORT_JFAB] =
        {"jfab", "fabric file of CLO", true,
         "curves, hysteresis, air, friction at other loads and directions, every uncertainty"},
};

static cb_status write_csv(cb_store *s, const exch_material *m, char **text, cb_err *err) {
  lab_card card;
  cb_draft d;
  CB_TRY(lab_card_make(s, m, &card, err));
  const cb_status st = cb_draft_begin(&d, err);
  if (st == CB_OK) lab_card_csv(m, &card, d.to);
  lab_card_clear(&card);
  return cb_draft_end(&d, st, text, err);
}

static cb_status write_arcsim(const exch_material *m, char **text, bool *beyond, cb_err *err) {
  exch_arcsim a;
  CB_TRY(lab_arcsim_of(m, &a, beyond, err));
  return exch_arcsim_write(&a, text, err);
}

typedef cb_status sheet_writer(const exch_cloth *sheet, char **text, cb_err *err);

static cb_status write_unproved(const exch_material *m, const char *body, exch_proved_writer *write,
                                char **text, cb_err *err) {
  exch_cloth sheet;
  CB_TRY(lab_exch_cloth_of(m, body, &sheet, err));
  return write(&sheet, NULL, text, err);
}

static cb_status write_sheet(const exch_material *m, const char *body, sheet_writer *write, char **text,
                             cb_err *err) {
  exch_cloth sheet;
  CB_TRY(lab_exch_cloth_of(m, body, &sheet, err));
  return write(&sheet, text, err);
}

static cb_status write_format(cb_store *s, const exch_material *m, lab_export_format format, const char *body,
                              char **text, bool *beyond, cb_err *err) {
  if (lab_export_format_facts[format].proved)
    return write_unproved(m, body, lab_export_format_facts[format].proved, text, err);
  switch (format) {
    case LAB_EXPORT_JSON: return exch_material_write(m, text, err);
    case LAB_EXPORT_CSV: return write_csv(s, m, text, err);
    case LAB_EXPORT_ARCSIM: return write_arcsim(m, text, beyond, err);
    case LAB_EXPORT_U3M: return exch_u3m_write(m, text, err);
    case LAB_EXPORT_CLO: return write_sheet(m, body, exch_clo_table_write, text, err);
    case LAB_EXPORT_JFAB: return write_sheet(m, body, exch_clo_jfab_write, text, err);
    default: break;
  }
  return cb_fail(err, CB_E_ARG, "a format of files was wanted");
}

cb_status lab_export_material(cb_store *s, const char *name, lab_export_format format, const char *body,
                              char **text, bool *beyond, cb_err *err) {
  exch_material m;
  *text = NULL;
  *beyond = false;
  CB_TRY(lab_material_load(s, name, &m, err));
  cb_status st = write_format(s, &m, format, body, text, beyond, err);
  exch_material_clear(&m);
  return st;
}

cb_status lab_export_cloth(cb_store *s, const char *name, const char *body, exch_cloth *out, cb_err *err) {
  exch_material m;
  CB_TRY(lab_material_load(s, name, &m, err));
  const cb_status st = lab_exch_cloth_of(&m, body, out, err);
  exch_material_clear(&m);
  return st;
}
