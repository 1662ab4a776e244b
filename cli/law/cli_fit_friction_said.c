/* What somebody at the bench wants of a friction fit: coefficients, and what the runs tell in words. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cb_plus_minus.h"
#include "cli_friction.h"
#include "lab_friction_words.h"

static const char *words_of(const lab_friction_force *force, double angle_deg, double N,
                            char out[CB_PLUS_MINUS]) {
  cb_friction_value v;
  if (force->fit.outcome != FIT_FRICTION_OK || force->fit.law.n_knots == 0) return "-";
  cb_friction_law_eval(&force->fit.law, angle_deg * CB_DEG, N, &v);
  return cb_plus_minus_of_u(v.force_N / N, v.u_force_N / N, v.dof, out);
}

static void print_row(const lab_friction *f, double angle_deg, double N) {
  char kinetic[CB_PLUS_MINUS], stat[CB_PLUS_MINUS];
  const cb_friction_law *law = &f->kinetic.fit.law;
  const bool outside =
      N < law->knots[0].normal_force_N * 0.999 || N > law->knots[law->n_knots - 1].normal_force_N * 1.001;
  printf("  %7.4g N  %6g deg  %-20s  %s%s\n", N, angle_deg, words_of(&f->kinetic, angle_deg, N, kinetic),
         words_of(&f->stat, angle_deg, N, stat), outside ? "  (outside the measured loads)" : "");
}

static void print_load(const lab_friction *f, double N) {
  const fit_verdict *v = &f->verdict;
  for (size_t i = 0; i < v->n_angles; i++) print_row(f, v->angles[i].angle_deg + 0.0, N);
  for (int deg = 0; deg <= 90 && v->n_angles == 0; deg += 45) print_row(f, deg, N);
}

static void print_coefficients(const lab_friction *f, double at_N) {
  const cb_friction_law *law = &f->kinetic.fit.law;
  printf("  %9s  %10s  %-20s  %s\n", "load", "direction", "kinetic mu", "static mu  (+- at 95 %)");
  for (size_t k = 0; k < law->n_knots; k++) print_load(f, law->knots[k].normal_force_N);
  if (at_N > 0) print_load(f, at_N);
}

static void print_words(const char *words) {
  if (words[0]) printf("  %s\n", words);
}

void cli_friction_said_print(const lab_friction *f, double at_N) {
  char words[LAB_WORDS];
  print_coefficients(f, at_N);
  if (!f->has_tests) return;
  print_words(lab_friction_direction_words(&f->verdict, words));
  print_words(lab_friction_load_words(&f->verdict, words));
  print_words(lab_friction_senses_words(&f->verdict, words));
  print_words(lab_friction_first_words(&f->verdict, words));
  print_words(lab_friction_wear_words(&f->verdict, words));
}

void cli_friction_far_print(const lab_friction_force *force) {
  char words[LAB_FAR_WORDS], lack[LAB_WORDS];
  print_words(lab_friction_lack_words(force, lack));
  print_words(lab_friction_far_words(force, words));
}
