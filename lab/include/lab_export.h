/* A material of the database as the text of a file: for another laboratory, or another program.
 * docs/interchange.md */
#ifndef LAB_EXPORT_H
#define LAB_EXPORT_H

#include <stdbool.h>

#include "cb_store.h"

typedef enum lab_export_format {
  LAB_EXPORT_JSON,    /* every law with every digit and uncertainty; lab_material_read reads it */
  LAB_EXPORT_CSV,     /* the card as a table */
  LAB_EXPORT_ARCSIM,  /* material file of ARCSim; lab_material_read_arcsim reads it */
  LAB_EXPORT_BLENDER, /* cloth preset, a Python script */
  LAB_EXPORT_CLO,     /* table in the units of CLO's property panel */
  LAB_EXPORT_JFAB,    /* fabric file of CLO */
  LAB_EXPORT_FORMATS
} lab_export_format;

/* By lab_export_format. */
typedef struct lab_export_facts {
  const char *name;   /* "json" */
  bool with_friction; /* the file holds the friction of one body */
  const char *lost;   /* what the database knows and the file does not say, in words */
} lab_export_facts;
extern const lab_export_facts lab_export_format_facts[LAB_EXPORT_FORMATS];

/* name: of a cloth or body. body: whose friction, in a format with friction; NULL: the only body's, if there
 * is one only. *beyond: the table of ARCSim reaches past the strains that were measured. CB_E_NOTFOUND: no
 * such material, or it lacks a law that the format wants. Caller: free(*text). */
CB_CHECKED cb_status lab_export_material(cb_store *s, const char *name, lab_export_format format,
                                         const char *body, char **text, bool *beyond, cb_err *err);

#endif
