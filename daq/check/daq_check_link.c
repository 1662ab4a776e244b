/* The pull line: a loaded cart sticks while the stage takes up the play of the link and stretches it, in
 * small moves with a rest after each. Force against the stage's position is a straight line where the link is
 * taut: its slope is the stiffness, and where the two lines of both sides reach zero force is the play.
 *
 *   1  forward until the cart breaks away (or half of overload_N): the first straight line
 *   2  forward again to 60 % of that force, now against a cart that has moved
 *   3  backward through zero, through the play, to 60 % on the other side: two straight lines with the cart
 *      in one place */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_plus_minus.h"
#include "cb_stats.h"
#include "cb_time.h"
#include "cb_language.h"
#include "daq_check_impl.h"

#define SETTLE_S \
  0.2 /* rig time until the force has settled after a move, and all older readings have arrived */
#define ZERO_S 1.0
#define SPEED_M_PER_S 5e-3
#define TOP_OF_OVERLOAD 0.5 /* further no pull of the check goes */
#define LOW 0.1             /* of the breakaway force: the straight line's ends, clear of play and of creep */
#define HIGH 0.6
#define STEPS_TO_TOP 32 /* moves between zero and the highest force */
#define POINTS_MAX 400
#define POINTS_MIN 4 /* of a straight line */

typedef struct daq_link {
  double t_s[POINTS_MAX], x_m[POINTS_MAX];
  double cart_m[POINTS_MAX];  /* as the displacement sensor sees it; NAN: there is none */
  double force_N[POINTS_MAX]; /* less the drift since the zero; positive where the first contact was */
  size_t n, turn;             /* points from `turn` on belong to sweep 3 */
  double zero, began_s;
  int sign;         /* of the force when the stage pulls forward; 0: there was none */
  double contact_N; /* a force above this is one */
  double top_N;     /* highest force of sweep 1 */
  bool broke;       /* the cart broke away there */
  double x_at_m;    /* where the stage was sent last */
} daq_link;

void daq_link_clear(struct daq_link *l) { free(l); }

/* Rig time since the zero was taken. */
static double elapsed_s(const daq_check *c, const daq_link *l) {
  return (cb_now_monotonic_s() - l->began_s) * c->bench.time_scale;
}

/* ---- one point ---- */

static cb_status measure_at(daq_check *c, daq_link *l, double x_m, double *force_N, cb_err *err) {
  const cb_rig_stage *s = &c->rig->stage;
  double reading;
  if (x_m < s->limit_min_m || x_m > s->limit_max_m)
    return cb_fail(err, CB_E_RANGE,
                   "the pull line is not taut on both sides before the stage's limit at %.3g mm; start_mm "
                   "leaves too little room",
                   (x_m < s->limit_min_m ? s->limit_min_m : s->limit_max_m) * 1e3);
  CB_TRY(daq_bench_move(&c->bench, x_m, fmin(SPEED_M_PER_S, s->max_speed_m_per_s), err));
  CB_TRY(daq_bench_rest(&c->bench, SETTLE_S, &reading, err));
  CB_TRY(daq_bench_rest(&c->bench, DAQ_LINK_REST_S, &reading, err));
  l->x_at_m = x_m;
  *force_N = c->rig->calibration.slope_N_per_unit * (reading - l->zero) - c->drift_N_per_s * elapsed_s(c, l);
  if (l->sign == 0 && fabs(*force_N) > l->contact_N) l->sign = *force_N > 0 ? 1 : -1;
  *force_N *= l->sign < 0 ? -1 : 1;
  if (l->n == POINTS_MAX)
    return cb_fail(err, CB_E_DEVICE, "the force does not rise as a link's does: %d points were not enough",
                   POINTS_MAX);
  l->t_s[l->n] = elapsed_s(c, l);
  l->x_m[l->n] = c->bench.position_m;
  const size_t seen = c->bench.n_displacement;
  l->cart_m[l->n] = seen > 0 ? c->bench.displacement_sum / (double)seen : NAN;
  l->force_N[l->n++] = *force_N;
  return CB_OK;
}

/* ---- a sweep ---- */

static double expected_N_per_m(const daq_check *c) { return c->rig->bench.link_stiffness_N_per_m; }
static double highest_N(const daq_check *c) { return TOP_OF_OVERLOAD * c->rig->force.overload_N; }

/* In the play: as far as brings the force to a few steps at most, if the rig file is right; a link that is
 * stiffer is met by finer steps as soon as it is felt. Never less than a few microsteps, which would drown in
 * rounding. */
static double next_step_m(const daq_check *c, const daq_link *l, double force_N) {
  double fine_m = highest_N(c) / STEPS_TO_TOP / expected_N_per_m(c),
         coarse_m = fmax(fine_m, fmin(c->rig->bench.link_slack_m / 4, 2 * fine_m));
  if (fabs(force_N) < l->contact_N) return coarse_m;
  if (l->n >= 2) {
    double dx = fabs(l->x_m[l->n - 1] - l->x_m[l->n - 2]),
           dF = fabs(l->force_N[l->n - 1] - l->force_N[l->n - 2]);
    if (dx > 0 && dF > l->contact_N) fine_m = highest_N(c) / STEPS_TO_TOP * dx / dF;
  }
  return fmin(fmax(fine_m, 5 * c->rig->stage.microstep_m), coarse_m);
}

/* Moves on in the direction until the force has risen to until_N that way, or fell off because the cart broke
 * away. */
static cb_status sweep(daq_check *c, daq_link *l, int direction, double until_N, double reach_m, bool *broke,
                       cb_err *err) {
  double from_m = l->x_at_m, force_N = l->n > 0 ? l->force_N[l->n - 1] : 0, highest = 0;
  *broke = false;
  while (direction * force_N < until_N && fabs(l->x_at_m - from_m) < reach_m && !*broke) {
    CB_TRY(measure_at(c, l, l->x_at_m + direction * next_step_m(c, l, force_N), &force_N, err));
    *broke = highest > 4 * l->contact_N && direction * force_N < 0.85 * highest;
    highest = fmax(highest, direction * force_N);
  }
  return CB_OK;
}

/* Far more than the rig file leads one to expect. */
static double reach_m(const daq_check *c) {
  return 3 * (2 * c->rig->bench.link_slack_m + 2 * highest_N(c) / expected_N_per_m(c));
}

static double highest_of(const daq_link *l) {
  double top = 0;
  for (size_t i = 0; i < l->n; i++) top = fmax(top, l->force_N[i]);
  return top;
}

static cb_status make_sweeps(daq_check *c, daq_link *l, cb_err *err) {
  bool broke;
  CB_TRY(sweep(c, l, 1, highest_N(c), reach_m(c), &l->broke, err));
  l->top_N = highest_of(l);
  if (l->sign == 0)
    return cb_fail(err, CB_E_DEVICE,
                   "no force was felt although the stage went %.3g mm: is the loaded cart on the link?",
                   (l->x_at_m - c->rig->stage.start_m) * 1e3);
  CB_TRY(sweep(c, l, 1, HIGH * l->top_N, reach_m(c), &broke, err));
  if (!l->broke && l->top_N < highest_N(c))
    return cb_fail(err, CB_E_DEVICE,
                   "the force came to %.3g N only while the stage went %.3g mm: the cart slides along, put "
                   "more weight on it",
                   l->top_N, (l->x_at_m - c->rig->stage.start_m) * 1e3);
  l->turn = l->n - 1;
  return sweep(c, l, -1, HIGH * l->top_N, reach_m(c), &broke, err);
}

/* ---- before the sweeps ---- */

/* Friction of about a third to all of the weight; the line needs force, the cell must not be overloaded. */
static double added_mass_kg(const daq_check *c) {
  return fmax(0, highest_N(c) / c->rig->bench.gravity_m_per_s2 - c->rig->bench.cart_mass_kg);
}

static cb_status load_cart(daq_check *c, cb_err *err) {
  char text[600];
  double mass_kg = added_mass_kg(c);
  if (c->emulator) return daq_emulator_load_cart(c->emulator, mass_kg, err);
  (void)snprintf(text, sizeof text,
                 _("Put the cart on the link with about %.2g g on it, so that the link is slack and in its "
                   "middle. Then hands off: the stage will pull it by a few millimetres, forward and "
                   "backward, at most to %.3g N."),
                 mass_kg * 1e3, highest_N(c));
  return c->job->prompt ? c->job->prompt(c->job->context, text, err) : CB_OK;
}

static cb_status set_up(daq_check *c, daq_link *l, cb_err *err) {
  const cb_rig_stage *s = &c->rig->stage;
  CB_TRY(daq_bench_move(&c->bench, s->start_m, s->max_speed_m_per_s, err));
  CB_TRY(load_cart(c, err));
  CB_TRY(daq_bench_resume(&c->bench, err));
  CB_TRY(daq_bench_rest(&c->bench, SETTLE_S, &l->zero, err));
  CB_TRY(daq_bench_rest(&c->bench, ZERO_S, &l->zero, err));
  daq_guard_set_zero(&c->bench.guard, l->zero);
  l->x_at_m = s->start_m;
  l->began_s = cb_now_monotonic_s();
  l->contact_N = fmax(10 * c->noise_N, 5e-3 * c->rig->force.overload_N);
  return CB_OK;
}

/* ---- straight lines ---- */

/* Points from..to with a force between LOW and HIGH of the top on this side; false: too few. */
static bool fit_side(const daq_check *c, size_t from, size_t to, int side, cb_line *line) {
  const daq_link *l = c->link;
  double x_m[POINTS_MAX], force_N[POINTS_MAX], began_s = NAN, ended_s = 0;
  size_t n = 0;
  for (size_t i = from; i < to; i++) {
    double F = side * l->force_N[i];
    if (F < LOW * l->top_N || F > 1.02 * HIGH * l->top_N) continue;
    if (n == 0) began_s = l->t_s[i];
    ended_s = l->t_s[i];
    x_m[n] = l->x_m[i];
    force_N[n++] = l->force_N[i];
  }
  if (n < POINTS_MIN) return false;
  *line = cb_line_fit(x_m, force_N, n);
  /* A drift that is wrong by its uncertainty tilts the line. */
  line->u_slope = hypot(line->u_slope, c->u_drift_N_per_s * (ended_s - began_s) / fabs(x_m[n - 1] - x_m[0]));
  return true;
}

/* The first line ends where the cart broke away. */
static size_t end_of_first(const daq_link *l) {
  size_t end = 0;
  for (size_t i = 0; i <= l->turn; i++)
    if (l->force_N[i] > l->force_N[end]) end = i;
  return end + 1;
}

/* ---- the steps ---- */

cb_status daq_check_stiffness(daq_check *c, daq_check_step *s, cb_err *err) {
  char text[CB_PLUS_MINUS];
  double wanted = expected_N_per_m(c);
  cb_line line;
  daq_link *l = c->link = calloc(1, sizeof *l);
  if (!l) return cb_no_memory(err, "the points of the pull line");
  (void)snprintf(s->limit, sizeof s->limit, "bench.link_stiffness_N_per_m = %.4g within 5 %%", wanted);
  CB_TRY(set_up(c, l, err));
  CB_TRY(make_sweeps(c, l, err));
  if (!fit_side(c, 0, end_of_first(l), 1, &line))
    return cb_fail(err, CB_E_DEVICE,
                   "fewer than %d points between %g and %g %% of %.3g N: a heavier load on the cart, or a "
                   "stiffer grip, is needed",
                   POINTS_MIN, LOW * 100, HIGH * 100, l->top_N);
  double u = hypot(line.u_slope, line.slope * c->rig->calibration.u_rel);
  s->verdict = daq_check_ladder(fabs(line.slope / wanted - 1), 0.05, 0.2);
  (void)snprintf(s->text, sizeof s->text, "%s N/m up to %.3g N, %s",
                 cb_plus_minus_of_u(line.slope, u, NAN, text), l->top_N,
                 l->broke ? "where the cart broke away" : "where the check stops; the cart held");
  daq_check_figure(s, "stiffness", "N/m", line.slope, u);
  daq_check_figure(s, "top_force", "N", l->top_N, NAN);
  return CB_OK;
}

/* x_forward - x_backward = 2 slack, with the cart in one place. The zero may have drifted since. */
cb_status daq_check_slack(daq_check *c, daq_check_step *s, cb_err *err) {
  char text[CB_PLUS_MINUS];
  const daq_link *l = c->link;
  double wanted_m = c->rig->bench.link_slack_m, u_f, u_b;
  cb_line forward, backward;
  if (!fit_side(c, l->turn, l->n, 1, &forward) || !fit_side(c, l->turn, l->n, -1, &backward))
    return cb_fail(err, CB_E_DEVICE,
                   "the cart did not hold still: too few points on the way back to find the link's play");
  double slack_m = 0.5 * (cb_line_root(&forward, &u_f) - cb_line_root(&backward, &u_b));
  double u_m = hypot(0.5 * hypot(u_f, u_b), c->u_drift_N_per_s * l->t_s[l->n - 1] / fabs(forward.slope));
  u_m = hypot(u_m, c->rig->stage.microstep_m / sqrt(12));
  double off_m = fabs(slack_m - wanted_m);
  s->verdict = slack_m <= 0 ? DAQ_FAIL : off_m <= fmax(0.05 * wanted_m, 0.1e-3) ? DAQ_PASS : DAQ_WARN;
  (void)snprintf(s->text, sizeof s->text, "%s mm to either side of the middle%s",
                 cb_plus_minus_of_u(slack_m * 1e3, u_m * 1e3, NAN, text),
                 slack_m <= 0 ? ": the link is never slack, and no zero can be seen" : "");
  (void)snprintf(s->limit, sizeof s->limit, "bench.link_slack_mm = %.4g within 5 %% or 0.1 mm",
                 wanted_m * 1e3);
  daq_check_figure(s, "slack", "m", slack_m, u_m);
  daq_check_figure(s, "stiffness_backward", "N/m", backward.slope,
                   hypot(backward.u_slope, backward.slope * c->rig->calibration.u_rel));
  return CB_OK;
}

cb_status daq_check_polarity(daq_check *c, daq_check_step *s, cb_err *err) {
  (void)err;
  s->verdict = c->link->sign > 0 ? DAQ_PASS : DAQ_FAIL;
  (void)snprintf(s->text, sizeof s->text, "%s",
                 c->link->sign > 0
                     ? "a forward pull reads positive"
                     : "a forward pull reads negative: calibration.slope_N_per_unit has the wrong sign");
  (void)snprintf(s->limit, sizeof s->limit, "positive");
  return CB_OK;
}

/* ---- a displacement sensor at the cart ---- */

#define SCALE_PASS 0.02
#define SCALE_WARN 0.1

/* The digit of the sensor's channel [m]. */
static double digit_m(const daq_check *c) {
  cb_run_channel list[CB_N_CHANNELS];
  const daq_force *f = &c->bench.force;
  size_t n = f->driver->channels ? f->driver->channels(f, list) : 0;
  for (size_t i = 0; i < n; i++)
    if (list[i].channel == CB_CHANNEL_DISPLACEMENT) return fabs(list[i].c[1] * list[i].scale);
  return 0;
}

/* Where the cart is, as the sensor sees it, in points from..to in which it stays. */
static double seen_m(const daq_check *c, size_t from, size_t to, double *u_m) {
  const double *d = c->link->cart_m + from;
  size_t n = to - from;
  *u_m = hypot(n > 1 ? cb_sd(d, n) / sqrt((double)n) : 0, digit_m(c) / sqrt(12));
  return cb_mean(d, n);
}

/* The link becomes taut where the cart is, so that between the two forward lines it went as far as their
 * roots lie apart: the stage tells how far, and the sensor must say the same. */
cb_status daq_check_displacement(daq_check *c, daq_check_step *s, cb_err *err) {
  char text[CB_PLUS_MINUS];
  const daq_link *l = c->link;
  double u_1, u_2, u_before, u_after;
  cb_line before, after;
  if (!fit_side(c, 0, end_of_first(l), 1, &before) || !fit_side(c, l->turn, l->n, 1, &after))
    return cb_fail(err, CB_E_DEVICE, "too few points to find how far the cart went");
  double way_m = cb_line_root(&after, &u_2) - cb_line_root(&before, &u_1);
  double seen = seen_m(c, l->turn, l->n, &u_after) - seen_m(c, 0, end_of_first(l), &u_before);
  double scale = seen / way_m, u = hypot(hypot(u_before, u_after) / way_m, scale * hypot(u_1, u_2) / way_m);
  (void)snprintf(s->limit, sizeof s->limit, "the stage's way within %g %%", SCALE_PASS * 100);
  if (!(u < 0.25 * SCALE_PASS)) {
    s->verdict = DAQ_INFO;
    (void)snprintf(s->text, sizeof s->text, "the cart went %.3g mm only: too little to compare", way_m * 1e3);
    return CB_OK;
  }
  s->verdict = daq_check_ladder(fabs(scale - 1), SCALE_PASS, SCALE_WARN);
  (void)snprintf(s->text, sizeof s->text, "the sensor saw %s of the %.3g mm that the cart went%s",
                 cb_plus_minus_of_u(scale, u, NAN, text), way_m * 1e3,
                 scale < 0 ? ": the channel's scale has the wrong sign" : "");
  daq_check_figure(s, "scale", "1", scale, u);
  daq_check_figure(s, "way", "m", way_m, hypot(u_1, u_2));
  return CB_OK;
}
