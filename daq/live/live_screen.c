#include "live_screen.h"

#include "cb_columns.h"
#include "cb_language.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CHART_ROWS 5
#define TEXT_LINES 4    /* beside chart and verdict */
#define VERDICT_LINES 3 /* at most */
#define LABEL_WIDTH 9   /* "  0.312 N" */
#define CHART_COLUMNS_MAX (LIVE_BINS / 2)

static const char *const phase_names[] = {N_("preparing"),   N_("zero"), N_("pulling"),
                                          N_("second zero"), N_("done"), N_("campaign done")};

/* ---- lines ---- */

static void add_bytes(live_frame *f, const char *text, size_t n) {
  if (f->n + n >= sizeof f->text) return;
  memcpy(f->text + f->n, text, n);
  f->n += n;
  f->text[f->n] = '\0';
}

static void end_line(live_frame *f, int width) {
  add_bytes(f, "\n", 1);
  f->width[f->n_lines++] = width;
}

static void add_line(live_frame *f, const live_look *look, const char *fmt, ...) CB_PRINTF(3, 4);

/* UTF-8, cut to the terminal. */
static void add_line(live_frame *f, const live_look *look, const char *fmt, ...) {
  char line[256];
  va_list ap;
  va_start(ap, fmt);
  (void)vsnprintf(line, sizeof line, fmt, ap);
  va_end(ap);
  const size_t n = cb_columns_fit(line, strlen(line), (size_t)(look->columns - 1));
  add_bytes(f, line, n);
  end_line(f, (int)cb_columns(line, n));
}

/* ---- chart: low to high of every bin, so that no peak is lost ---- */

typedef struct chart {
  int columns, rows;                           /* cells */
  int across, down;                            /* dots per cell */
  double bottom_N, top_N;                      /* of the range */
  uint8_t dots[CHART_ROWS][CHART_COLUMNS_MAX]; /* a bit per dot, in Unicode's order of braille dots; ASCII:
                                                  1 */
} chart;

static void find_range(const live_state *s, chart *c) {
  c->bottom_N = 0;
  c->top_N = 0;
  for (size_t i = 0; i < LIVE_BINS; i++) {
    if (s->n_bins[i] == 0) continue;
    c->bottom_N = fmin(c->bottom_N, s->low_N[i]);
    c->top_N = fmax(c->top_N, s->high_N[i]);
  }
  /* Noise about zero alone is not worth a full scale. */
  c->top_N = fmax(c->top_N, 0.01);
}

static int dot_row(const chart *c, double force_N) {
  int n = c->rows * c->down;
  int from_bottom = (int)floor((force_N - c->bottom_N) / (c->top_N - c->bottom_N) * (n - 1) + 0.5);
  return n - 1 - (from_bottom < 0 ? 0 : from_bottom > n - 1 ? n - 1 : from_bottom);
}

static void set_dot(chart *c, int x, int y) {
  /* Braille patterns (Unicode block 2800): dots 1-2-3-7 go down on the left, 4-5-6-8 on the right. */
  static const uint8_t braille[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  c->dots[y / c->down][x / c->across] |= c->down == 4 ? braille[y % 4][x % 2] : 1;
}

static void plot(const live_state *s, chart *c) {
  int wide = c->columns * c->across;
  for (int i = 0; i < LIVE_BINS; i++) {
    if (s->n_bins[i] == 0) continue;
    int top = dot_row(c, s->high_N[i]), bottom = dot_row(c, s->low_N[i]), x = i * wide / LIVE_BINS;
    for (int y = top; y <= bottom; y++) set_dot(c, x, y);
  }
}

static void add_cell(live_frame *f, const chart *c, uint8_t dots) {
  if (c->down == 1) {
    add_bytes(f, dots ? "*" : " ", 1);
    return;
  }
  /* U+2800 + dots in UTF-8. */
  const char bytes[3] = {(char)0xe2, (char)(0xa0 | dots >> 6), (char)(0x80 | (dots & 0x3f))};
  add_bytes(f, bytes, 3);
}

static void add_chart_row(live_frame *f, const live_look *look, const chart *c, int row) {
  char label[LABEL_WIDTH + 1] = "         ";
  if (row == 0) (void)snprintf(label, sizeof label, "%7.3f N", c->top_N);
  if (row == c->rows - 1) (void)snprintf(label, sizeof label, "%7.3f N", c->bottom_N);
  add_bytes(f, label, LABEL_WIDTH);
  add_bytes(f, "|", 1);
  if (look->color) add_bytes(f, "\033[36m", 5);
  for (int i = 0; i < c->columns; i++) add_cell(f, c, c->dots[row][i]);
  if (look->color) add_bytes(f, "\033[0m", 4);
  end_line(f, LABEL_WIDTH + 1 + c->columns);
}

/* As many as there are and have room. */
static int verdict_lines(const live_state *s, const live_look *look) {
  const int room = look->rows - TEXT_LINES - 1,
            n = !!s->verdict.verdict[0] + !!s->verdict.advice[0] + !!s->verdict.count[0];
  return n < room ? n : room > 0 ? room : 0;
}

static void add_chart(live_frame *f, const live_state *s, const live_look *look) {
  chart c = {.across = look->utf8 ? 2 : 1, .down = look->utf8 ? 4 : 1};
  const int room = look->rows - TEXT_LINES - 1 - verdict_lines(s, look);
  c.rows = room < CHART_ROWS ? room : CHART_ROWS;
  c.columns = look->columns - 1 - LABEL_WIDTH - 1;
  if (c.columns > CHART_COLUMNS_MAX) c.columns = CHART_COLUMNS_MAX;
  if (c.rows < 2 || c.columns < 8) return;
  find_range(s, &c);
  plot(s, &c);
  for (int row = 0; row < c.rows; row++) add_chart_row(f, look, &c, row);
}

/* ---- words ---- */

static void clock_text(double seconds, char out[24]) {
  if (!isfinite(seconds) || seconds > 3.6e6) {
    (void)snprintf(out, 24, "-:--");
    return;
  }
  long s = lround(ceil(seconds));
  if (s >= 3600)
    (void)snprintf(out, 24, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
  else
    (void)snprintf(out, 24, "%ld:%02ld", s / 60, s % 60);
}

static void bar_text(double fraction, char out[13]) {
  int n = (int)(10 * fmin(fmax(fraction, 0), 1));
  (void)snprintf(out, 13, "[%.*s%.*s]", n, "##########", 10 - n, "..........");
}

static void add_head(live_frame *f, const live_state *s, const live_look *look) {
  const live_moment *m = &s->moment;
  if (!s->begun) {
    add_line(f, look, "%s", _("the stage is being made ready"));
    return;
  }
  size_t number = live_state_run_number(s);
  if (m->phase >= LIVE_BROKEN_OFF) {
    add_line(f, look,
             m->phase == LIVE_BROKEN_OFF_LOOSE
                 ? _("BROKEN OFF at run %zu of %zu: the stage may still move, look at it first")
                 : _("BROKEN OFF at run %zu of %zu: the stage stands"),
             number, m->total);
    return;
  }
  add_line(f, look, _("run %zu of %zu%s: %g deg, %g g, repeat %d of %d, %s - %s"), number, m->total,
           s->plan.is_virtual ? _(" (virtual)") : "", m->angle_deg, m->added_mass_kg * 1e3, m->repeat,
           s->plan.repeats, m->direction < 0 ? _("backward") : _("forward"), _(phase_names[m->phase]));
}

static void add_force(live_frame *f, const live_state *s, const live_look *look) {
  if (!isfinite(s->force_N))
    add_line(f, look, "%s", _("force        - (no zero yet)"));
  else if (s->moment.phase != LIVE_PULLING)
    add_line(f, look, _("force   %8.4f N"), s->force_N);
  else
    add_line(f, look, _("force   %8.4f N at %.1f of %g mm, highest %.4f N"), s->force_N, s->x_m * 1e3,
             s->plan.travel_m * 1e3, isfinite(s->peak_N) ? s->peak_N : 0.0);
}

static void add_plateau(live_frame *f, const live_state *s, const live_look *look) {
  live_plateau p = live_state_plateau(s);
  if (p.n < 2)
    add_line(f, look, _("plateau      - (from %.1f mm on)"), p.from_m * 1e3);
  else
    add_line(f, look,
             cb_tr_count("plateau %8.4f N, sd %.4f, mu %.4f, %zu reading so far",
                         "plateau %8.4f N, sd %.4f, mu %.4f, %zu readings so far", p.n),
             p.mean_N, p.sd_N, p.mean_N / live_state_normal_force_N(s), p.n);
}

static void add_times(live_frame *f, const live_state *s, double now_s, const live_look *look) {
  char run[24], campaign[24], run_bar[13], campaign_bar[13];
  const live_moment *m = &s->moment;
  clock_text(live_state_run_left_s(s, now_s), run);
  clock_text(live_state_campaign_left_s(s, now_s), campaign);
  bar_text(m->phase == LIVE_PULLING ? s->x_m / s->plan.travel_m : m->phase > LIVE_PULLING, run_bar);
  bar_text(m->total ? (double)m->done / (double)m->total : 0, campaign_bar);
  add_line(f, look, _("run %s %s left   campaign %s %s left"), run_bar, run, campaign_bar, campaign);
}

/* An invalid pull stands inverted on terminals of colours, and in capital letters on all. */
static void add_verdict(live_frame *f, const live_state *s, const live_look *look) {
  const char *const lines[VERDICT_LINES] = {s->verdict.verdict, s->verdict.advice, s->verdict.count};
  int left = verdict_lines(s, look);
  for (int i = 0; i < VERDICT_LINES && left > 0; i++) {
    if (!lines[i][0]) continue;
    const bool inverted = look->color && s->verdict.strikes && i == 0;
    if (inverted) add_bytes(f, "\033[1;37;41m", 10);
    add_line(f, look, "%s", lines[i]);
    if (inverted) f->n--, add_bytes(f, "\033[0m\n", 5);
    left--;
  }
}

void live_screen_draw(const live_state *s, double now_s, const live_look *look, live_frame *out) {
  out->n = out->n_lines = 0;
  out->text[0] = '\0';
  add_head(out, s, look);
  add_chart(out, s, look);
  add_verdict(out, s, look);
  add_force(out, s, look);
  add_plateau(out, s, look);
  add_times(out, s, now_s, look);
}

void live_screen_words(const char *text, const live_look *look, live_frame *out) {
  out->n = out->n_lines = 0;
  out->text[0] = '\0';
  for (const char *end; (end = strchr(text, '\n')) && out->n_lines < LIVE_MAX_LINES; text = end + 1)
    add_line(out, look, "%.*s", (int)(end - text), text);
}
