#include "vrig_play.h"

#include <math.h>
#include <stdlib.h>

#define POSITION_S 0.01
#define SETTLE_S 0.2 /* as the campaign engine waits */

struct vrig_play {
  cb_rig rig; /* a copy with a seed of its own; its text belongs to the caller's */
  vrig_bench bench;
  bool placed;
  vrig_pull last;
  cb_series readings; /* of the pull before */
};

vrig_pull vrig_pull_default(double angle_rad, double added_mass_kg, int direction) {
  return (vrig_pull){.angle_rad = angle_rad,
                     .added_mass_kg = added_mass_kg,
                     .direction = direction,
                     .speed_m_per_s = 10e-3,
                     .travel_m = 25e-3,
                     .rest_s = 1};
}

cb_status vrig_play_open(const cb_rig *rig, uint64_t seed, vrig_play **out, cb_err *err) {
  cb_status st = CB_OK;
  *out = NULL;
  if (!rig->virt.present) return cb_fail(err, CB_E_ARG, "%s: no section 'virtual'", rig->path);
  vrig_play *p = calloc(1, sizeof *p);
  if (!p) return cb_no_memory(err, "the virtual bench");
  p->rig = *rig;
  p->rig.virt.seed = (long long)seed;
  CB_GOTO(vrig_bench_init(&p->bench, &p->rig, err));
  *out = p;
  return CB_OK;
done:
  free(p);
  return st;
}

void vrig_play_close(vrig_play *p) {
  if (!p) return;
  cb_series_clear(&p->readings);
  free(p);
}

const vrig_bench *vrig_play_bench(const vrig_play *p) { return &p->bench; }

/* ---- where a pull begins ---- */

static double stage_m(const vrig_bench *b) {
  double x, v;
  vrig_stage_at(&b->stage, vrig_bench_time_s(b), &x, &v);
  return x;
}

static void run_for(vrig_bench *b, double seconds) {
  for (double end_s = vrig_bench_time_s(b) + seconds; vrig_bench_time_s(b) < end_s;) vrig_bench_step(b);
}

static void move_fast(vrig_bench *b, double to_m) {
  const cb_rig_stage *s = &b->rig->stage;
  double target_m = fmin(fmax(to_m, s->limit_min_m), s->limit_max_m);
  vrig_stage_move(&b->stage, vrig_bench_time_s(b), target_m, s->max_speed_m_per_s, s->acceleration_m_per_s2);
  while (vrig_stage_moving(&b->stage, vrig_bench_time_s(b))) vrig_bench_step(b);
  run_for(b, SETTLE_S);
}

static double begin_m(const vrig_play *p, const vrig_pull *pull) {
  return p->rig.stage.start_m + (pull->direction > 0 ? 0 : pull->travel_m);
}

static cb_status place(vrig_play *p, const vrig_pull *pull, cb_err *err) {
  vrig_bench *b = &p->bench;
  bool turned = !p->placed || pull->angle_rad != p->last.angle_rad,
       turned_body = p->placed ? pull->body_angle_rad != p->last.body_angle_rad : pull->body_angle_rad != 0;
  run_for(b, SETTLE_S);
  vrig_stage_init(&b->stage, p->rig.stage.limit_min_m, p->rig.stage.limit_max_m, begin_m(p, pull));
  if (turned) CB_TRY(vrig_bench_turn_sample(b, pull->angle_rad, err));
  if (turned_body) CB_TRY(vrig_bench_turn_body(b, pull->body_angle_rad, err));
  CB_TRY(vrig_bench_load_cart(b, pull->added_mass_kg, err));
  p->placed = true;
  return CB_OK;
}

/* A pull that alternates with its opposite begins where that one ended. */
static bool good_begin(const vrig_play *p, const vrig_pull *pull) {
  const vrig_bench *b = &p->bench;
  double end_m = b->cart_m + pull->direction * pull->travel_m,
         near_m = 2 * b->rig->bench.link_slack_m +
                  vrig_bench_true_static_N(b, 1) / b->rig->bench.link_stiffness_N_per_m;
  return fabs(b->cart_m - begin_m(p, pull)) <= near_m && end_m >= p->rig.stage.limit_min_m &&
         end_m <= p->rig.stage.limit_max_m;
}

static void slacken(vrig_play *p, const vrig_pull *pull) {
  vrig_bench *b = &p->bench;
  move_fast(b, b->cart_m);
  if (!good_begin(p, pull)) {
    double to_m = begin_m(p, pull), play_m = b->rig->bench.link_slack_m;
    move_fast(b, to_m + (to_m > b->cart_m ? play_m : -play_m));
    move_fast(b, b->cart_m);
  }
}

static bool as_it_lies(const vrig_play *p, const vrig_pull *pull) {
  return p->placed && pull->angle_rad == p->last.angle_rad &&
         pull->body_angle_rad == p->last.body_angle_rad && pull->added_mass_kg == p->last.added_mass_kg;
}

static cb_status prepare(vrig_play *p, const vrig_pull *pull, cb_err *err) {
  const cb_rig_stage *s = &p->rig.stage;
  double from_m = begin_m(p, pull), to_m = from_m + pull->direction * pull->travel_m;
  if (fmin(from_m, to_m) < s->limit_min_m || fmax(from_m, to_m) > s->limit_max_m)
    return cb_fail(err, CB_E_RANGE, "%s: a pull from %g to %g mm leaves the track", p->rig.path, from_m * 1e3,
                   to_m * 1e3);
  if (as_it_lies(p, pull))
    slacken(p, pull);
  else
    CB_TRY(place(p, pull, err));
  p->last = *pull;
  return CB_OK;
}

/* ---- the record ---- */

static double slope(const vrig_play *p) {
  return p->rig.calibration.present ? p->rig.calibration.slope_N_per_unit : p->rig.virt.slope_N_per_unit;
}

typedef struct record {
  vrig_play *p;
  cb_trace *out;
  uint64_t from_step;
  double next_position_s;
} record;

static cb_status put_position(record *r, double t_s, cb_err *err) {
  double step_m = r->p->rig.stage.microstep_m;
  r->next_position_s += POSITION_S;
  return cb_series_push(&r->out->position_m, t_s, nearbyint(stage_m(&r->p->bench) / step_m) * step_m, err);
}

static cb_status record_step(record *r, cb_err *err) {
  vrig_bench *b = &r->p->bench;
  bool saturated;
  vrig_bench_step(b);
  uint64_t done = b->step - r->from_step;
  double t_s = (double)done * b->step_s;
  if (done % b->steps_per_sample == 0)
    CB_TRY(cb_series_push(&r->out->force_N, t_s, slope(r->p) * vrig_bench_reading(b, &saturated), err));
  return t_s >= r->next_position_s ? put_position(r, t_s, err) : CB_OK;
}

static cb_status record_rest(record *r, double seconds, cb_err *err) {
  vrig_bench *b = &r->p->bench;
  for (double end_s = vrig_bench_time_s(b) + seconds; vrig_bench_time_s(b) < end_s;)
    CB_TRY(record_step(r, err));
  return CB_OK;
}

/* As the engine does it: rest for the zero, pull, rest. */
static cb_status record_pull(record *r, const vrig_pull *pull, cb_err *err) {
  vrig_bench *b = &r->p->bench;
  double target_m = stage_m(b) + pull->direction * pull->travel_m;
  CB_TRY(put_position(r, 0, err));
  CB_TRY(record_rest(r, pull->rest_s, err));
  r->out->n_rest = r->out->force_N.n;
  vrig_stage_move(&b->stage, vrig_bench_time_s(b), target_m, pull->speed_m_per_s,
                  r->p->rig.stage.acceleration_m_per_s2);
  while (vrig_stage_moving(&b->stage, vrig_bench_time_s(b))) CB_TRY(record_step(r, err));
  return record_rest(r, SETTLE_S, err);
}

/* The readings of the pull before stand for those of this one; they are kept for the next. */
static cb_status keep_readings(vrig_play *p, bool repeated, cb_trace *t, cb_err *err) {
  cb_series *x = &t->force_N;
  for (size_t i = 0; repeated && i < x->n; i++)
    x->v[i] = p->readings.v[i < p->readings.n ? i : p->readings.n - 1];
  p->readings.n = 0;
  for (size_t i = 0; i < x->n; i++) CB_TRY(cb_series_push(&p->readings, x->t_s[i], x->v[i], err));
  return CB_OK;
}

cb_status vrig_play_next(vrig_play *p, const vrig_pull *pull, const vrig_mishap *mishap, cb_trace *out,
                         cb_err *err) {
  cb_status st = CB_OK;
  const vrig_mishap none = {0}, *m = mishap ? mishap : &none;
  bool repeated = m->kind == VRIG_MISHAP_REPEATED;
  *out = (cb_trace){.speed_m_per_s = pull->speed_m_per_s,
                    .u_scale_rel = p->rig.calibration.u_rel,
                    .digit_N = fabs(slope(p)) * (p->rig.calibration.present ? p->rig.calibration.resolution
                                                                            : p->rig.virt.quantum)};
  if (repeated && p->readings.n == 0)
    return cb_fail(err, CB_E_ARG, "a pull cannot repeat the readings of none before it");
  CB_TRY(prepare(p, pull, err));
  vrig_bench_suffer(&p->bench, m);
  record r = {.p = p, .out = out, .from_step = p->bench.step};
  CB_GOTO(record_pull(&r, pull, err));
  CB_GOTO(keep_readings(p, repeated, out, err));
done:
  if (st != CB_OK) cb_trace_clear(out);
  return st;
}

cb_status vrig_play_pull(const cb_rig *rig, const vrig_mishap *mishap, uint64_t seed, double angle_rad,
                         double added_mass_kg, int direction, cb_trace *out, cb_err *err) {
  vrig_play *p;
  const vrig_pull pull = vrig_pull_default(angle_rad, added_mass_kg, direction);
  *out = (cb_trace){0};
  CB_TRY(vrig_play_open(rig, seed, &p, err));
  cb_status st = vrig_play_next(p, &pull, mishap, out, err);
  vrig_play_close(p);
  return st;
}
