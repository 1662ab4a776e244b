/* Jets: numbers that carry their exact first and second derivatives by three variables through arithmetic. */
#ifndef SIM_LIMIT_JET_H
#define SIM_LIMIT_JET_H

#include <math.h>

typedef struct sim_jet {
  double value, first[3], second[3][3];
} sim_jet;

static inline sim_jet sim_jet_variable(double value, int which) {
  sim_jet out = {.value = value};
  out.first[which] = 1;
  return out;
}

/* s a + t b + c */
static inline sim_jet sim_jet_sum(double s, const sim_jet *a, double t, const sim_jet *b, double c) {
  sim_jet out = {.value = s * a->value + t * b->value + c};
  for (int i = 0; i < 3; i++) {
    out.first[i] = s * a->first[i] + t * b->first[i];
    for (int j = 0; j < 3; j++) out.second[i][j] = s * a->second[i][j] + t * b->second[i][j];
  }
  return out;
}

static inline sim_jet sim_jet_product(const sim_jet *a, const sim_jet *b) {
  sim_jet out = {.value = a->value * b->value};
  for (int i = 0; i < 3; i++) {
    out.first[i] = a->first[i] * b->value + a->value * b->first[i];
    for (int j = 0; j < 3; j++)
      out.second[i][j] = a->second[i][j] * b->value + a->first[i] * b->first[j] + a->first[j] * b->first[i] +
                         a->value * b->second[i][j];
  }
  return out;
}

/* f(a), given f and its first two derivatives at a. */
static inline sim_jet sim_jet_chain(const sim_jet *a, double f, double df, double ddf) {
  sim_jet out = {.value = f};
  for (int i = 0; i < 3; i++) {
    out.first[i] = df * a->first[i];
    for (int j = 0; j < 3; j++) out.second[i][j] = df * a->second[i][j] + ddf * a->first[i] * a->first[j];
  }
  return out;
}

static inline sim_jet sim_jet_root(const sim_jet *a) {
  const double f = sqrt(a->value);
  return sim_jet_chain(a, f, 1 / (2 * f), -1 / (4 * f * a->value));
}

static inline sim_jet sim_jet_inverse(const sim_jet *a) {
  const double f = 1 / a->value;
  return sim_jet_chain(a, f, -f * f, 2 * f * f * f);
}

#endif
