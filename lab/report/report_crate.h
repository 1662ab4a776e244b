/* An RO-Crate under way: a zip file with one folder, and the graph of what is in it. Private to report/. */
#ifndef REPORT_CRATE_H
#define REPORT_CRATE_H

#include <jansson.h>

#include "cb_err.h"

typedef struct report_crate report_crate;

/* Begins a package; its folder has the name of the file without its suffix. */
CB_CHECKED cb_status report_crate_new(const char *path, report_crate **out, cb_err *err);
/* Adds the metadata and writes the file. The caller calls report_crate_free in any case. Error: CB_E_IO. */
CB_CHECKED cb_status report_crate_write(report_crate *c, cb_err *err);
/* Without report_crate_write, nothing is left. c may be NULL. */
void report_crate_free(report_crate *c);

/* Adds an entity unless its @id is there; takes it over. Without memory, report_crate_write fails. */
void report_crate_entity(report_crate *c, json_t *entity);
/* {"@id": id} */
json_t *report_crate_ref(const char *id);

/* The entity of the whole, "./"; it belongs to the crate, and more keys may be set. */
json_t *report_crate_root(report_crate *c);

/* Begins a folder, which gets the files from now on. author: an @id, or "". Its dataset belongs to the crate;
 * more keys may be set. */
json_t *report_crate_dataset(report_crate *c, const char *id, const char *name, const char *author);

typedef struct report_crate_file {
  const char *name; /* in the folder */
  const char *type; /* media type */
  const char *description;
  char *data; /* from malloc; taken over, also after an error */
  size_t n;
} report_crate_file;
/* Adds a file to the present folder, with its size and SHA-256. *id receives its @id, which belongs to the
 * crate; id may be NULL. */
CB_CHECKED cb_status report_crate_file_add(report_crate *c, const report_crate_file *f, const char **id,
                                           cb_err *err);

#endif
