#include "cli_friction.h"

#include <stdio.h>

#include "cb_plural.h"
#include "cb_text.h"
#include "cli.h"

/* By lab_specimen. */
static const char *const specimen_words[LAB_SPECIMENS] = {
    "lots of the cloth", "sides of the cloth", "wash states of the cloth", "specimens of the body"};

/* 'roll 7' (6 runs), 'roll 8' (6 runs) */
static void list_values(const lab_pooled *p, lab_specimen what, char *out, size_t size) {
  size_t n = 0;
  out[0] = '\0';
  for (size_t i = 0; i < p->n; i++) {
    const char *value = p->campaigns[i].says[what], *quote = value[0] ? "'" : "";
    size_t runs = lab_pooled_runs(p, what, i);
    char shown[160];
    if (runs == 0) continue;
    (void)cb_text_show(value, shown, sizeof shown);
    int more = snprintf(out + n, size - n, "%s%s%s%s (%zu run%s)", n ? ", " : "",
                        value[0] ? quote : "not written down", shown, quote, runs, CB_S(runs));
    if (more < 0 || (size_t)more >= size - n) break;
    n += (size_t)more;
  }
}

void cli_pooled_warn(const lab_pooled *p, const char *cloth, const char *body) {
  char text[800];
  for (int k = 0; k < LAB_SPECIMENS; k++) {
    if (!p->differs[k]) continue;
    list_values(p, (lab_specimen)k, text, sizeof text);
    cli_say("fit", "warning: %s on %s: one law for different %s: %s", cloth, body, specimen_words[k], text);
  }
}

void cli_pooled_print(const lab_pooled *p) {
  char text[800], shown[160];
  for (size_t i = 0; i < p->n && p->n > 1; i++) {
    const lab_pooled_campaign *c = &p->campaigns[i];
    printf("  campaign %lld '%s': %zu run%s\n", (long long)c->id, cb_text_show(c->name, shown, sizeof shown),
           c->n_runs, CB_S(c->n_runs));
  }
  for (int k = 0; k < LAB_SPECIMENS; k++) {
    if (!p->differs[k]) continue;
    list_values(p, (lab_specimen)k, text, sizeof text);
    printf("  pooled: different %s: %s\n", specimen_words[k], text);
  }
}

cb_status cli_friction_law(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                           cb_friction_law *law, bool *fresh, cb_err *err) {
  lab_pooled pooled;
  cb_status st = lab_friction_law_find(s, cloth, body, kind, law, &pooled, err);
  cli_pooled_warn(&pooled, cloth, body);
  lab_pooled_clear(&pooled);
  *fresh = st == CB_OK && law->id == 0;
  return st;
}

void cli_faults_say(const char *command, const size_t n_of_fault[FIT_N_FAULTS]) {
  for (size_t i = 0; i < FIT_N_FAULTS; i++)
    if (n_of_fault[i] > 0)
      cli_say(command, "%zu %s: %s; what helps: %s", n_of_fault[i], fit_fault_kinds[i].code,
              fit_fault_kinds[i].sentence, fit_fault_kinds[i].advice);
}
