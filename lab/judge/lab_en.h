/* E_n numbers: whether two values agree within their expanded uncertainties (ISO 13528:2022, 9.7; ISO/IEC
 * 17043). */
#ifndef LAB_EN_H
#define LAB_EN_H

/* Returns the expanded uncertainty at 95 % of a combined standard uncertainty u. Its part u_part has
 * dof_part degrees of freedom; the rest counts as known exactly. U = t(0.95, nu) u with nu = dof_part (u /
 * u_part)^4 (Welch-Satterthwaite; JCGM 100:2008, G.4). u_part or dof_part 0: all of u counts as known
 * exactly. */
double lab_expanded_95(double u, double u_part, double dof_part);

/* Returns E_n = (a - b) / (U_a^2 + U_b^2)^1/2. The values agree if |E_n| <= 1. */
double lab_en(double a, double U_a, double b, double U_b);

#endif
