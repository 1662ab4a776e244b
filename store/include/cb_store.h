/* The store: one SQLite file with every measurement and its history. Raw data are only appended. Every
 * derived row names its inputs, its method, the program version and the time. docs/reference/database.md has
 * the tables. store/ is the only code that includes sqlite3.h.
 *
 * A list is one array from malloc. The caller frees a list, and a text in a `char **`, with free(); after a
 * failure there is nothing to free. Ids are > 0; 0 means "none". Times are ISO 8601 texts in UTC, such as
 * "2026-11-21T08:00:00.123Z". A JSON text is stored verbatim.
 *
 * Errors of all functions: CB_E_DB if SQLite fails, the disk is full, or the file is read-only or damaged.
 * CB_E_DB also if another program has been writing for more than 5 s. CB_E_RANGE if a cell to be written is
 * outside its column's range (cb_column.h). CB_E_NOMEM. Only further errors are named below. A function that
 * writes several rows writes all or none of them, except cb_store_chunk_put.
 *
 * A store is not for two threads at once. */
#ifndef CB_STORE_H
#define CB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_calibration.h"
#include "cb_campaign.h"
#include "cb_conditions.h"
#include "cb_err.h"
#include "cb_friction_law.h"
#include "cb_friction_obs.h"
#include "cb_material.h"
#include "cb_run.h"
#include "cb_trace.h"

typedef struct cb_store cb_store;

typedef enum cb_store_mode {
  CB_STORE_READ,  /* the file must exist */
  CB_STORE_WRITE, /* creates the file, or upgrades its schema, in one transaction; refuses a reference
                     database, and a copy without its log */
  CB_STORE_TAKE,  /* as WRITE, and takes a copy without its log as it is */
  CB_STORE_BUILD  /* creates a reference database; only for building materials.db */
} cb_store_mode;

/* Checks that SQLite takes a database's name for a file's: an empty name, ":memory:" and a URI
 * ("file:lab.db?mode=memory") make databases that end with the program, or files of other names.
 * Errors: CB_E_ARG. */
CB_CHECKED cb_status cb_store_check_path(const char *path, cb_err *err);
/* Opens a database. Its schema is compared with that of its version before anything of the file can run. The
 * caller closes *out with cb_store_close; *out is NULL on failure, and no new file is left.
 * Errors: CB_E_ARG of cb_store_check_path. CB_E_IO if the file does not exist (READ) or is no regular file.
 * CB_E_DB if it is no database, belongs to another program, is newer than this program, or has another schema
 * than it says. With READ also if it is empty or older.
 * CB_E_DB if it is a copy that was taken while a program wrote, without its log (docs/reference/
 * database-care.md). */
CB_CHECKED cb_status cb_store_open(const char *path, cb_store_mode mode, cb_store **out, cb_err *err);
/* Closes and frees s in any case. s may be NULL.
 * Errors: CB_E_DB also if the file was removed or replaced while it was open for writing; cb_store_begin says
 * so, too. */
cb_status cb_store_close(cb_store *s, cb_err *err);
/* Closes s after work that ended with st, with its sentence in err. Returns st, or the error of closing. */
CB_CHECKED cb_status cb_store_close_after(cb_store *s, cb_status st, cb_err *err);
const char *cb_store_path(const cb_store *s); /* belongs to s */
bool cb_store_is_reference(const cb_store *s);
int cb_store_schema_version(void); /* of this program */

/* The time that new rows say, now. */
void cb_store_now(const cb_store *s, char out[32]);
/* Sets the time that all new rows say, and derives their uuids from what they come from. Two files that are
 * built in the same order from the same text are then the same bytes. For CB_STORE_BUILD alone. */
void cb_store_stamp(cb_store *s, const char *stamp);

/* Begin and commit a transaction. A transaction for reading sees the file as it is at its first read.
 * Transactions do not nest. */
CB_CHECKED cb_status cb_store_begin(cb_store *s, cb_err *err);
CB_CHECKED cb_status cb_store_commit(cb_store *s, cb_err *err); /* CB_E_ARG: cb_store_material_ensure */
void cb_store_rollback(cb_store *s);                            /* does nothing outside a transaction */

/* Numbers of what a check has examined. */
typedef struct cb_store_tally {
  size_t n_runs, n_channels; /* channels of runs that have samples */
  size_t n_chunks, n_tails;  /* rows of samples: packed, and not packed yet */
  uint64_t n_samples;
  size_t n_calibrations, n_laws;
} cb_store_tally;
/* Checks the whole file (docs/reference/database.md):
 * - SQLite's integrity and every reference.
 * - Units, the range of every cell, every friction law, every seal.
 * - Every law stored as a text (cb_store_laws_check, cb_law_json.h).
 * - CRC and content of every chunk and tail, gaps and times of every channel.
 * - Origins: no real value depends on a virtual one.
 *
 * tally may be NULL.
 * Errors: CB_E_DB; the sentence names the first problem. */
CB_CHECKED cb_status cb_store_check(cb_store *s, cb_store_tally *tally, cb_err *err);

/* ---- materials ---- */
/* A new name that may be a slip for a known one (cb_names_alike). */
typedef struct cb_name_doubt {
  cb_material_kind kind;
  char name[64], known[64];
} cb_name_doubt;
/* Asks a person about such a name: *meant is set if the known one was meant. person receives who answers. */
typedef cb_status cb_name_question(void *context, const cb_name_doubt *d, bool *meant, char person[64],
                                   cb_err *err);
/* Opens a database for rows of materials (CB_STORE_WRITE). trusts: new names are taken, however near they are
 * to known ones. Else cb_store_names_settle asks; ask NULL: nobody. */
CB_CHECKED cb_status cb_store_open_named(const char *path, bool trusts, cb_name_question *ask, cb_store **out,
                                         cb_err *err);
/* After a commit that was refused for its names, and its rollback: asks about each. A name that was meant
 * becomes an alias, signed by the person; another is trusted from now on. Returns CB_OK if every name is
 * settled, so that the work may be done again; `refused` if nobody asks or there was no such name. */
CB_CHECKED cb_status cb_store_names_settle(cb_store *s, cb_status refused, cb_err *err);
/* Inserts a material and sets m->id.
 * Errors: CB_E_DB if one of that kind and name exists. */
CB_CHECKED cb_status cb_store_material_put(cb_store *s, cb_material *m, cb_err *err);
/* Finds a material by kind and name, or inserts one with only name and origin set.
 * Errors: CB_E_RANGE for a name of 64 bytes or more; CB_E_ARG for a new name that may be a slip for a known
 * one, unless names are trusted. Within a transaction, its commit is refused instead, by one sentence that
 * lists all such names. */
CB_CHECKED cb_status cb_store_material_ensure(cb_store *s, cb_material_kind kind, const char *name,
                                              cb_origin origin, int64_t *id, cb_err *err);
/* Inserts a material, or completes the stored one of that kind and name with facts that it lacks. *id
 * receives its row.
 * Errors: CB_E_RANGE if a fact is known in both and differs; CB_E_ARG as above. The stored source is kept. */
CB_CHECKED cb_status cb_store_material_learn(cb_store *s, const cb_material *told, int64_t *id, cb_err *err);
/* Errors: CB_E_NOTFOUND; the sentence lists the materials of that kind. */
CB_CHECKED cb_status cb_store_material_find(cb_store *s, cb_material_kind kind, const char *name,
                                            cb_material *m, cb_err *err);
/* Lists all materials: cloths, then bodies, by name. */
CB_CHECKED cb_status cb_store_materials(cb_store *s, cb_material **list, size_t *n, cb_err *err);

/* ---- rigs, calibrations, campaigns ---- */
/* Stores the text of a rig file as used, once, and returns its id. */
CB_CHECKED cb_status cb_store_rig_ensure(cb_store *s, const char *name, const char *text, int64_t *id,
                                         cb_err *err);
/* Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_rig_text(cb_store *s, int64_t id, char **text /* caller frees */, cb_err *err);

/* Stores a declared or imported calibration, once, and sets c->id. */
CB_CHECKED cb_status cb_store_calibration_ensure(cb_store *s, cb_calibration *c, cb_err *err);
/* Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_calibration_get(cb_store *s, int64_t id, cb_calibration *c, cb_err *err);
/* Lists all calibrations by id. */
CB_CHECKED cb_status cb_store_calibrations(cb_store *s, cb_calibration **list, size_t *n, cb_err *err);
/* Inserts a measured calibration with its n points and sets c->id. weights_text is the weights file as read,
 * budget_json the uncertainty budget. Not within a transaction of the caller. */
CB_CHECKED cb_status cb_store_calibration_put(cb_store *s, cb_calibration *c,
                                              const cb_calibration_point *points, size_t n,
                                              const char *weights_text, const char *budget_json, cb_err *err);
/* Lists the points of a calibration by step, without their raw readings. */
CB_CHECKED cb_status cb_store_calibration_points(cb_store *s, int64_t id, cb_calibration_point **list,
                                                 size_t *n, cb_err *err);
/* Returns "" for a calibration without a budget. The caller frees the text.
 * Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_calibration_budget(cb_store *s, int64_t id, char **budget_json, cb_err *err);

/* Inserts a campaign and sets c->id, uuid and created_at. */
CB_CHECKED cb_status cb_store_campaign_put(cb_store *s, cb_campaign *c, cb_err *err);
/* Sets the campaign's finished_at to the present time. */
CB_CHECKED cb_status cb_store_campaign_finish(cb_store *s, int64_t id, cb_err *err);
/* The campaign is unfinished again: it has got more to measure. */
CB_CHECKED cb_status cb_store_campaign_reopen(cb_store *s, int64_t id, cb_err *err);
/* Errors: CB_E_NOTFOUND. c->plan_text is NULL, here and in lists. */
CB_CHECKED cb_status cb_store_campaign_get(cb_store *s, int64_t id, cb_campaign *c, cb_err *err);
/* Lists all campaigns, oldest first. */
CB_CHECKED cb_status cb_store_campaigns(cb_store *s, cb_campaign **list, size_t *n, cb_err *err);
/* The newest campaign of this name and plan, finished or not. Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_campaign_newest(cb_store *s, const char *name, const char *plan_text,
                                              cb_campaign *c, cb_err *err);
/* Says whether a campaign with exactly this name and plan text has come to its end. */
CB_CHECKED cb_status cb_store_campaign_finished(cb_store *s, const char *name, const char *plan_text,
                                                bool *finished, cb_err *err);
/* Finds the newest unfinished campaign with exactly this name and plan text.
 * Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_campaign_unfinished(cb_store *s, const char *name, const char *plan_text,
                                                  cb_campaign *c, cb_err *err);

/* Stores the conditions and specimen of a campaign, once per campaign. preset is the name in the campaign
 * file. Temperature and humidity belong to the campaign's own row: put ignores them, get reads them from
 * there. A campaign without conditions (older, imported) gives unknown ones and the preset "custom".
 * Errors of get: CB_E_NOTFOUND if there is no such campaign. */
CB_CHECKED cb_status cb_store_conditions_put(cb_store *s, int64_t campaign_id, const char *preset,
                                             const cb_conditions *c, cb_err *err);
CB_CHECKED cb_status cb_store_conditions_get(cb_store *s, int64_t campaign_id, char preset[32],
                                             cb_conditions *c, cb_err *err);

/* Stores the evaluation of a campaign's pulls by a test standard (cb_standard.h). */
CB_CHECKED cb_status cb_store_standard_put(cb_store *s, int64_t campaign_id, const char *standard,
                                           const char *result_json, cb_err *err);
/* Finds the newest evaluation; the caller frees the text.
 * Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_standard_find(cb_store *s, int64_t campaign_id, char **result_json,
                                            cb_err *err);

/* ---- runs and their raw samples ---- */
/* Inserts a run and sets r->id, uuid and started_at. */
CB_CHECKED cb_status cb_store_run_put(cb_store *s, cb_run *r, cb_err *err);
/* Adds a word to the flags of a run that has not ended, unless the word is among them. */
CB_CHECKED cb_status cb_store_run_flag(cb_store *s, int64_t id, const char *word, cb_err *err);
/* Ends a run: packs its samples, and sets status, reason and finished_at. A run can end only once. */
CB_CHECKED cb_status cb_store_run_finish(cb_store *s, int64_t id, cb_run_status status, const char *reason,
                                         cb_err *err);
/* Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_run_get(cb_store *s, int64_t id, cb_run *r, cb_err *err);
/* Marks all runs of a campaign that are still `running` as interrupted, and packs their samples. For a
 * campaign that no program holds: its runs were cut off. n receives their number and may be NULL. */
CB_CHECKED cb_status cb_store_runs_interrupt(cb_store *s, int64_t campaign_id, size_t *n, cb_err *err);

/* A member that is 0, or -1 for kind and status, does not filter. Start from cb_run_filter_all(). */
typedef struct cb_run_filter {
  int64_t campaign_id, cloth_id, body_id;
  int kind;      /* cb_run_kind or -1 */
  int status;    /* cb_run_status or -1 */
  bool unjudged; /* only runs without a point that has a verdict, as points have since pull/7 */
} cb_run_filter;
/* Returns a filter that all runs pass. */
cb_run_filter cb_run_filter_all(void);
/* Lists the runs that pass the filter, by id. */
CB_CHECKED cb_status cb_store_runs(cb_store *s, const cb_run_filter *f, cb_run **list, size_t *n,
                                   cb_err *err);

/* Inserts the converter of a channel of a run. */
CB_CHECKED cb_status cb_store_run_channel_put(cb_store *s, const cb_run_channel *c, cb_err *err);
/* Inserts a zero of a run; one per phase. */
CB_CHECKED cb_status cb_store_run_zero_put(cb_store *s, const cb_run_zero *z, cb_err *err);
/* Errors: CB_E_NOTFOUND if that zero was not taken. */
CB_CHECKED cb_status cb_store_run_zero_get(cb_store *s, int64_t run_id, cb_zero_phase phase, cb_run_zero *z,
                                           cb_err *err);

/* Appends n raw samples of a channel: run time t_s [s] and value v. first_index is the index of the first one
 * in the channel, from 0. A few samples go to the tail. Once the tail would hold CB_CHUNK_N samples, it is
 * packed into chunks, which never change. This suits one transaction per 100 ms. After a crash all committed
 * samples are there. */
#define CB_CHUNK_N 16384
CB_CHECKED cb_status cb_store_samples_append(cb_store *s, int64_t run_id, cb_channel channel,
                                             int64_t first_index, size_t n, const double *t_s,
                                             const double *v, cb_err *err);
/* Stores n samples as chunks at once, where all are at hand. The channel must have no tail. Several chunks
 * are all stored or not only within the caller's transaction. */
CB_CHECKED cb_status cb_store_chunk_put(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index,
                                        size_t n, const double *t_s, const double *v, cb_err *err);
/* Reads all raw samples of one channel in order; none is an empty series. The caller frees *out with
 * cb_series_clear.
 * Errors: CB_E_DB for missing or damaged samples. */
CB_CHECKED cb_status cb_store_samples(cb_store *s, int64_t run_id, cb_channel channel, cb_series *out,
                                      cb_err *err);
CB_CHECKED cb_status cb_store_run_stroke_put(cb_store *s, const cb_run_stroke *stroke, cb_err *err);
/* Lists the strokes of a run in order. */
CB_CHECKED cb_status cb_store_run_strokes(cb_store *s, int64_t run_id, cb_run_stroke **list, size_t *n,
                                          cb_err *err);

/* Reads a run for analysis. The caller frees *out with cb_trace_clear.
 * - Values: raw samples through the run's converters (cb_run_channel_value); force = reading * slope, zero
 *   not subtracted.
 * - Position: as recorded, or the integral of the speed if only that was recorded.
 * - Displacement of the cart: where a sensor was read with the force, on the same clock.
 * - Times of a measured run: the even clock of its read-out (cb_clock.h); the arrival stamps, with doubt_s =
 *   INFINITY, if no clock fits.
 * - Times of an imported run: those of the record. doubt_s is twice the uncertainty of the clocks' offset, or
 *   INFINITY if the record has no times (rate_Hz 0).
 * - Zero of an imported run: that of the record, if there is one (zero_given).
 *
 * Errors: CB_E_NOTFOUND without a calibration, and those of cb_store_samples. */
CB_CHECKED cb_status cb_store_trace(cb_store *s, const cb_run *run, cb_trace *out, cb_err *err);

/* Logs an event of a campaign, at the run time t_s [s]. */
CB_CHECKED cb_status cb_store_event_put(cb_store *s, int64_t campaign_id, int64_t run_id /* 0: none */,
                                        double t_s, const char *kind, const char *text, cb_err *err);
typedef struct cb_event {
  int64_t campaign_id, run_id;
  double t_s;
  char at[32], kind[32], text[256];
} cb_event;
/* Lists the events of a campaign in order. */
CB_CHECKED cb_status cb_store_events(cb_store *s, int64_t campaign_id, cb_event **list, size_t *n,
                                     cb_err *err);

/* ---- friction points: the evaluation of a run ---- */
/* Inserts a point and sets p->id. A run may have several; the newest counts. */
CB_CHECKED cb_status cb_store_point_put(cb_store *s, cb_friction_point *p, cb_err *err);

/* Stores everything that the reduction found, once per point. */
CB_CHECKED cb_status cb_store_point_detail_put(cb_store *s, int64_t point_id, const char *result_json,
                                               cb_err *err);

/* Lists the newest point of every finished pull of a pair, with its run and calibration, by run. */
CB_CHECKED cb_status cb_store_observations(cb_store *s, int64_t cloth_id, int64_t body_id,
                                           cb_friction_obs **list, size_t *n, cb_err *err);
/* Finds the newest point of a run.
 * Errors: CB_E_NOTFOUND if the run was not reduced. */
CB_CHECKED cb_status cb_store_point_of_run(cb_store *s, int64_t run_id, cb_friction_point *p, cb_err *err);
/* Finds those of n runs at once, in their order; one that was not reduced has the id 0 and forces NAN. The
 * caller frees the list. */
CB_CHECKED cb_status cb_store_points_of_runs(cb_store *s, const cb_run *runs, size_t n,
                                             cb_friction_point **list, cb_err *err);

/* ---- laws, predictions, validations ---- */
/* Checks a law, inserts it with the points behind it, and sets law->id (0 on failure). verdicts_json is what
 * the fit found: isotropic, linear, tests, mean_mu ... n_points is 0 for a law that was imported whole. An
 * infinite dof is stored as 1e9.
 * Errors: also those of cb_friction_law_check. */
CB_CHECKED cb_status cb_store_law_put(cb_store *s, cb_friction_law *law, int64_t cloth_id, int64_t body_id,
                                      const int64_t *point_ids, size_t n_points, const char *method,
                                      const char *verdicts_json, cb_err *err);
/* Finds the newest law of a pair and kind, and checks it.
 * Errors: CB_E_NOTFOUND names the pair and the command that makes a law; also those of
 * cb_friction_law_check. */
CB_CHECKED cb_status cb_store_law_find(cb_store *s, const char *cloth, const char *body,
                                       cb_friction_kind kind, cb_friction_law *law, cb_err *err);
/* Reads method, verdicts and time of a law. The caller frees both texts.
 * Errors: CB_E_NOTFOUND. */
CB_CHECKED cb_status cb_store_law_info(cb_store *s, int64_t law_id, char **method, char **verdicts_json,
                                       char created_at[32], cb_err *err);
/* Shows the newest law of each pair and kind, checked, one after the other: a law is 30 kB. The law is valid
 * until visit returns; what visit returns, if not CB_OK, ends it. visit does not use s. */
typedef cb_status cb_law_visit(const cb_friction_law *law, void *context, cb_err *err);
CB_CHECKED cb_status cb_store_each_law(cb_store *s, cb_law_visit *visit, void *context, cb_err *err);
/* The same as a list. The caller frees it. */
CB_CHECKED cb_status cb_store_laws(cb_store *s, cb_friction_law **list, size_t *n, cb_err *err);
/* The first of them by name, at most `most`; 0: all. */
CB_CHECKED cb_status cb_store_laws_first(cb_store *s, size_t most, cb_friction_law **list, size_t *n,
                                         cb_err *err);
/* Those of one material, as the cloth or the body. */
CB_CHECKED cb_status cb_store_laws_of(cb_store *s, int64_t material_id, cb_friction_law **list, size_t *n,
                                      cb_err *err);
/* Lists the ids of the points behind a law; none for a law that was imported whole. */
CB_CHECKED cb_status cb_store_law_points(cb_store *s, int64_t law_id, int64_t **ids, size_t *n, cb_err *err);
/* Lists the runs behind a law by id; none for a law that was imported whole. */
CB_CHECKED cb_status cb_store_law_runs(cb_store *s, int64_t law_id, cb_run **list, size_t *n, cb_err *err);
/* Counts the finished pulls of the law's pair and body angle whose newest point is not among the law's
 * inputs, or that have no point, and the runs behind the law that were voided since. 0: the law is up to
 * date. */
CB_CHECKED cb_status cb_store_law_stale(cb_store *s, const cb_friction_law *law, size_t *n_newer,
                                        cb_err *err);

/* A prediction against a measurement. An id is 0 where there is none. */
typedef struct cb_validation {
  int64_t id;
  char experiment[32]; /* "slide", "cloth slide", "drape", "stack", "stretch", "incline" */
  int64_t cloth_id, body_id;
  int64_t law_static_id, law_kinetic_id; /* the prediction rests on these, and on material laws */
  int64_t run_id;                        /* what was measured: a run, or tests, or drapes */
  const int64_t *material_law_ids, *test_ids, *drape_ids; /* put: stay the caller's; in lists: NULL, 0 */
  size_t n_material_laws, n_tests, n_drapes;
  bool pass;
  double worst_en;   /* largest |E_n| (ISO 13528) over the compared quantities */
  char *result_json; /* put: stays the caller's; in lists: owned by the list */
  char created_at[32];
} cb_validation;
/* Inserts a validation and sets v->id and created_at. cloth_id 0: that of the run, and its body. */
CB_CHECKED cb_status cb_store_validation_put(cb_store *s, cb_validation *v, cb_err *err);
/* Lists the validations of a run, or all, by id. The caller frees the list with cb_validations_free. */
CB_CHECKED cb_status cb_store_validations(cb_store *s, int64_t run_id /* 0: all */, cb_validation **list,
                                          size_t *n, cb_err *err);
void cb_validations_free(cb_validation *list, size_t n);

#endif
