/* How many pieces of cloth stand behind a figure: cycles of one piece do not tell how pieces differ. */
#include <math.h>
#include <string.h>

#include "cb_text.h"
#include "lab_card_parts.h"

/* Assumed of one piece, as `fit bending` assumes it: a guess that is meant to be large, with two degrees of
 * freedom. */
#define BETWEEN_REL 0.10
#define BETWEEN_DOF 2
#define SAME_DEG 0.5

/* Warp and weft are axes of symmetry. */
static double folded_deg(double angle_deg) { return fabs(remainder(angle_deg, 180)); }

static bool lies_at(const cb_material_test *t, double angle_deg) {
  return isnan(angle_deg) || isnan(t->direction_deg) ||
         fabs(folded_deg(t->direction_deg) - folded_deg(angle_deg)) < SAME_DEG;
}

lab_pieces lab_card_pieces(const cb_material_test *t, size_t n, double angle_deg) {
  lab_pieces found = {0, 0};
  for (size_t i = 0; i < n; i++) {
    if (!lies_at(&t[i], angle_deg)) continue;
    bool seen = false;
    for (size_t k = 0; k < i && !seen && t[i].specimen[0]; k++)
      seen = lies_at(&t[k], angle_deg) && strcmp(t[k].specimen, t[i].specimen) == 0;
    found.tests++, found.pieces += !seen;
  }
  return found;
}

void lab_card_widen(lab_property *p, lab_pieces of) {
  if (of.pieces > 1) {
    p->u *= sqrt((double)of.tests / (double)of.pieces);
    if (of.pieces < of.tests) p->dof = fmin(p->dof, (double)of.pieces - 1);
    return;
  }
  const double own = p->u * p->u, between = pow(BETWEEN_REL * p->value, 2);
  if (isnan(p->u) || !(between > 0)) return;
  const double of_own = p->dof > 0 && isfinite(p->dof) ? own * own / p->dof : 0;
  p->u = sqrt(own + between);
  /* Welch and Satterthwaite. */
  p->dof = pow(own + between, 2) / (of_own + between * between / BETWEEN_DOF);
}

void lab_card_say_pieces(const cb_material_test *t, size_t n, lab_section *s) {
  char where[120] = "";
  bool unnamed = false, alone = false, cycles = false;
  for (size_t i = 0; i < n; i++) {
    bool first = true;
    const lab_pieces of = lab_card_pieces(t, n, t[i].direction_deg);
    for (size_t k = 0; k < i && first; k++) first = !lies_at(&t[k], t[i].direction_deg);
    unnamed = unnamed || (!t[i].specimen[0] && of.tests > 1);
    cycles = cycles || (of.pieces > 1 && of.pieces < of.tests);
    alone = alone || of.pieces == 1;
    if (first && of.pieces == 1 && !isnan(t[i].direction_deg))
      cb_text_add(where, sizeof where, ", ", "%g", folded_deg(t[i].direction_deg));
  }
  if (alone)
    cb_text_add(s->said, sizeof s->said, "; ",
                "one piece%s%s%s: +- has %g %% for how pieces differ, a guess with %d degrees of freedom",
                where[0] ? " at " : "", where, where[0] ? " deg" : "", 100 * BETWEEN_REL, BETWEEN_DOF);
  if (cycles)
    cb_text_add(s->said, sizeof s->said, "; ",
                "repeats of one piece count as one: +- has the pieces' number");
  if (unnamed)
    cb_text_add(s->said, sizeof s->said, "; ",
                "tests that do not name their piece count as pieces of their own");
}
