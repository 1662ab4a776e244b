#include "vrig_fault_impl.h"

double vrig_echo_pass(vrig_echo *e, unsigned long pull, bool repeats, double reading) {
  if (pull == 0) return reading;
  if (pull != e->pull) {
    e->pull = pull;
    e->now = !e->now;
    e->n[e->now] = 0;
  }
  size_t i = e->n[e->now];
  if (i == VRIG_ECHO_READINGS) return reading;
  if (repeats && i < e->n[!e->now]) reading = e->reading[!e->now][i];
  e->reading[e->now][i] = reading;
  e->n[e->now]++;
  return reading;
}
