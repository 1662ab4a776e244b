#include "cb_text.h"
#include "fit_fault_find.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cb_language.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_stats.h"

const char *const fit_validity_names[] = {N_("valid"), N_("doubtful"), N_("invalid"), NULL};

const fit_fault_kind fit_fault_kinds[FIT_N_FAULTS] = {
    [FIT_FAULT_NEVER_SLID] = {"never-slid", FIT_INVALID,
                              N_("the sled never slid: the link's stretch is the whole way"),
                              N_("a longer travel, a stiffer link, or less load")},
    [FIT_FAULT_SLID_LATE] = {"slid-late", FIT_INVALID, N_("the sled broke away only within the plateau"),
                             N_("a longer travel, or a stiffer link")},
    [FIT_FAULT_REVERSED] = {"reversed", FIT_INVALID, N_("the stage went back within the pull"),
                            N_("look for what stopped it, and pull again")},
    [FIT_FAULT_SPEED] = {"speed", FIT_DOUBTFUL, N_("the stage did not keep its speed"),
                         N_("look for what held it, and pull again")},
    [FIT_FAULT_CLIPPED] = {"clipped", FIT_INVALID, N_("the read-out was at its end"),
                           N_("a cell or a range for more force")},
    [FIT_FAULT_NO_FORCE] = {"no-force", FIT_INVALID, N_("the force is not told from zero"),
                            N_("more load, or a finer cell")},
    [FIT_FAULT_STICK_SLIP] = {"stick-slip", FIT_DOUBTFUL,
                              N_("the sled stuck and slipped over the whole plateau"),
                              N_("a stiffer link, more speed, or less load")},
    [FIT_FAULT_RATCHET] = {"ratchet", FIT_DOUBTFUL,
                           N_("the force grows slowly and falls at once, again and again"),
                           N_("look at pulley and line")},
    [FIT_FAULT_SECOND_BREAK] = {"second-break-away", FIT_DOUBTFUL,
                                N_("the sled stuck again and broke away anew"),
                                N_("look at cloth and bed, and pull again")},
    [FIT_FAULT_GROWS] = {"grows", FIT_DOUBTFUL, N_("the force grows along the plateau"),
                         N_("look whether sled or cloth turn, tip, or wear")},
    [FIT_FAULT_FALLS] = {"falls", FIT_DOUBTFUL, N_("the force falls along the plateau"),
                         N_("look whether the cloth shifts or the cell drifts")},
    [FIT_FAULT_STEP] = {"step", FIT_DOUBTFUL, N_("the force steps to another level"),
                        N_("look whether the cloth shifted or something touched the line")},
    [FIT_FAULT_SHORT] = {"short", FIT_DOUBTFUL, N_("the plateau is too short to be tested"),
                         N_("a longer travel, or a faster read-out")},
    [FIT_FAULT_REPEATS] = {"repeats", FIT_INVALID,
                           N_("the readings are those of another pull, to the last digit"),
                           N_("look at the read-out, and pull again")},
    [FIT_FAULT_LOAD_OFF] = {"load-off", FIT_DOUBTFUL, N_("the force is that of another load"),
                            N_("count the weights: 'db amend' says what they were; else pull again")},
    [FIT_FAULT_OFF_REPEATS] =
        {"off-repeats", FIT_DOUBTFUL, N_("the other pulls at its direction and load contradict it"),
         N_("look whether the cloth lay turned or the table was level, and pull again")},
    [FIT_FAULT_OFF_NEIGHBOURS] = {"off-neighbours", FIT_DOUBTFUL,
                                  N_("other loads and directions contradict it, and no repeat judges"),
                                  N_("pull again at that direction and load")}};

/* 99.9 %: of 2000 sound pulls two are named by chance. */
#define SURE_P 0.001
#define SURE_SD 5

static void add(fit_faults *f, fit_fault kind, double u_N, const char *format, ...) {
  va_list args;
  fit_fault_found *found = &f->list[f->n++];
  *found = (fit_fault_found){.kind = kind, .u_N = u_N};
  va_start(args, format);
  (void)vsnprintf(found->what, sizeof found->what, format, args);
  va_end(args);
}

/* ---- the sled's way ---- */

/* The first rise of the force, between a fifth and four fifths of the plateau's mean, and its stiffness. */
typedef struct rise {
  size_t high; /* the reading of four fifths: the sled's way counts from here */
  double link_N_per_m, u_link_N_per_m;
} rise;

#define LOW_REL 0.2
#define HIGH_REL 0.8
#define MIN_RISE 4

static bool find_rise(const fit_fault_record *r, rise *out) {
  const double level_N = r->plateau->mean_N;
  size_t low;
  *out = (rise){.high = r->first};
  if (!(level_N > SURE_SD * r->noise_sd_N)) return false;
  while (out->high + 1 < r->to && r->force_N[out->high] < HIGH_REL * level_N) out->high++;
  for (low = out->high; low > r->first && r->force_N[low] > LOW_REL * level_N;) low--;
  const size_t n = out->high - low + 1;
  if (n < MIN_RISE || !(r->x_m[out->high] > r->x_m[low])) return false;
  const cb_line line = cb_line_fit(r->x_m + low, r->force_N + low, n);
  out->link_N_per_m = line.slope;
  out->u_link_N_per_m = line.u_slope;
  return line.slope > 0;
}

/* Way of the sled from reading rise->high to reading i, and its standard uncertainty. */
static double way_of_sled(const fit_fault_record *r, const rise *s, size_t i, double *u_m) {
  const double gained_N = r->force_N[i] - r->force_N[s->high], stretch_m = gained_N / s->link_N_per_m;
  *u_m = hypot(sqrt(2) * fmax(r->noise_sd_N, r->digit_N / sqrt(12)) / s->link_N_per_m,
               stretch_m * s->u_link_N_per_m / s->link_N_per_m);
  return r->x_m[i] - r->x_m[s->high] - stretch_m;
}

/* The link stretches not quite as a spring: so much of its way proves no sliding. */
#define NOT_A_SPRING_REL 0.1

/* The first reading behind which the sled surely has slid on; r->to: it never did. */
static size_t find_break(const fit_fault_record *r, const rise *s) {
  size_t i = r->to;
  double u_m;
  while (i > s->high + 1) {
    const double way_m = way_of_sled(r, s, i - 1, &u_m);
    if (way_m <= SURE_SD * u_m || way_m <= NOT_A_SPRING_REL * (r->x_m[i - 1] - r->x_m[s->high])) break;
    i--;
  }
  return i;
}

/* Of a break-away within the window the readings before it are no sliding. */
static void check_way(const fit_fault_record *r, const rise *s, fit_faults *f) {
  const size_t at = find_break(r, s);
  const double window_m = r->x_m[r->to - 1] - r->x_m[r->from];
  if (at >= r->to) {
    double u_m;
    const double way_m = way_of_sled(r, s, r->to - 1, &u_m);
    add(f, FIT_FAULT_NEVER_SLID, 0, "%.2g mm of %.3g mm are not the stretch of %.3g N/m",
        1e3 * fmax(0, way_m), 1e3 * (r->x_m[r->to - 1] - r->x_m[s->high]), s->link_N_per_m);
  } else if (at > r->from + 1 && r->x_m[at] - r->x_m[r->from] > NOT_A_SPRING_REL * window_m) {
    add(f, FIT_FAULT_SLID_LATE, 0, "at %.3g mm, the plateau begins at %.3g mm", 1e3 * r->x_m[at],
        1e3 * r->x_m[r->from]);
  }
}

/* ---- the stage ---- */

#define BACK_REL 0.1  /* of the plateau */
#define SPEED_REL 0.1 /* of the speed asked for */

static void check_speed(const fit_fault_record *r, fit_faults *f) {
  double furthest = r->x_m[r->first], back = 0;
  for (size_t i = r->first; i < r->to; i++) {
    furthest = fmax(furthest, r->x_m[i]);
    back = fmax(back, furthest - r->x_m[i]);
  }
  const double way_m = r->x_m[r->to - 1] - r->x_m[r->from];
  if (back > BACK_REL * way_m) {
    add(f, FIT_FAULT_REVERSED, 0, "by %.3g mm", 1e3 * back);
    return;
  }
  const double took_s = r->t_s[r->to - 1] - r->t_s[r->from];
  if (!(r->speed_m_per_s > 0) || !(took_s > 0)) return;
  const double speed = way_m / took_s, doubt_m = 0.5 * (r->up_m[r->to - 1] - r->low_m[r->to - 1] +
                                                        r->up_m[r->from] - r->low_m[r->from]);
  if (fabs(speed - r->speed_m_per_s) > SPEED_REL * r->speed_m_per_s + doubt_m / took_s)
    add(f, FIT_FAULT_SPEED, 0, "%.3g mm/s, %.3g mm/s were wanted", 1e3 * speed, 1e3 * r->speed_m_per_s);
}

/* ---- the cell ---- */

/* Noise does not stand still at the highest level that it reaches. */
static void check_ends(const fit_fault_record *r, fit_faults *f) {
  double top = -INFINITY;
  size_t n_top = 0;
  char force[CB_PLUS_MINUS];
  for (size_t i = r->first; i < r->to; i++) {
    if (r->force_N[i] > top) top = r->force_N[i], n_top = 0;
    n_top += r->force_N[i] == top;
  }
  const double noise_N = r->noise_sd_N, n = (double)(r->to - r->from);
  if (noise_N > 0.5 * r->digit_N && (double)n_top > SURE_SD &&
      (double)n_top > (noise_N > r->digit_N ? 0.02 : 0.5) * n)
    add(f, FIT_FAULT_CLIPPED, 0, "%zu reading%s of %.4g N, and none above", n_top, CB_S(n_top), top);
  if (r->plateau->mean_N <= 3 * r->u_kinetic_N)
    add(f, FIT_FAULT_NO_FORCE, 0, "%s N",
        cb_plus_minus_of_u(r->plateau->mean_N, r->u_kinetic_N, INFINITY, force));
}

/* ---- the plateau ---- */

#define STICK_SD 10
#define STUCK_REL 0.25 /* of the window: a sled that sticks and slips stands in so much of it */

static bool rises_with_link(const fit_fault_record *r, const rise *s, size_t from, size_t to) {
  return r->force_N[to] - r->force_N[from] > 0.5 * s->link_N_per_m * (r->x_m[to] - r->x_m[from]);
}

/* Stick: the force rises as the link stretches. The share of the window in which it does. */
static double share_stuck(const fit_fault_record *r, const rise *s, size_t span) {
  size_t stuck = 0, all = 0;
  for (size_t i = r->from; i + span < r->to; i++, all++) {
    const double slope = (r->force_N[i + span] - r->force_N[i]) / fmax(1e-12, r->x_m[i + span] - r->x_m[i]);
    stuck += slope > 0.5 * s->link_N_per_m;
  }
  return all > 0 ? (double)stuck / (double)all : 0;
}

/* The mean of stick and slip lies in the middle between peak and valley. The kinetic force of a slip lies
 * between the valley, where the line is damped so that the slip ends without swinging, and that middle, where
 * it is not damped at all. */
static bool check_stick_slip(const fit_fault_record *r, const rise *s, fit_faults *f, double *kinetic_N) {
  const fit_stick_slip *swings = &r->plateau->stick_slip;
  if (swings->outcome != FIT_STICK_SLIP_REGULAR && swings->outcome != FIT_STICK_SLIP_IRREGULAR) return false;
  const size_t span = (size_t)fmax(1, swings->readings_per_peak / 4);
  const double height_N = swings->amplitude_N;
  if (!s || share_stuck(r, s, span) < STUCK_REL) return false;
  *kinetic_N = r->plateau->mean_N - height_N / 4;
  add(f, FIT_FAULT_STICK_SLIP, height_N / (4 * sqrt(3)), "%.3g N from peak to valley, %.3g Hz", height_N,
      swings->frequency_Hz);
  return true;
}

/* ---- few sticks ---- */

#define FEW_SWINGS 3      /* sticks and slips together, one of each at least */
#define FEW_RISE_REL 0.05 /* of the mean: the least height of a stick and of a slip */
#define FEW_READINGS 4    /* of a stick */
#define FEW_STUCK_REL 0.5 /* of the window: ridges of a rough cloth hold the sled for less of it */

/* What the sled's sticking explains of the rises and falls of the window. */
typedef struct few_sticks {
  size_t sticks, slips;
  double stuck_m, fallen_N; /* sums: way of the stage in sticks, heights of slips */
} few_sticks;

/* While the sled stands the force rises as the link stretches. */
static void add_stick(const fit_fault_record *r, const rise *s, size_t low, size_t top, few_sticks *f) {
  if (top - low < FEW_READINGS || !rises_with_link(r, s, low, top)) return;
  f->sticks++, f->stuck_m += r->x_m[top] - r->x_m[low];
}

/* A sled that slips is faster than the stage: the force falls by more than the link would gain. */
static void add_slip(const fit_fault_record *r, const rise *s, size_t top, size_t low, few_sticks *f) {
  const double fallen_N = r->force_N[top] - r->force_N[low];
  if (fallen_N < s->link_N_per_m * (r->x_m[low] - r->x_m[top])) return;
  f->slips++, f->fallen_N += fallen_N;
}

/* Rises and falls of least_N or more, one after the other; sense: 1 in a rise, -1 in a fall. */
static few_sticks count_few(const fit_fault_record *r, const rise *s, double least_N) {
  const double *f = r->force_N;
  few_sticks few = {0};
  size_t low = r->from, top = r->from;
  int sense = 0;
  for (size_t i = r->from + 1; i < r->to; i++) {
    if (sense >= 0 && f[i] > f[top]) top = i;
    if (sense <= 0 && f[i] < f[low]) low = i;
    if (sense >= 0 && f[top] - f[i] >= least_N) {
      if (sense > 0) add_stick(r, s, low, top, &few);
      sense = -1, low = i;
    } else if (sense <= 0 && f[i] - f[low] >= least_N) {
      if (sense < 0) add_slip(r, s, top, low, &few);
      sense = 1, top = i;
    }
  }
  if (sense > 0) add_stick(r, s, low, top, &few);
  if (sense < 0) add_slip(r, s, top, low, &few);
  return few;
}

/* Swings too few for a frequency, each of them surely of a sled that sticks. */
static bool check_few_sticks(const fit_fault_record *r, const rise *s, fit_faults *f, double *kinetic_N) {
  const double mean_N = r->plateau->mean_N, noise_N = fmax(r->noise_sd_N, r->digit_N / sqrt(12)),
               window_m = r->x_m[r->to - 1] - r->x_m[r->from];
  const few_sticks few = count_few(r, s, fmax(FEW_RISE_REL * mean_N, STICK_SD * noise_N));
  if (few.sticks < 1 || few.slips < 1 || few.sticks + few.slips < FEW_SWINGS) return false;
  if (few.stuck_m < FEW_STUCK_REL * window_m) return false;
  const double height_N = few.fallen_N / (double)few.slips;
  *kinetic_N = mean_N - height_N / 4;
  add(f, FIT_FAULT_STICK_SLIP, height_N / (4 * sqrt(3)), "%.3g N from peak to valley, %zu time%s", height_N,
      few.slips, CB_S(few.slips));
  return true;
}

/* ---- a second break-away ---- */

/* The highest gain of the force, within the window, at which the sled stands: it rises as the link stretches
 * from reading `from` to reading `to`. */
typedef struct stick {
  size_t from, to;
  double gained_N;
} stick;

static stick highest_stick(const fit_fault_record *r, const rise *s) {
  stick most = {r->from, r->from, 0};
  size_t from = r->from;
  for (size_t i = r->from + 1; i < r->to; i++) {
    const double gained = r->force_N[i] - r->force_N[from],
                 stretch = s->link_N_per_m * (r->x_m[i] - r->x_m[from]);
    if (gained > most.gained_N && gained >= 0.5 * stretch) most = (stick){from, i, gained};
    if (gained < 0.5 * stretch || gained <= 0) from = i;
  }
  return most;
}

/* Half of the readings of a window are within this of its mean, whatever a few do. */
static double usual_departure_N(const fit_fault_record *r) {
  double low = 0, high = r->plateau->sd_N * 2 + r->noise_sd_N;
  for (int k = 0; k < 40; k++) {
    const double middle = 0.5 * (low + high);
    size_t within = 0;
    for (size_t i = r->from; i < r->to; i++) within += fabs(r->force_N[i] - r->plateau->mean_N) <= middle;
    if (2 * within < r->to - r->from)
      low = middle;
    else
      high = middle;
  }
  return high;
}

#define SD_PER_MEDIAN 1.4826

/* The force behind the stick less that before it. A zero that jumped looks like a stick, too, and its jump
 * stays: the change point of the whole window is no good guess of it near the window's ends. */
static bool check_second_break(const fit_fault_record *r, const rise *s, fit_faults *f) {
  const stick most = highest_stick(r, s);
  const double sd_N = SD_PER_MEDIAN * usual_departure_N(r);
  if (!(most.gained_N > STICK_SD * fmax(sd_N, r->noise_sd_N))) return false;
  const double change_N =
      cb_mean(r->force_N + most.to, r->to - most.to) - cb_mean(r->force_N + r->from, most.from - r->from + 1);
  add(f, FIT_FAULT_SECOND_BREAK, fmax(r->u_kinetic_N, 0.5 * fmax(fabs(change_N), fabs(r->plateau->step_N))),
      "%.3g N were gained to %.3g mm", most.gained_N, 1e3 * r->x_m[most.to]);
  return true;
}

/* ---- a jump before the plateau ---- */

#define JUMP_LINK 2 /* times what the link could gain in the same way */

/* The first reading behind i to which the link could gain what noise cannot. */
static size_t told_after(const fit_fault_record *r, const rise *s, size_t i, double sure_N) {
  size_t to = i + 2;
  while (to < r->to && s->link_N_per_m * (r->x_m[to] - r->x_m[i]) < sure_N) to++;
  return to;
}

/* How far the stage may have gone up to reading i since the one before, however late they are. A reading that
 * repeats the last one is as old as that. */
static double most_way(const fit_fault_record *r, size_t i) {
  const double speed =
      (r->x_m[r->to - 1] - r->x_m[r->from]) / fmax(1e-9, r->t_s[r->to - 1] - r->t_s[r->from]);
  size_t before = i - 1;
  while (before > r->first && r->force_N[before] == r->force_N[before - 1]) before--;
  return r->up_m[i] - r->low_m[before] + speed * r->late_s;
}

/* By how much the force jumps up to reading i, and stays there; 0: it does not. No link pulls so fast, but
 * its damping may where it becomes taut, or where the sled is caught: then the force rises only behind the
 * jump. */
static double jump_to(const fit_fault_record *r, const rise *s, size_t i) {
  const double *f = r->force_N, gained_N = f[i] - f[i - 1],
               sure_N = STICK_SD * fmax(r->noise_sd_N, r->digit_N), link_N = s->link_N_per_m * most_way(r, i);
  if (gained_N <= sure_N + JUMP_LINK * link_N) return 0;
  const size_t to = told_after(r, s, i, sure_N), n = to - i;
  if (to >= r->to || i < r->first + n + 1 || f[i - n - 1] < sure_N) return 0;
  if (rises_with_link(r, s, i, to) && !rises_with_link(r, s, i - n - 1, i - 1)) return 0;
  for (size_t k = i + 1; k <= to; k++)
    if (f[k] - f[i - 1] < 0.5 * gained_N) return 0;
  return gained_N;
}

static bool check_jump(const fit_fault_record *r, const rise *s, fit_faults *f) {
  for (size_t i = r->first + 1; i <= r->from; i++) {
    const double jump_N = jump_to(r, s, i);
    if (jump_N == 0) continue;
    add(f, FIT_FAULT_STEP, jump_N / sqrt(3), "by %.3g N at %.3g mm, before the plateau", jump_N,
        1e3 * r->x_m[i]);
    return true;
  }
  return false;
}

#define FEW_TEETH 3
#define ALIKE_REL 0.3

/* Teeth that the sled's sticking does not explain: falls at once, each as high as the others. A fall over
 * several readings is one. The mean may be off by half of their height, either way. */
static bool check_ratchet(const fit_fault_record *r, fit_faults *f) {
  const double least_N = 2 * SURE_SD * fmax(r->noise_sd_N, r->digit_N);
  double sum = 0, sum2 = 0, fall_N = 0;
  size_t n = 0;
  for (size_t i = r->from + 1; i <= r->to; i++) {
    const double step_N = i < r->to ? r->force_N[i - 1] - r->force_N[i] : 0;
    if (step_N < -least_N) return false; /* it comes back as fast: a rough cloth */
    if (step_N > least_N)
      fall_N += step_N;
    else if (fall_N > 0)
      n++, sum += fall_N, sum2 += fall_N * fall_N, fall_N = 0;
  }
  if (n < FEW_TEETH) return false;
  const double height_N = sum / (double)n, sd_N = sqrt(fmax(0, sum2 / (double)n - height_N * height_N));
  if (sd_N > ALIKE_REL * height_N) return false;
  add(f, FIT_FAULT_RATCHET, height_N / (2 * sqrt(3)), "%zu fall%s of %.3g N", n, CB_S(n), height_N);
  return true;
}

/* A force that changes along the way may be the friction's or not: the band reaches to where the
 * pull began. A change below what the scale is known to makes no pull doubtful. */
static void check_level(const fit_fault_record *r, fit_faults *f) {
  const fit_plateau *p = r->plateau;
  const double way_m = r->x_m[r->to - 1] - r->x_m[r->from], change_N = p->slope_rel * fabs(p->mean_N),
               since_m = 0.5 * (r->x_m[r->to - 1] + r->x_m[r->from]) - r->x_m[r->first],
               u_slope_N = fabs(change_N) * since_m / way_m / sqrt(3), u_step_N = fabs(p->step_N) / 2;
  const bool slopes = p->slope_p < SURE_P && u_slope_N > fmax(r->u_kinetic_N, r->u_scale_N),
             steps = p->step_p < SURE_P && u_step_N > r->u_scale_N &&
                     u_step_N > cb_student_t(1 - 0.01 * SURE_P, fmax(1, p->n_eff_level - 2)) * p->u_level_N;
  if (slopes && p->verdict != FIT_PLATEAU_STEPPING)
    add(f, change_N > 0 ? FIT_FAULT_GROWS : FIT_FAULT_FALLS, u_slope_N, "by %.3g N of %.3g N", fabs(change_N),
        p->mean_N);
  else if (steps)
    add(f, FIT_FAULT_STEP, u_step_N, "by %.3g N of %.3g N at %.3g mm", p->step_N, p->mean_N,
        1e3 * p->step_at_m);
  if (p->verdict == FIT_PLATEAU_UNTOLD) add(f, FIT_FAULT_SHORT, 0, "%zu reading%s", p->n, CB_S(p->n));
}

/* Of a pull that was none of sliding, the plateau says nothing. */
void fit_faults_find(const fit_fault_record *r, fit_faults *out, double *kinetic_N) {
  rise s;
  *out = (fit_faults){0};
  const bool rises = find_rise(r, &s);
  if (rises) check_way(r, &s, out);
  check_speed(r, out);
  check_ends(r, out);
  if (out->n > 0 && out->list[0].kind <= FIT_FAULT_SLID_LATE) return;
  if (check_stick_slip(r, rises ? &s : NULL, out, kinetic_N)) return;
  if (rises && check_few_sticks(r, &s, out, kinetic_N)) return;
  if (rises && check_second_break(r, &s, out)) return;
  if (check_ratchet(r, out)) return;
  if (!rises || !check_jump(r, &s, out)) check_level(r, out);
}

fit_validity fit_faults_validity(const fit_faults *f) {
  fit_validity worst = FIT_VALID;
  for (size_t i = 0; i < f->n; i++)
    if (fit_fault_kinds[f->list[i].kind].validity > worst) worst = fit_fault_kinds[f->list[i].kind].validity;
  return worst;
}

double fit_faults_uncertainty_N(const fit_faults *f) {
  double u = 0;
  for (size_t i = 0; i < f->n; i++) u = hypot(u, f->list[i].u_N);
  return u;
}

void fit_faults_words(const fit_faults *f, char *out, size_t cap) {
  const fit_validity worst = fit_faults_validity(f);
  out[0] = '\0';
  for (size_t i = 0; i < f->n; i++)
    if (fit_fault_kinds[f->list[i].kind].validity == worst)
      cb_text_add(out, cap, " ", "%s", fit_fault_kinds[f->list[i].kind].code);
}

const fit_fault_kind *fit_fault_find(const char *code) {
  for (size_t i = 0; i < FIT_N_FAULTS; i++)
    if (strcmp(fit_fault_kinds[i].code, code) == 0) return &fit_fault_kinds[i];
  return NULL;
}
