/* The parts of the reference text, one file each. Private to lab. */
#ifndef LAB_REFERENCE_IMPL_H
#define LAB_REFERENCE_IMPL_H

#include <stddef.h>
#include <stdio.h>

#include "cb_store.h"
#include "cb_yaml.h"

#define LAB_AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define LAB_REFERENCE_PATH 1024

typedef struct lab_reference {
  cb_store *s;
  const char *dir;
} lab_reference;

/* One item of a file's list becomes rows. */
typedef cb_status lab_reference_builder(const lab_reference *r, cb_ynode item, cb_err *err);
CB_CHECKED lab_reference_builder lab_reference_build_material, lab_reference_build_import,
    lab_reference_build_friction, lab_reference_build_law;

/* A whole file. */
typedef cb_status lab_reference_writer(cb_store *s, FILE *f, cb_err *err);
CB_CHECKED lab_reference_writer lab_reference_write_materials, lab_reference_write_friction,
    lab_reference_write_laws;

/* "DIR/NAME". CB_E_IO: it is too long. */
CB_CHECKED cb_status lab_reference_join(const char *dir, const char *name, char out[LAB_REFERENCE_PATH],
                                        cb_err *err);

/* ---- numbers and texts as YAML ---- */

void lab_reference_put_text(FILE *f, const char *text); /* in single quotes */
void lab_reference_put_real(FILE *f, const char *before, double v);
/* A line "    key: value". */
void lab_reference_put_text_field(FILE *f, const char *key, const char *text);
void lab_reference_put_real_field(FILE *f, const char *key, double v);

/* Ascending ids as ranges: "1-9 28". None: no line. */
void lab_reference_put_ids(FILE *f, const char *key, const int64_t *ids, size_t n);
/* CB_E_PARSE: something else than ascending ranges. Caller: free(*ids); absent: NULL and 0. */
CB_CHECKED cb_status lab_reference_read_ids(cb_ynode node, int64_t **ids, size_t *n, cb_err *err);

/* Refuses a virtual or simulated origin. what: "materials", "laws". */
CB_CHECKED cb_status lab_reference_check_origin(cb_ynode item, cb_origin origin, const char *what,
                                                cb_err *err);

#endif
