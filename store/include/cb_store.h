/* The store: one SQLite file that keeps every measurement with its history. store/ is the only code that includes
 * sqlite3.h. Raw data are append-only; everything derived names its inputs, its method, the program version and the time.
 *
 * Lists are returned as one malloc'd array; the caller frees it with free(). Ids are > 0; 0 means "none". Times are ISO 8601
 * UTC texts "2026-11-21T08:00:00.123Z". */
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
  CB_STORE_READ,  /* must exist */
  CB_STORE_WRITE, /* must exist or is created with the schema, in one transaction; refuses the shipped reference database */
  CB_STORE_BUILD  /* creates a reference database: only for building materials.db */
} cb_store_mode;

/* Refuses: not a database, a database of another program, one newer than this program; upgrades an older one (WRITE).
 * READ of a fresh file is an error. Caller closes with cb_store_close (NULL is fine). */
CB_CHECKED cb_status cb_store_open(const char *path, cb_store_mode mode, cb_store **out, cb_err *err);
cb_status cb_store_close(cb_store *s, cb_err *err);
const char *cb_store_path(const cb_store *s);
bool cb_store_is_reference(const cb_store *s);
int cb_store_schema_version(void);

CB_CHECKED cb_status cb_store_begin(cb_store *s, cb_err *err);
CB_CHECKED cb_status cb_store_commit(cb_store *s, cb_err *err);
void cb_store_rollback(cb_store *s); /* no-op outside a transaction */

/* What a check has looked at. */
typedef struct cb_store_tally {
  size_t n_runs, n_channels; /* channels of runs that have samples */
  size_t n_chunks, n_tails;  /* rows of samples, packed and not yet */
  uint64_t n_samples;
  size_t n_calibrations, n_laws;
} cb_store_tally;
/* Looks at SQLite's integrity and every reference, every unit, the CRC and content of every chunk and tail, gaps and times of every channel,
 * origins (no real value depends on a virtual one), the range of every cell, every friction law, every seal, and every law that is a text
 * (cb_store_laws_check of cb_law_json.h); docs/database.md. Opening has compared the schema. The first problem is the error's sentence.
 * tally may be NULL. */
CB_CHECKED cb_status cb_store_check(cb_store *s, cb_store_tally *tally, cb_err *err);

/* ---- materials ------------------------------------------------------------------------------------------------ */
/* Finds by kind and name or inserts with only the name set. */
CB_CHECKED cb_status cb_store_material_ensure(cb_store *s, cb_material_kind kind, const char *name, cb_origin origin, int64_t *id,
                                              cb_err *err);
CB_CHECKED cb_status cb_store_material_put(cb_store *s, cb_material *m, cb_err *err); /* inserts; sets m->id */
/* Inserts a material, or fills in what the one of that kind and name does not know yet; *id may be of either. CB_E_RANGE where both know
 * a fact and it differs. */
CB_CHECKED cb_status cb_store_material_learn(cb_store *s, const cb_material *told, int64_t *id, cb_err *err);
/* CB_E_NOTFOUND names the material and lists those there are. */
CB_CHECKED cb_status cb_store_material_find(cb_store *s, cb_material_kind kind, const char *name, cb_material *m, cb_err *err);
CB_CHECKED cb_status cb_store_materials(cb_store *s, cb_material **list, size_t *n, cb_err *err);

/* ---- rigs, calibrations, campaigns ----------------------------------------------------------------------------- */
/* The rig file's text as it was when used; the same text is stored once. */
CB_CHECKED cb_status cb_store_rig_ensure(cb_store *s, const char *name, const char *text, int64_t *id, cb_err *err);
CB_CHECKED cb_status cb_store_rig_text(cb_store *s, int64_t id, char **text /* caller frees */, cb_err *err);

/* For declared and imported ones: the same calibration is stored once. */
CB_CHECKED cb_status cb_store_calibration_ensure(cb_store *s, cb_calibration *c, cb_err *err);
CB_CHECKED cb_status cb_store_calibration_get(cb_store *s, int64_t id, cb_calibration *c, cb_err *err);
CB_CHECKED cb_status cb_store_calibrations(cb_store *s, cb_calibration **list, size_t *n, cb_err *err); /* by id */
/* A measured calibration with its points, in one transaction or not at all. weights_text: the file as read; budget_json: kept verbatim.
 * Sets c->id. */
CB_CHECKED cb_status cb_store_calibration_put(cb_store *s, cb_calibration *c, const cb_calibration_point *points, size_t n,
                                              const char *weights_text, const char *budget_json, cb_err *err);
CB_CHECKED cb_status cb_store_calibration_points(cb_store *s, int64_t id, cb_calibration_point **list, size_t *n, cb_err *err);
/* The raw readings of one step; a damaged one is an error. Caller: cb_series_clear. */
CB_CHECKED cb_status cb_store_calibration_raw(cb_store *s, int64_t id, int step, cb_series *out, cb_err *err);
/* "" where there is none. Caller frees. */
CB_CHECKED cb_status cb_store_calibration_budget(cb_store *s, int64_t id, char **budget_json, cb_err *err);

CB_CHECKED cb_status cb_store_campaign_put(cb_store *s, cb_campaign *c, cb_err *err); /* sets id, uuid, created_at */
CB_CHECKED cb_status cb_store_campaign_finish(cb_store *s, int64_t id, cb_err *err);
CB_CHECKED cb_status cb_store_campaign_get(cb_store *s, int64_t id, cb_campaign *c, cb_err *err);
CB_CHECKED cb_status cb_store_campaigns(cb_store *s, cb_campaign **list, size_t *n, cb_err *err); /* oldest first */
/* Newest unfinished campaign with exactly this name and plan text; CB_E_NOTFOUND if there is none. */
CB_CHECKED cb_status cb_store_campaign_unfinished(cb_store *s, const char *name, const char *plan_text, cb_campaign *c, cb_err *err);

/* Conditions and specimen of a campaign, once; preset: as in the campaign file. Temperature and humidity stand in the campaign's
 * own row: put leaves them alone, get reads them from there. A campaign without them (older, imported) is unknown and "custom". */
CB_CHECKED cb_status cb_store_conditions_put(cb_store *s, int64_t campaign_id, const char *preset, const cb_conditions *c, cb_err *err);
CB_CHECKED cb_status cb_store_conditions_get(cb_store *s, int64_t campaign_id, char preset[32], cb_conditions *c, cb_err *err);

/* What a campaign's pulls come to by a test standard (cb_standard), kept verbatim. */
CB_CHECKED cb_status cb_store_standard_put(cb_store *s, int64_t campaign_id, const char *standard, const char *result_json, cb_err *err);
/* The newest; CB_E_NOTFOUND where it was not evaluated. Caller frees. */
CB_CHECKED cb_status cb_store_standard_find(cb_store *s, int64_t campaign_id, char **result_json, cb_err *err);

/* ---- runs and their raw samples -------------------------------------------------------------------------------- */
CB_CHECKED cb_status cb_store_run_put(cb_store *s, cb_run *r, cb_err *err); /* sets id, uuid, started_at */
/* Adds a word to the flags of a run that has not ended; a word that is there already is not added again. */
CB_CHECKED cb_status cb_store_run_flag(cb_store *s, int64_t id, const char *word, cb_err *err);
CB_CHECKED cb_status cb_store_run_finish(cb_store *s, int64_t id, cb_run_status status, const char *reason, cb_err *err);
CB_CHECKED cb_status cb_store_run_get(cb_store *s, int64_t id, cb_run *r, cb_err *err);
/* A run found still `running` when no program holds the campaign was cut off: mark all of them interrupted, pack their samples. */
CB_CHECKED cb_status cb_store_runs_interrupt(cb_store *s, int64_t campaign_id, size_t *n, cb_err *err);

typedef struct cb_run_filter { /* zero / -1 / NULL members do not filter; start from cb_run_filter_all() */
  int64_t campaign_id, cloth_id, body_id;
  int kind;   /* cb_run_kind or -1 */
  int status; /* cb_run_status or -1 */
} cb_run_filter;
cb_run_filter cb_run_filter_all(void);
CB_CHECKED cb_status cb_store_runs(cb_store *s, const cb_run_filter *f, cb_run **list, size_t *n, cb_err *err); /* by id */

CB_CHECKED cb_status cb_store_run_channel_put(cb_store *s, const cb_run_channel *c, cb_err *err);
CB_CHECKED cb_status cb_store_run_channels(cb_store *s, int64_t run_id, cb_run_channel **list, size_t *n, cb_err *err);
CB_CHECKED cb_status cb_store_run_zero_put(cb_store *s, const cb_run_zero *z, cb_err *err);
/* CB_E_NOTFOUND where it was not taken. */
CB_CHECKED cb_status cb_store_run_zero_get(cb_store *s, int64_t run_id, cb_zero_phase phase, cb_run_zero *z, cb_err *err);

/* Appends n raw samples (run time [s], value); first_index counts samples of the channel from 0. As one transaction per 100 ms wants it:
 * a few samples go to the tail as they are, and once it holds CB_CHUNK_N with them, all of it is packed into chunks, which are never
 * touched again. Whatever was committed is there after a crash, in the one place or the other. */
#define CB_CHUNK_N 16384
CB_CHECKED cb_status cb_store_samples_append(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index, size_t n,
                                             const double *t_s, const double *v, cb_err *err);
/* The same where all samples are at hand: packed into chunks at once. There must be no tail. */
CB_CHECKED cb_status cb_store_chunk_put(cb_store *s, int64_t run_id, cb_channel channel, int64_t first_index, size_t n, const double *t_s,
                                        const double *v, cb_err *err);
/* All samples of one channel in order, raw. Gaps and CRC errors are errors. Caller: cb_series_clear. */
CB_CHECKED cb_status cb_store_samples(cb_store *s, int64_t run_id, cb_channel channel, cb_series *out, cb_err *err);
CB_CHECKED cb_status cb_store_run_stroke_put(cb_store *s, const cb_run_stroke *stroke, cb_err *err);
CB_CHECKED cb_status cb_store_run_strokes(cb_store *s, int64_t run_id, cb_run_stroke **list, size_t *n, cb_err *err); /* in order */

/* The run as analysis wants it: raw samples through the converters of the run (cb_run_channel_value), force = reading * slope (not
 * zeroed), position [m], or the integral of the speed where that is all there is. Measured: the force on the even clock of its read-out,
 * or, with doubt_s INFINITY, as it arrived. Imported: as the record says, and doubt_s is twice the uncertainty of the clocks' offset;
 * INFINITY where the record tells no times (rate_Hz 0); its zero, where there is one, was told with the record (zero_given). Caller:
 * cb_trace_clear. */
CB_CHECKED cb_status cb_store_trace(cb_store *s, const cb_run *run, cb_trace *out, cb_err *err);

CB_CHECKED cb_status cb_store_event_put(cb_store *s, int64_t campaign_id, int64_t run_id /* 0: none */, double t_s, const char *kind,
                                        const char *text, cb_err *err);
typedef struct cb_event {
  int64_t campaign_id, run_id;
  double t_s;
  char at[32], kind[32], text[256];
} cb_event;
CB_CHECKED cb_status cb_store_events(cb_store *s, int64_t campaign_id, cb_event **list, size_t *n, cb_err *err);

/* ---- friction points: what a run comes to ---------------------------------------------------------------------- */
CB_CHECKED cb_status cb_store_point_put(cb_store *s, cb_friction_point *p, cb_err *err); /* sets id */

/* All that the reduction found, kept verbatim; once per point. */
CB_CHECKED cb_status cb_store_point_detail_put(cb_store *s, int64_t point_id, const char *result_json, cb_err *err);
/* "" where there is none. Caller frees. */
CB_CHECKED cb_status cb_store_point_detail(cb_store *s, int64_t point_id, char **result_json, cb_err *err);

CB_CHECKED cb_status cb_store_observations(cb_store *s, int64_t cloth_id, int64_t body_id, cb_friction_obs **list, size_t *n, cb_err *err);
/* Newest point of one run; CB_E_NOTFOUND if it was not reduced. */
CB_CHECKED cb_status cb_store_point_of_run(cb_store *s, int64_t run_id, cb_friction_point *p, cb_err *err);

/* ---- laws, predictions, validations ----------------------------------------------------------------------------- */
/* verdicts_json: what the fit said (isotropic, linear, tests, mean_mu ...), kept verbatim. Sets law->id. */
CB_CHECKED cb_status cb_store_law_put(cb_store *s, cb_friction_law *law, int64_t cloth_id, int64_t body_id, const int64_t *point_ids,
                                      size_t n_points, const char *method, const char *verdicts_json, cb_err *err);
/* Newest law of a pair and kind; CB_E_NOTFOUND names the pair and what to do. */
CB_CHECKED cb_status cb_store_law_find(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind, cb_friction_law *law,
                                       cb_err *err);
CB_CHECKED cb_status cb_store_law_info(cb_store *s, int64_t law_id, char **method, char **verdicts_json, char created_at[32],
                                       cb_err *err);                                             /* caller frees both */
CB_CHECKED cb_status cb_store_laws(cb_store *s, cb_friction_law **list, size_t *n, cb_err *err); /* newest of each pair and kind */
/* The runs whose points went into a law, by id; none: the law was imported whole. */
CB_CHECKED cb_status cb_store_law_runs(cb_store *s, int64_t law_id, cb_run **list, size_t *n, cb_err *err);
/* How many points of the pair, with the body turned as in the law, are newer than the law (0: the law knows everything). */
CB_CHECKED cb_status cb_store_law_stale(cb_store *s, const cb_friction_law *law, size_t *n_newer, cb_err *err);

typedef struct cb_validation {
  int64_t id, run_id, law_static_id, law_kinetic_id;
  char experiment[32]; /* "slide" */
  bool pass;
  double worst_en;   /* largest |E_n| (ISO 13528) over the compared quantities */
  char *result_json; /* owned by the caller of put; from list: caller frees with cb_validations_free */
  char created_at[32];
} cb_validation;
CB_CHECKED cb_status cb_store_validation_put(cb_store *s, cb_validation *v, cb_err *err);
CB_CHECKED cb_status cb_store_validations(cb_store *s, int64_t run_id /* 0: all */, cb_validation **list, size_t *n, cb_err *err);
void cb_validations_free(cb_validation *list, size_t n);

#endif
