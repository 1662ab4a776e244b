#include "vrig_fault_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_out.h"
#include "cb_rng.h"

/* Faults of lines that wait for the next line; a port has few lines in any moment in which more come due. */
#define MOST_WAITING 16

/* A fault that goes on until until_s; number: of the fault. */
typedef struct spell {
  double until_s, factor;
  unsigned long number;
} spell;

typedef struct wire_state {
  vrig_fault_rule waiting[MOST_WAITING];
  size_t n_waiting;
  spell stall, burst, unplugged;
  vrig_fault_line now, before;
} wire_state;

struct vrig_fault {
  vrig_fault_script script;
  cb_rng rng, mishaps;
  FILE *log;
  const char *log_path; /* borrowed */
  double due_s[VRIG_FAULT_RULES], mix_due_s;
  int mix_left;
  unsigned long n;
  wire_state wire[VRIG_N_WIRES];
  spell clock, overload;
  int of_stage;     /* kind that waits for the stage; 0: none */
  vrig_mishap next; /* of the next pull */
  unsigned long n_pulls;
  vrig_echo echo;
  double power_s; /* when the stage is switched off and on; INFINITY: it is well */
};

/* ---- log ---- */

static void put_text(FILE *log, const char *bytes, size_t n) {
  (void)fputc('"', log);
  for (size_t i = 0; i < n; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '\r' || c == '\n')
      (void)fputs(c == '\r' ? "\\r" : "\\n", log);
    else if (c >= ' ' && c <= '~' && c != '"' && c != '\\')
      (void)fputc(c, log);
    else
      (void)fprintf(log, "\\x%02X", c);
  }
  (void)fputc('"', log);
}

static void put_event(vrig_fault *f, unsigned long number, double t_s, const char *port, const char *kind,
                      const char *line, size_t n, const vrig_fault_line *sent) {
  if (!f->log || (number == 0 && !f->script.log_lines)) return;
  (void)fprintf(f->log, "%lu\t%.6f\t%s\t%s\t", number, t_s, port, kind);
  put_text(f->log, line, n);
  (void)fputc('\t', f->log);
  put_text(f->log, sent->text, sent->n);
  (void)fputc('\n', f->log);
}

static void put_record(vrig_fault *f, unsigned long number, double t_s, vrig_wire wire, const char *kind,
                       const char *line, size_t n, const vrig_fault_line *sent) {
  put_event(f, number, t_s, vrig_wire_names[wire], kind, line, n, sent);
}

/* ---- open and close ---- */

static double next_after(vrig_fault *f, double t_s, double every_s) {
  return t_s - every_s * log(1 - cb_rng_uniform(&f->rng));
}

static void schedule(vrig_fault *f) {
  const vrig_fault_script *s = &f->script;
  for (size_t i = 0; i < s->n; i++)
    f->due_s[i] = isnan(s->rule[i].at_s) ? next_after(f, s->from_s, s->rule[i].every_s) : s->rule[i].at_s;
  f->mix_due_s = s->mix.present ? next_after(f, s->from_s, s->mix.every_s) : INFINITY;
  f->mix_left = s->mix.count;
}

cb_status vrig_fault_open(const char *script_path, const char *log_path, vrig_fault **out, cb_err *err) {
  cb_status st = CB_OK;
  *out = NULL;
  vrig_fault *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "%s", script_path);
  CB_GOTO(vrig_fault_script_load(script_path, &f->script, err));
  cb_rng_init(&f->rng, (uint64_t)f->script.seed, 0);
  cb_rng_init(&f->mishaps, (uint64_t)f->script.seed, 1);
  f->next = vrig_mishap_plan_draw(&f->script.mishaps, 1, &f->mishaps);
  f->log_path = log_path;
  f->power_s = INFINITY;
  schedule(f);
  if (log_path) CB_GOTO(cb_out_grow(log_path, &f->log, err));
  *out = f;
  return CB_OK;
done:
  free(f);
  return st;
}

cb_status vrig_fault_close(vrig_fault *f, cb_err *err) {
  if (!f) return CB_OK;
  bool written = !f->log || !ferror(f->log);
  if (f->log && fclose(f->log) != 0) written = false;
  cb_status st =
      written ? CB_OK
              : cb_fail(err, CB_E_IO, "%s: the log of faults could not be written to its end", f->log_path);
  free(f);
  return st;
}

unsigned long vrig_fault_count(const vrig_fault *f) { return f->n; }

/* ---- what comes due ---- */

static bool is_of_one_line(int kind) { return kind < VRIG_FAULT_SILENCE; }

static spell *spell_of(vrig_fault *f, const vrig_fault_rule *r) {
  wire_state *w = &f->wire[r->wire];
  return r->kind == VRIG_FAULT_SILENCE     ? &w->stall
         : r->kind == VRIG_FAULT_BURST     ? &w->burst
         : r->kind == VRIG_FAULT_UNPLUGGED ? &w->unplugged
         : r->kind == VRIG_FAULT_CLOCK     ? &f->clock
                                           : &f->overload;
}

/* False: not now (one like it is not over yet, or too many wait). */
static bool begin_fault(vrig_fault *f, const vrig_fault_rule *r, double t_s) {
  wire_state *w = &f->wire[r->wire];
  if (is_of_one_line(r->kind)) {
    if (w->n_waiting == MOST_WAITING) return false;
    w->waiting[w->n_waiting++] = *r;
    return true;
  }
  if (r->kind >= VRIG_FAULT_OF_STAGE) {
    if (f->of_stage || isfinite(f->power_s)) return false;
    f->of_stage = r->kind;
    if (r->duration_s > 0) f->power_s = t_s + r->duration_s;
    return true;
  }
  spell *s = spell_of(f, r);
  if (s->number != 0 && t_s < s->until_s) return false;
  *s = (spell){t_s + r->duration_s, r->factor, ++f->n};
  put_record(f, s->number, t_s, (vrig_wire)r->wire, vrig_fault_names[r->kind], "", 0, &(vrig_fault_line){0});
  return true;
}

static vrig_fault_rule draw_rule(vrig_fault *f) {
  double sum = 0, at;
  for (int w = 0; w < VRIG_N_WIRES; w++)
    for (int k = 0; k < VRIG_N_FAULTS; k++) sum += f->script.mix.weight[w][k];
  at = sum * cb_rng_uniform(&f->rng);
  int kind = 0, wire = 0;
  for (int w = 0; w < VRIG_N_WIRES; w++)
    for (int k = 0; k < VRIG_N_FAULTS; k++) {
      double weight = f->script.mix.weight[w][k];
      if (weight > 0 && at >= 0) kind = k, wire = w;
      at -= weight;
    }
  return vrig_fault_default((vrig_fault_kind)kind, (vrig_wire)wire);
}

static void tick_mix(vrig_fault *f, double t_s, const bool host[VRIG_N_WIRES]) {
  if (f->mix_left == 0 || t_s < f->mix_due_s) return;
  vrig_fault_rule r = draw_rule(f);
  f->mix_due_s = next_after(f, t_s, f->script.mix.every_s);
  if (host[r.wire] && begin_fault(f, &r, t_s)) f->mix_left--;
}

void vrig_fault_tick(vrig_fault *f, double t_s, const bool host[VRIG_N_WIRES]) {
  for (size_t i = 0; i < f->script.n; i++) {
    const vrig_fault_rule *r = &f->script.rule[i];
    if (t_s < f->due_s[i] || !host[r->wire] || !begin_fault(f, r, t_s)) continue;
    f->due_s[i] = isnan(r->at_s) ? next_after(f, t_s, r->every_s) : INFINITY;
  }
  tick_mix(f, t_s, host);
}

/* ---- pulls ---- */

vrig_mishap vrig_fault_pull(vrig_fault *f, double t_s, unsigned long n_pulls) {
  for (; f->n_pulls < n_pulls; f->n_pulls++) {
    if (f->next.kind != VRIG_MISHAP_NONE)
      put_event(f, ++f->n, t_s, "bench", vrig_mishap_names[f->next.kind], "", 0, &(vrig_fault_line){0});
    f->next = vrig_mishap_plan_draw(&f->script.mishaps, f->n_pulls + 2, &f->mishaps);
  }
  return f->next;
}

double vrig_fault_reading(vrig_fault *f, unsigned long n_pulls, bool repeats, double reading) {
  return vrig_echo_pass(&f->echo, n_pulls, repeats, reading);
}

/* ---- lines ---- */

/* The fault of the line that is sent now: a stall swallows what else might have happened to it. */
static vrig_fault_rule next_fault(vrig_fault *f, wire_state *w, vrig_wire wire, double t_s,
                                  unsigned long *number) {
  if (t_s < w->stall.until_s) {
    *number = w->stall.number;
    return vrig_fault_default(VRIG_FAULT_SILENCE, wire);
  }
  if (w->n_waiting > 0) {
    vrig_fault_rule r = w->waiting[0];
    memmove(w->waiting, w->waiting + 1, --w->n_waiting * sizeof w->waiting[0]);
    *number = ++f->n;
    return r;
  }
  *number = t_s < w->burst.until_s ? w->burst.number : 0;
  return vrig_fault_default(VRIG_FAULT_BURST, wire);
}

void vrig_fault_send(vrig_fault *f, vrig_wire wire, double t_s, const char *line, size_t n,
                     vrig_fault_piece piece[2]) {
  wire_state *w = &f->wire[wire];
  unsigned long number;
  vrig_fault_rule r = next_fault(f, w, wire, t_s, &number);
  double held_s = fmax(w->burst.until_s - t_s, 0);
  vrig_fault_line_spoil((vrig_fault_kind)r.kind, &f->rng, line, n, &w->before, &w->now);
  put_record(f, number, t_s, wire, number ? vrig_fault_names[r.kind] : "-", line, n, &w->now);
  size_t cut = w->now.cut ? w->now.cut : w->now.n;
  piece[0] = (vrig_fault_piece){w->now.text, cut, held_s};
  piece[1] = (vrig_fault_piece){w->now.text + cut, w->now.n - cut, held_s + r.duration_s};
  w->before.n = n <= sizeof w->before.text ? n : 0;
  memcpy(w->before.text, line, w->before.n);
}

/* ---- the rig's own ---- */

bool vrig_fault_unplugged(const vrig_fault *f, vrig_wire wire, double t_s) {
  return t_s < f->wire[wire].unplugged.until_s;
}
double vrig_fault_clock(const vrig_fault *f, double t_s) {
  return t_s < f->clock.until_s ? f->clock.factor : 1;
}
double vrig_fault_overload(const vrig_fault *f, double t_s) {
  return t_s < f->overload.until_s ? f->overload.factor : 0;
}

vrig_stage_event vrig_fault_of_stage(vrig_fault *f, double t_s, vrig_stage_fault *fault) {
  int kind = f->of_stage;
  if (kind) {
    f->of_stage = 0;
    *fault = (vrig_stage_fault)(kind - VRIG_FAULT_OF_STAGE);
    put_record(f, ++f->n, t_s, VRIG_WIRE_STAGE, vrig_fault_names[kind], "", 0, &(vrig_fault_line){0});
    return VRIG_STAGE_FAULT;
  }
  if (t_s < f->power_s) return VRIG_STAGE_NOTHING;
  f->power_s = INFINITY;
  return VRIG_STAGE_POWERED;
}
