/* The store: one SQLite file that keeps every measurement with its history. core/cb_store*.c is the only code that includes
 * sqlite3.h. Raw data are append-only; everything derived names its inputs, its method, the program version and the time.
 *
 * Lists are returned as one malloc'd array; the caller frees it with free(). Ids are > 0; 0 means "none". Times are ISO 8601
 * UTC texts "2026-11-21T08:00:00.123Z". */
#ifndef CB_STORE_H
#define CB_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_conditions.h"
#include "cb_err.h"
#include "cb_friction_law.h"
#include "cb_origin.h"
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
/* integrity_check, foreign keys, every unit, CRC and content of every chunk and tail, every channel of a run without a gap and with a
 * time that does not go back, and that no real value depends on a virtual one. The first problem is the error's sentence.
 * tally may be NULL. */
CB_CHECKED cb_status cb_store_check(cb_store *s, cb_store_tally *tally, cb_err *err);

/* ---- materials ------------------------------------------------------------------------------------------------ */
typedef enum cb_material_kind { CB_CLOTH, CB_BODY } cb_material_kind;
extern const char *const cb_material_kind_names[]; /* "cloth", "body", NULL */

typedef struct cb_material {
  int64_t id;
  cb_material_kind kind;
  char name[64]; /* unique per kind */
  char composition[128], weave[64];
  double areal_density_kg_per_m2; /* 0: unknown */
  double thickness_m;             /* 0: unknown */
  char source[256];               /* citation */
  cb_origin origin;
} cb_material;

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

typedef enum cb_calibration_kind {
  CB_CALIBRATION_DECLARED, /* the rig file says so */
  CB_CALIBRATION_MEASURED, /* made by `calibrate`, with its points */
  CB_CALIBRATION_IMPORTED  /* of published tables */
} cb_calibration_kind;
extern const char *const cb_calibration_kind_names[]; /* "declared", "measured", "imported", NULL */

/* Where a member is not known: "" or 0, and NAN below `sensitivity`. */
typedef struct cb_calibration {
  int64_t id;
  int64_t rig_id;
  cb_calibration_kind kind;
  cb_origin origin;
  char cell[64];           /* serial number of the load cell */
  char unit[16];           /* of the reading */
  double slope_N_per_unit; /* F = (reading - zero) * slope */
  double u_rel;            /* relative standard uncertainty of every force: slope, weights, gravity ... */
  double u_floor_N;        /* standard uncertainty that does not shrink with the force: nonlinearity, hysteresis, digit ... */
  double dof;              /* effective degrees of freedom of both together, at full scale; 0: infinite */
  double resolution_N;     /* digit of the reading, as force */
  char certificate[128];   /* its own, or of the weights */
  char valid_from[32], valid_until[32];
  char operator_name[64];
  double gravity_m_per_s2, air_density_kg_per_m3, full_scale_N;
  /* The line reading = intercept + sensitivity * force, through the points of all cycles; measured ones only. */
  double sensitivity, u_sensitivity, intercept, u_intercept, cov_intercept_sensitivity, residual_sd; /* in unit, unit / N */
  double nonlinearity_N, hysteresis_N, repeatability_N, zero_return_N, creep_N;
  double temperature_degC;
  char rig_name[64], created_at[32]; /* from get and lists */
} cb_calibration;
/* For declared and imported ones: the same calibration is stored once. */
CB_CHECKED cb_status cb_store_calibration_ensure(cb_store *s, cb_calibration *c, cb_err *err);
CB_CHECKED cb_status cb_store_calibration_get(cb_store *s, int64_t id, cb_calibration *c, cb_err *err);
CB_CHECKED cb_status cb_store_calibrations(cb_store *s, cb_calibration **list, size_t *n, cb_err *err); /* by id */
/* Standard uncertainty that the calibration gives a force. */
double cb_calibration_u_N(const cb_calibration *c, double force_N);

/* One reading of a calibration: what hung on the cell, and what the read-out said. */
typedef enum cb_calibration_direction { CB_CAL_PRELOAD, CB_CAL_ZERO, CB_CAL_UP, CB_CAL_DOWN, CB_CAL_CREEP } cb_calibration_direction;
extern const char *const cb_calibration_direction_names[]; /* "preload", "zero", "up", "down", "creep", NULL */
typedef struct cb_calibration_point {
  int step;  /* from 1, in order of time */
  int cycle; /* from 1; 0: preload; one more than the last: creep */
  cb_calibration_direction direction;
  double mass_kg, force_N, u_force_N;
  double reading, sd; /* mean and standard deviation of n readings */
  size_t n;
  double t_s;    /* of the middle, since the calibration began */
  cb_series raw; /* the n readings; owned; empty from lists */
} cb_calibration_point;
/* A measured calibration with its points, in one transaction or not at all. weights_text: the file as read; budget_json: kept verbatim.
 * Sets c->id. */
CB_CHECKED cb_status cb_store_calibration_put(cb_store *s, cb_calibration *c, const cb_calibration_point *points, size_t n,
                                              const char *weights_text, const char *budget_json, cb_err *err);
CB_CHECKED cb_status cb_store_calibration_points(cb_store *s, int64_t id, cb_calibration_point **list, size_t *n, cb_err *err);
/* The raw readings of one step; a damaged one is an error. Caller: cb_series_clear. */
CB_CHECKED cb_status cb_store_calibration_raw(cb_store *s, int64_t id, int step, cb_series *out, cb_err *err);
/* "" where there is none. Caller frees. */
CB_CHECKED cb_status cb_store_calibration_budget(cb_store *s, int64_t id, char **budget_json, cb_err *err);

typedef enum cb_campaign_kind { CB_CAMPAIGN_FRICTION, CB_CAMPAIGN_SLIDE, CB_CAMPAIGN_IMPORT } cb_campaign_kind;
extern const char *const cb_campaign_kind_names[]; /* "friction", "slide", "import", NULL */

typedef struct cb_campaign {
  int64_t id;
  char uuid[37];
  char name[64];
  cb_campaign_kind kind;
  int64_t cloth_id, body_id, rig_id; /* import: all 0 where a file holds several pairs */
  char *plan_text;                   /* the campaign or mapping file as read; owned by the caller of put; NULL from lists */
  char operator_name[64];
  double temperature_degC, humidity_percent; /* NAN: not recorded */
  cb_origin origin;
  char created_at[32], finished_at[32]; /* finished_at "" while unfinished */
} cb_campaign;
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
typedef enum cb_run_status { CB_RUN_RUNNING, CB_RUN_DONE, CB_RUN_FAILED, CB_RUN_ABORTED, CB_RUN_INTERRUPTED } cb_run_status;
extern const char *const cb_run_status_names[]; /* "running", "done", "failed", "aborted", "interrupted", NULL */
typedef enum cb_run_kind { CB_RUN_PULL, CB_RUN_SLIDE } cb_run_kind;
extern const char *const cb_run_kind_names[]; /* "pull", "slide", NULL; slides are kept apart for validation, never fitted */

typedef struct cb_run {
  int64_t id;
  char uuid[37];
  int64_t campaign_id, cloth_id, body_id, rig_id, calibration_id;
  cb_run_kind kind;
  double angle_deg;      /* cloth orientation on the bed, 0 = warp along the pull */
  double body_angle_deg; /* the same of a body that is a cloth itself; NAN: not known, or the body has no directions */
  double cart_mass_kg, added_mass_kg;
  double normal_force_N, u_normal_force_N;
  double contact_area_m2;
  double incline_deg;             /* of the bed; 0 = level */
  double speed_m_per_s, travel_m; /* commanded */
  int direction;                  /* +1 forward, -1 backward */
  int repeat;                     /* from 1 */
  double rate_Hz;                 /* nominal, of a read-out with a clock of its own; 0: it has none, every reading's stamp is its time */
  cb_origin origin;
  char source[256]; /* imported: file:line; else the rig's name */
  char started_at[32], finished_at[32];
  cb_run_status status;
  char reason[256]; /* why it failed, "" if done */
  char flags[128];  /* what must be known before the run is trusted, words with a blank between: "uncalibrated zero-drift"; "" = nothing */
} cb_run;

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

typedef enum cb_channel {
  CB_CHANNEL_FORCE,        /* reading in the calibration's unit */
  CB_CHANNEL_POSITION,     /* of the stage [m] */
  CB_CHANNEL_EXCITATION,   /* of the load cell's bridge [V] */
  CB_CHANNEL_TEMPERATURE,  /* degC */
  CB_CHANNEL_DISPLACEMENT, /* of the cart or the stage, by a sensor of its own [m] */
  CB_CHANNEL_SPEED,        /* of the stage [m/s], where its position was not recorded */
  CB_N_CHANNELS
} cb_channel;
extern const char *const cb_channel_names[]; /* "force", "position", ..., NULL */

/* What turns the raw samples of a channel into its unit, where they are not in it already (a board's converter):
 * value = (c0 + c1 x + c2 x^2 + c3 x^3) * scale + offset, x = raw - origin. And how the channel was really sampled. */
typedef struct cb_run_channel {
  int64_t run_id;
  cb_channel channel;
  char device[128];     /* board and channel */
  char conversion[160]; /* where the polynomial came from: "hard calibration", "soft calibration FILE", "none" */
  double origin, c[4];
  double scale, offset;
  double granted_rate_Hz;                  /* as the driver granted it; 0: nobody did */
  double skew_s;                           /* the channel is converted so long after the first one of its scan */
  double raw_max;                          /* raw values 0 and raw_max mean: clipped; 0: no such limit */
  double clock_offset_s, u_clock_offset_s; /* to be added to the channel's stamps: its clock is not the force's (standard uncertainty) */
} cb_run_channel;
CB_CHECKED cb_status cb_store_run_channel_put(cb_store *s, const cb_run_channel *c, cb_err *err);
CB_CHECKED cb_status cb_store_run_channels(cb_store *s, int64_t run_id, cb_run_channel **list, size_t *n, cb_err *err);
double cb_run_channel_value(const cb_run_channel *c, double raw);

/* The reading without force, before the pull and after it, at rest and with a slack link; in the calibration's unit. */
typedef enum cb_zero_phase { CB_ZERO_BEFORE, CB_ZERO_AFTER } cb_zero_phase;
typedef struct cb_run_zero {
  int64_t run_id;
  cb_zero_phase phase;
  double mean, sd;
  size_t n;
  double t_s; /* run time of its middle */
} cb_run_zero;
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
/* Strokes of a record that labels them instead of telling where the stage was; first and n: samples of the force. */
typedef struct cb_run_stroke {
  int64_t run_id, first, n;
  int direction;
} cb_run_stroke;
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
typedef struct cb_friction_point {
  int64_t id, run_id;
  double zero_N, u_zero_N;           /* force before the pull; 0, 0 for imported points */
  double static_N, u_static_N;       /* NAN: not measured */
  double kinetic_N, u_kinetic_N;     /* u: standard uncertainty without calibration, which all runs share */
  double kinetic_sd_N;               /* of the samples in the plateau */
  double n_eff;                      /* effective number of samples */
  double window_from_m, window_to_m; /* plateau, by displacement */
  double mu_reported;                /* imported: kinetic coefficient as printed; NAN: none */
  int mu_reported_decimals;          /* digits after the point of mu_reported */
  char method[160];                  /* name and parameters */
} cb_friction_point;
CB_CHECKED cb_status cb_store_point_put(cb_store *s, cb_friction_point *p, cb_err *err); /* sets id */

/* All that the reduction found, kept verbatim; once per point. */
CB_CHECKED cb_status cb_store_point_detail_put(cb_store *s, int64_t point_id, const char *result_json, cb_err *err);
/* "" where there is none. Caller frees. */
CB_CHECKED cb_status cb_store_point_detail(cb_store *s, int64_t point_id, char **result_json, cb_err *err);

/* A point joined with its run: what a fit reads. Only the newest point of each finished (`done`) run of kind pull. */
typedef struct cb_friction_obs {
  cb_run run;
  cb_friction_point point;
  double u_rel_calibration;     /* shared by all forces, in proportion ... */
  double u_floor_calibration_N; /* ... and not; cb_calibration */
  double dof_calibration;       /* 0: infinite */
} cb_friction_obs;
CB_CHECKED cb_status cb_store_observations(cb_store *s, int64_t cloth_id, int64_t body_id, cb_friction_obs **list, size_t *n, cb_err *err);
/* Keeps the runs that are the same as most are (of equally many the first met), in their order. Returns how many. */
size_t cb_friction_obs_keep_most(cb_friction_obs *obs, size_t n, bool (*same)(const cb_run *a, const cb_run *b));
/* A friction law is for one direction of the body: that of most runs; "not known" is one, too. A mixture of real and virtual runs stays
 * as it is: the fit refuses it. */
size_t cb_friction_obs_one_body_angle(cb_friction_obs *obs, size_t n);
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
