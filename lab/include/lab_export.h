/* Export of a material as the text of a file, for another laboratory or another program.
 * docs/reference/interchange.md has the formats. */
#ifndef LAB_EXPORT_H
#define LAB_EXPORT_H

#include <stdbool.h>

#include "cb_store.h"
#include "exch_cloth.h"

typedef enum lab_export_format {
  LAB_EXPORT_JSON,    /* every law, with all digits and uncertainties; lab_material_read reads it */
  LAB_EXPORT_CSV,     /* the card as a table */
  LAB_EXPORT_ARCSIM,  /* material file of ARCSim; lab_material_read_arcsim reads it */
  LAB_EXPORT_U3M,     /* physics.json of U3M */
  LAB_EXPORT_BLENDER, /* cloth preset, a Python script */
  LAB_EXPORT_MUJOCO,
  LAB_EXPORT_NEWTON,
  LAB_EXPORT_PYBULLET,
  LAB_EXPORT_PPF,
  LAB_EXPORT_CLO,  /* table in the units of CLO's property panel */
  LAB_EXPORT_JFAB, /* fabric file of CLO */
  LAB_EXPORT_FORMATS
} lab_export_format;

/* Facts of a format, indexed by lab_export_format. */
typedef struct lab_export_facts {
  const char *name;           /* "json" */
  const char *summary;        /* one line */
  bool with_friction;         /* the file has the friction of one body */
  const char *lost;           /* in words: what the database has and the file does not */
  exch_proved_writer *proved; /* takes a passport; NULL: the format has none */
} lab_export_facts;
extern const lab_export_facts lab_export_format_facts[LAB_EXPORT_FORMATS];

/* Makes the text of a file. name is that of a cloth or body. body selects the friction in a format with
 * friction; NULL selects the only body, if there is exactly one. *beyond is set if ARCSim's table reaches
 * past the measured strains. The caller frees *text. Errors: CB_E_NOTFOUND without such a material, or
 * without a law that the format needs. */
CB_CHECKED cb_status lab_export_material(cb_store *s, const char *name, lab_export_format format,
                                         const char *body, char **text, bool *beyond, cb_err *err);

/* The linear cloth that files for artists' programs hold. body as above. Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status lab_export_cloth(cb_store *s, const char *name, const char *body, exch_cloth *out,
                                      cb_err *err);

#endif
