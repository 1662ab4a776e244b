/* The frames and the page of a run's folder: frames.show and view.html. */
#ifndef SHOW_RUN_H
#define SHOW_RUN_H

#include "cb_bytes.h"
#include "sim_play.h"

#define SHOW_FRAMES_FILE "frames.show"
#define SHOW_VIEW_FILE "view.html"
#define SHOW_TABLE_FILE "values.csv" /* the probes of the page */

/* The bodies of the scene, and the place that planes and endless cylinders are drawn around. It stays the
 * same for a whole run. */
typedef struct show_stage {
  double middle_m[3], reach_m;
  int n_bodies;
} show_stage;

/* Makes the stage from the scene at its start. Error: CB_E_NOMEM; those of the skin of a liquid. */
CB_CHECKED cb_status show_stage_of(sim_play *play, const sim_scene *scene, show_stage *out, cb_err *err);

/* Makes an empty frames.show. about_json: one JSON object: "scene" (its name), "program", "materials" (as in
 * materials.json). keep >= 0: keeps so many frames of an earlier run; a folder without frames.show begins
 * anew. Errors: CB_E_IO, CB_E_PARSE; CB_E_RANGE if there are fewer. */
CB_CHECKED cb_status show_run_begin(const char *folder, const char *about_json, int keep, cb_err *err);
/* *about: what show_run_begin was told of the run in the folder; NULL without frames.show. Caller: free.
 * Errors: CB_E_IO, CB_E_PARSE, CB_E_NOMEM. */
CB_CHECKED cb_status show_run_about(const char *folder, char **about, cb_err *err);
/* Adds the present state of a play. Errors: CB_E_IO, CB_E_PARSE, CB_E_NOMEM; those of the
 * skin of a liquid. */
CB_CHECKED cb_status show_run_add(const char *folder, sim_play *play, const show_stage *stage, cb_err *err);
/* Makes the page. against: another run's folder, a scan (OBJ), or NULL. path NULL: view.html in the folder.
 * Errors: those of the files, CB_E_RANGE without a frame, CB_E_NOMEM. */
CB_CHECKED cb_status show_run_view(const char *folder, const char *against, const char *path, cb_err *err);

/* Writes the frames for other programs: OpenUSD text where the path ends with .usda, a film of the run's
 * pictures where it ends with .mp4, else glTF 2.0 binary. Errors: those of the files, CB_E_RANGE without a
 * frame, CB_E_NOTFOUND without ffmpeg, CB_E_NOMEM. */
CB_CHECKED cb_status show_run_scene(const char *folder, const char *path, cb_err *err);

/* ---- one shape ---- */

/* A closed line that lies at the height z_m. */
typedef struct show_outline {
  const char *name;
  int n;
  const double (*xy_m)[2];
  double z_m;
} show_outline;

/* A cloth over a round support whose upper side is z = 0, with outlines of shadows. It owns nothing. */
typedef struct show_drape {
  const char *name; /* of the page */
  const double (*position_m)[3];
  const int (*triangle)[3];
  int n_vertices, n_triangles;
  double support_m; /* diameter */
  const show_outline *outline;
  int n_outlines;
  const char *scan; /* OBJ [m] in the same co-ordinates, to compare with; NULL */
} show_drape;

/* Writes its page, seen from above. Errors: those of the files; CB_E_NOMEM. */
CB_CHECKED cb_status show_drape_view(const show_drape *d, const char *path, cb_err *err);
/* Appends the page to out, for a frame of another page. served: its styles and scripts are files of the same
 * server, show_files; else they are in its text. Errors: as show_drape_view. */
CB_CHECKED cb_status show_drape_page(const show_drape *d, bool served, cb_bytes *out, cb_err *err);
/* Appends a still picture of it as PNG. Errors: CB_E_RANGE for a size that cannot be, CB_E_NOMEM. */
CB_CHECKED cb_status show_drape_picture(const show_drape *d, int width_px, int height_px, cb_bytes *out,
                                        cb_err *err);

/* The files that a served page names. */
typedef struct show_file {
  const char *path, *type, *text; /* "/view.js", "text/javascript" */
} show_file;
#define SHOW_FILES 4
extern const show_file show_files[SHOW_FILES];

#endif
