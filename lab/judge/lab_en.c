#include "lab_en.h"

#include <math.h>

#include "cb_stats.h"

double lab_expanded_95(double u, double u_part, double dof_part) {
  double dof = u_part > 0 && dof_part > 0 ? dof_part * pow(u / u_part, 4) : INFINITY;
  return cb_student_t(0.95, dof < 1e9 ? dof : INFINITY) * u;
}

double lab_en(double a, double U_a, double b, double U_b) { return (a - b) / hypot(U_a, U_b); }
