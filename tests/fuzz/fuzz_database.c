/* A whole database that somebody edited: bytes of the file, cells and rows of its tables, with seals that fit
 * or do not. Whatever it holds: no crash, no number that is none, no negative uncertainty; and what was
 * changed without new seals, `db check` finds. */
#include <math.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_seal.h"
#include "../kit/storecontent.h"
#include "cb_file.h"
#include "cb_store_material_test.h"
#include "cb_store_file.h"
#include "cb_store_self_friction.h"
#include "cb_store_specimen.h"
#include "report_figures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#define MUST(call)                                 \
  do {                                             \
    if ((call) != CB_OK) {                         \
      fprintf(stderr, "%s: %s\n", #call, err.msg); \
      abort();                                     \
    }                                              \
  } while (0)

static cb_err err;
static char path[300], other[300];
static uint8_t *base;
static size_t base_size;
static uint64_t base_hash;

/* ---- the file before anybody touched it ---- */

static int64_t make_run(cb_store *s, cb_campaign *c, int64_t rig_id, int64_t calibration_id, double angle_deg,
                        double N) {
  enum { N_SAMPLES = 300 };
  double t[N_SAMPLES], f[N_SAMPLES], x[N_SAMPLES];
  cb_run r = {.campaign_id = c->id,
              .cloth_id = c->cloth_id,
              .body_id = c->body_id,
              .rig_id = rig_id,
              .calibration_id = calibration_id,
              .specimen_id = 1,
              .kind = CB_RUN_PULL,
              .angle_deg = angle_deg,
              .cart_mass_kg = 0.02,
              .added_mass_kg = 0.1,
              .normal_force_N = N,
              .u_normal_force_N = 1e-3,
              .contact_area_m2 = 0.005,
              .speed_m_per_s = 0.01,
              .travel_m = 0.02,
              .direction = 1,
              .repeat = 1,
              .rate_Hz = 100,
              .origin = CB_VIRTUAL,
              .source = "fuzz",
              .status = CB_RUN_RUNNING};
  MUST(cb_store_run_put(s, &r, &err));
  for (int i = 0; i < N_SAMPLES; i++) {
    t[i] = i / 100.0;
    f[i] = i < 50 ? 0.01 : 0.5 * N * (1 + 0.3 * exp(-(i - 50) / 10.0)) + 0.001 * ((i * 7919) % 13);
    x[i] = i < 50 ? 0 : (i - 50) * 1e-4;
  }
  MUST(cb_store_samples_append(s, r.id, CB_CHANNEL_FORCE, 0, N_SAMPLES, t, f, &err));
  MUST(cb_store_samples_append(s, r.id, CB_CHANNEL_POSITION, 0, N_SAMPLES, t, x, &err));
  const cb_run_zero zero = {
      .run_id = r.id, .phase = CB_ZERO_BEFORE, .mean = 0.01, .sd = 0.001, .n = 50, .t_s = 0.2};
  const cb_run_channel channel = {
      .run_id = r.id, .channel = CB_CHANNEL_FORCE, .device = "cell", .c = {0, 1}, .scale = 1};
  MUST(cb_store_run_zero_put(s, &zero, &err));
  MUST(cb_store_run_channel_put(s, &channel, &err));
  MUST(cb_store_run_finish(s, r.id, CB_RUN_DONE, "", &err));
  cb_friction_point p = {.run_id = r.id,
                         .u_zero_N = 1e-3,
                         .static_N = 0.65 * N,
                         .u_static_N = 0.01,
                         .kinetic_N = 0.5 * N,
                         .u_kinetic_N = 5e-3,
                         .kinetic_sd_N = 0.01,
                         .n_eff = 40,
                         .window_from_m = 0.005,
                         .window_to_m = 0.02,
                         .mu_reported = NAN,
                         .method = "fuzz"};
  MUST(cb_store_point_put(s, &p, &err));
  return p.id;
}

static void put_law(cb_store *s, const cb_campaign *c, const int64_t *points, cb_friction_kind kind) {
  cb_friction_law l = {.cloth = "Twill",
                       .body = "Foam",
                       .kind = kind,
                       .form = CB_FORM_ORTHOTROPIC,
                       .origin = CB_VIRTUAL,
                       .contact_area_m2 = 0.005,
                       .exponent = 0.95,
                       .u_exponent = 0.02,
                       .u_rel_common = 0.003,
                       .u_rel_model = 0.01,
                       .dof = 5,
                       .bend = 0.2,
                       .speed_m_per_s = 0.01,
                       .n_knots = 2,
                       .n_shared = 1};
  for (int i = 0; i < 2; i++) {
    l.knots[i] = (cb_friction_knot){.normal_force_N = 1 + i, .f_N = {0.5 + 0.5 * i, 0.01, 0.6 + 0.5 * i}};
    for (int k = 0; k < 3; k++) l.knots[i].cov_N2[k][k] = 1e-4;
    for (int k = 0; k < 3; k++) l.shared[0].f_N[i][k] = 1e-3;
  }
  (void)snprintf(l.shared[0].source, sizeof l.shared[0].source, "scale");
  MUST(cb_store_law_put(s, &l, c->cloth_id, c->body_id, points, 4, "fuzz", "{\"ok\":true}", &err));
}

static void make_base(void) {
  cb_store *s;
  cb_campaign c = {.name = "lab",
                   .kind = CB_CAMPAIGN_FRICTION,
                   .plan_text = (char[]){"name: lab\n"},
                   .temperature_degC = 20,
                   .humidity_percent = 65,
                   .origin = CB_VIRTUAL};
  cb_calibration cal = {.unit = "N",
                        .slope_N_per_unit = 1,
                        .u_rel = 0.002,
                        .resolution_N = 1e-4,
                        .certificate = "W",
                        .valid_from = "2026-01-01",
                        .origin = CB_VIRTUAL};
  int64_t rig, points[4];
  MUST(cb_store_open(path, CB_STORE_WRITE, &s, &err));
  MUST(cb_store_begin(s, &err));
  MUST(cb_store_material_ensure(s, CB_CLOTH, "Twill", CB_VIRTUAL, &c.cloth_id, &err));
  MUST(cb_store_material_ensure(s, CB_BODY, "Foam", CB_VIRTUAL, &c.body_id, &err));
  MUST(cb_store_rig_ensure(s, "rig", "name: rig\n", &rig, &err));
  cal.rig_id = c.rig_id = rig;
  MUST(cb_store_calibration_ensure(s, &cal, &err));
  cb_specimen piece = {.name = "S1", .cloth_id = c.cloth_id, .side = 0, .cut_deg = 45, .washes = 2};
  cb_specimen_entry entry = {.text = "aired", .operator_name = "Mia"};
  memcpy(piece.operator_name, "Mia", 4);
  MUST(cb_store_specimen_put(s, &piece, &err));
  MUST(cb_store_specimen_log(s, piece.id, &entry, &err));
  MUST(cb_store_campaign_put(s, &c, &err));
  for (int i = 0; i < 4; i++) points[i] = make_run(s, &c, rig, cal.id, 90 * (i % 2), 1 + i / 2);
  put_law(s, &c, points, CB_FRICTION_KINETIC);
  put_law(s, &c, points, CB_FRICTION_STATIC);
  cb_validation v = {.experiment = "slide",
                     .run_id = 1,
                     .law_kinetic_id = 1,
                     .pass = true,
                     .worst_en = 0.5,
                     .result_json = (char[]){"{}"}};
  MUST(cb_store_validation_put(s, &v, &err));
  MUST(cb_store_commit(s, &err));
  MUST(cb_store_check(s, NULL, &err)); /* else a check that fails would say nothing */
  MUST(cb_store_close(s, &err));
}

/* One file, no write-ahead log. */
static void leave_wal(const char *file) {
  sqlite3 *db;
  if (sqlite3_open(file, &db) != SQLITE_OK ||
      sqlite3_exec(db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL) != SQLITE_OK)
    abort();
  sqlite3_close(db);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  char *text;
  (void)snprintf(path, sizeof path, "%s/clothbench-fuzz-%ld.db", folder, (long)getpid());
  (void)snprintf(other, sizeof other, "%s/clothbench-fuzz-%ld-other.db", folder, (long)getpid());
  make_base();
  leave_wal(path);
  MUST(cb_file_read(path, (size_t)1 << 26, &text, &base_size, &err));
  base = (uint8_t *)text;
  if (!store_content(path, &base_hash)) abort();
  unlink(path);
  return 0;
}

/* ---- the edits: a byte says what, the next ones say where ---- */

typedef struct tape {
  const uint8_t *at;
  size_t left;
} tape;

static unsigned take(tape *t, size_t n) {
  unsigned x = 0;
  for (; n > 0 && t->left > 0; n--, t->left--) x = x << 8 | *t->at++;
  return x;
}

/* The name-th table, or the name-th column of a table. */
static void pick(sqlite3 *db, const char *sql, unsigned at, char out[64]) {
  sqlite3_stmt *q;
  unsigned n = 0;
  out[0] = '\0';
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) return;
  while (sqlite3_step(q) == SQLITE_ROW) n++;
  sqlite3_reset(q);
  for (unsigned i = 0; n > 0 && i <= at % n; i++) (void)sqlite3_step(q);
  if (n > 0) (void)snprintf(out, 64, "%s", (const char *)sqlite3_column_text(q, 0));
  sqlite3_finalize(q);
}

static void bind_value(sqlite3_stmt *q, tape *t) {
  static const double odd[] = {0, -1, 1e308, -1e308, 1e-308, 0.005, 1e9, 9.5e18};
  static const char *const words[] = {"", "a\nb", "\x1b[2J", "{\"a\":", "<script>", "=1+1", "speed", "\xff"};
  unsigned kind = take(t, 1), x = take(t, 1);
  double d = 0;
  uint64_t bits = (uint64_t)take(t, 4) << 32 | take(t, 4);
  memcpy(&d, &bits, sizeof d);
  switch (kind % 6) {
    case 0: sqlite3_bind_double(q, 1, odd[x % 8]); break;
    case 1: sqlite3_bind_double(q, 1, x % 8 == 0 ? HUGE_VAL : x % 8 == 1 ? -HUGE_VAL : d); break;
    case 2: sqlite3_bind_int64(q, 1, (int64_t)bits); break;
    case 3: sqlite3_bind_text(q, 1, words[x % 8], -1, SQLITE_STATIC); break;
    case 4: sqlite3_bind_int64(q, 1, x); break;
    default: sqlite3_bind_null(q, 1);
  }
}

static void edit_cell(sqlite3 *db, tape *t) {
  char table[64], column[64], sql[300];
  sqlite3_stmt *q;
  pick(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", take(t, 1), table);
  (void)snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s')", table);
  pick(db, sql, take(t, 1), column);
  bool delete = take(t, 1) % 8 == 0;
  unsigned row = take(t, 1) % 8;
  if (delete)
    (void)snprintf(sql, sizeof sql, "DELETE FROM \"%s\" LIMIT 1 OFFSET %u", table, row);
  else
    (void)snprintf(sql, sizeof sql, "UPDATE \"%s\" SET \"%s\" = ? LIMIT 1 OFFSET %u", table, column, row);
  if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK) return;
  if (!delete) bind_value(q, t);
  (void)sqlite3_step(q);
  sqlite3_finalize(q);
}

static void edit_cells(tape *t) {
  sqlite3 *db;
  unsigned n = take(t, 1) % 4;
  if (sqlite3_open(path, &db) == SQLITE_OK) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_exec(
        db, "PRAGMA ignore_check_constraints = ON; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY",
        NULL, NULL, NULL);
    for (unsigned i = 0; i < n; i++) edit_cell(db, t);
  }
  sqlite3_close(db);
}

/* As if this program had written what is there: looks behind the seals. */
static void reseal(void) {
  cb_store *s;
  if (cb_store_open(path, CB_STORE_READ, &s, NULL) != CB_OK) return;
  if (sqlite3_exec(s->db,
                   "PRAGMA query_only = OFF; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN",
                   NULL, NULL, NULL) == SQLITE_OK &&
      cbs_seal_all(s, NULL) == CB_OK)
    (void)sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL);
  (void)cb_store_close(s, NULL);
}

static void edit_bytes(tape *t) {
  FILE *f = fopen(path, "r+b");
  while (f && t->left >= 4) {
    long at = (long)(take(t, 3) % base_size);
    if (fseek(f, at, SEEK_SET) != 0) break;
    int c = fgetc(f);
    if (c == EOF || fseek(f, at, SEEK_SET) != 0) break;
    (void)fputc(c ^ (int)take(t, 1), f);
  }
  if (f) (void)fclose(f);
}

/* ---- what this program makes of it ---- */

static void expect_numbers(const cb_friction_value *v) {
  if (isnan(v->force_N) || isnan(v->u_force_N) || v->u_force_N < 0 || !(v->dof >= 1)) __builtin_trap();
}

static void predict(cb_store *s, cb_friction_kind kind) {
  cb_friction_law law;
  if (cb_store_law_find(s, "Twill", "Foam", kind, &law, &err) != CB_OK) return;
  for (int i = 0; i < 8; i++) {
    cb_friction_value v;
    cb_friction_law_eval(&law, 0.7 * i, 0.1 * pow(2.3, i), &v);
    expect_numbers(&v);
  }
}

static void expect_error_bars(const report_plot *p) {
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->series[i].n; k++)
      if (p->series[i].style == REPORT_POINTS && !(p->series[i].b[k] >= 0)) __builtin_trap();
}

static void report(cb_store *s) {
  static const char *const of[][2] = {{NULL, NULL}, {"Twill", NULL}, {"Twill", "Foam"}};
  for (size_t i = 0; report_figure_at(i).name; i++)
    for (int k = 0; k < 3; k++) {
      report_plot p = {.n = 0};
      if (report_figure_build(s, NULL, report_figure_at(i).name, of[k][0], of[k][1], &p, &err) == CB_OK)
        expect_error_bars(&p);
      report_plot_clear(&p);
    }
  for (int64_t run = 1; run <= 4; run++) {
    report_plot p = {.n = 0};
    (void)!report_figure_run(s, run, &p, &err);
    report_plot_clear(&p);
  }
}

#define LIST(type, call, release) \
  do {                            \
    type *list_ = NULL;           \
    size_t n_ = 0;                \
    if ((call) == CB_OK) release; \
  } while (0)

static void list_all(cb_store *s) {
  cb_run_filter all = cb_run_filter_all();
  LIST(cb_material, cb_store_materials(s, &list_, &n_, &err), free(list_));
  LIST(cb_campaign, cb_store_campaigns(s, &list_, &n_, &err), free(list_));
  LIST(cb_calibration, cb_store_calibrations(s, &list_, &n_, &err), free(list_));
  LIST(cb_run, cb_store_runs(s, &all, &list_, &n_, &err), free(list_));
  LIST(cb_specimen, cb_store_specimens(s, &list_, &n_, &err), free(list_));
  LIST(cb_specimen_entry, cb_store_specimen_entries(s, 1, &list_, &n_, &err), free(list_));
  LIST(cb_friction_law, cb_store_laws(s, &list_, &n_, &err), free(list_));
  LIST(cb_friction_obs, cb_store_observations(s, 1, 2, &list_, &n_, &err), free(list_));
  LIST(cb_validation, cb_store_validations(s, 0, &list_, &n_, &err), cb_validations_free(list_, n_));
  LIST(cb_material_law, cb_store_material_laws(s, false, &list_, &n_, &err),
       cb_material_laws_free(list_, n_));
}

static void merge(void) {
  cb_store *s;
  cb_merge_result r;
  MUST(cb_store_open(other, CB_STORE_WRITE, &s, &err));
  (void)!cb_store_merge(s, path, NULL, NULL, &r, &err);
  MUST(cb_store_check(s, NULL, &err)); /* nothing of another file makes this one worse */
  MUST(cb_store_close(s, &err));       /* the last one: its log goes with it */
  unlink(other);
}

static bool look(void) {
  cb_store *s;
  if (cb_store_open(path, CB_STORE_READ, &s, &err) != CB_OK) return false;
  bool whole = cb_store_check(s, NULL, &err) == CB_OK;
  list_all(s);
  predict(s, CB_FRICTION_KINETIC);
  predict(s, CB_FRICTION_STATIC);
  report(s);
  (void)cb_store_close(s, NULL);
  return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!base) LLVMFuzzerInitialize(NULL, NULL);
  tape t = {data, size};
  uint64_t hash;
  cb_err e;
  if (cb_file_write(path, base, base_size, &e) != CB_OK) abort();
  unsigned mode = take(&t, 1);
  edit_cells(&t);
  if (mode & 1) reseal();
  edit_bytes(&t);
  bool whole = look(), sealed_anew = mode & 1;
  if (whole && !sealed_anew && (!store_content(path, &hash) || hash != base_hash)) __builtin_trap();
  if ((mode & 6) == 6) merge();
  unlink(path);
  return 0;
}
