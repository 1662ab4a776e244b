#include "daq_prompt.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "cb_language.h"

/* Below this a link does not snap back at fingers: the weight of five grams. */
#define HANDS_OFF_N 0.05

typedef struct lines {
  char *out;
  size_t n;
  bool stored; /* in English */
} lines;

static void say(lines *l, const char *fmt, ...) CB_PRINTF(2, 3);

/* One more line; what does not fit is cut. */
static void say(lines *l, const char *fmt, ...) {
  va_list ap;
  if (l->n > 0 && l->n < DAQ_PROMPT_SIZE - 1) l->out[l->n++] = '\n';
  va_start(ap, fmt);
  int len = vsnprintf(l->out + l->n, DAQ_PROMPT_SIZE - l->n, l->stored ? fmt : _(fmt), ap);
  va_end(ap);
  if (len > 0) l->n += (size_t)len;
  if (l->n > DAQ_PROMPT_SIZE - 1) l->n = DAQ_PROMPT_SIZE - 1;
}

void daq_prompt_home(const cb_rig *rig, char out[DAQ_PROMPT_SIZE]) {
  const cb_rig_stage *s = &rig->stage;
  lines l = {.out = out};
  say(&l, N_("The stage stands still and will not move until you press Enter."));
  say(&l, N_("Take the cart off the link, and keep hands, tools and cloth out of the stage's way."));
  say(&l,
      N_("After Enter the stage homes: it travels to its zero, up to %g mm away, at its homing speed, up to "
         "%g "
         "mm/s."),
      (s->limit_max_m - fmin(0, s->limit_min_m)) * 1e3, s->max_speed_m_per_s * 1e3);
}

static void say_force(lines *l, const daq_prompt *p) {
  if (fabs(p->link_force_N) < HANDS_OFF_N) return;
  say(l,
      N_("The link still pulls with %.2f N: keep fingers out from between cart and stage, and slide the cart "
         "the way the link pulls until "
         "it hangs slack."),
      fabs(p->link_force_N));
}

static void say_sample(lines *l, const daq_prompt *p) {
  if (p->plan->fresh_specimens)
    say(l, N_("Mount specimen %d of %d at %g deg (warp to pull)."), p->cell->repeat, p->plan->repeats,
        p->cell->angle_deg);
  else if (p->turn && p->plan->specimen[0])
    say(l, N_("Lay specimen '%s' at %g deg (warp to pull)."), p->plan->specimen, p->cell->angle_deg);
  else if (p->turn)
    say(l, N_("Turn the sample to %g deg (warp to pull)."), p->cell->angle_deg);
  if (p->turn_body)
    say(l, N_("Turn the cloth of the body to %g deg (its warp to pull)."), p->cell->body_angle_deg);
}

void daq_prompt_instruction(const daq_prompt *p, char out[DAQ_PROMPT_SIZE]) {
  lines l = {.out = out, .stored = true};
  say_sample(&l, p);
  say(&l, p->weigh ? N_("Put %g g on the cart.") : N_("Leave %g g on the cart."),
      p->cell->added_mass_kg * 1e3);
  say(&l, N_("Place the cart, then press Enter at the computer."));
  for (size_t i = 0; i < l.n; i++)
    if (out[i] == '\n') out[i] = ' ';
}

void daq_prompt_place(const daq_prompt *p, char out[DAQ_PROMPT_SIZE]) {
  const daq_campaign *c = p->plan;
  lines l = {.out = out};
  say(&l, N_("The stage stands still at %.1f mm and will not move until you press Enter."),
      p->position_m * 1e3);
  say_force(&l, p);
  say_sample(&l, p);
  say(&l, p->weigh ? N_("Put %g g on the cart.") : N_("Leave %g g on the cart."),
      p->cell->added_mass_kg * 1e3);
  say(&l, N_("Place the cart so that the link is slack and in its middle, then take your hands off."));
  say(&l,
      p->cell->direction > 0 ? N_("After Enter the stage rests for %g s, then pulls forward (away from home) "
                                  "over %g mm at %g mm/s.")
                             : N_("After Enter the stage rests for %g s, then pulls backward (towards home) "
                                  "over %g mm at %g mm/s."),
      c->zero_s, c->travel_m * 1e3, c->speed_m_per_s * 1e3);
}
