/* A value with its uncertainty as text, the same way everywhere: "0.5373 +- 0.0011". */
#ifndef CB_PLUS_MINUS_H
#define CB_PLUS_MINUS_H

#define CB_PLUS_MINUS 64

/* Writes the value and its expanded uncertainty U (95 %). U has two significant digits, and the value ends at
 * the same place (JCGM 100, 7.2.6). Where both are below 0.001 or one reaches a million, they share a power
 * of ten: "(3.66 +- 0.56)e-6". A value without a U that is finite and above 0 has four digits. between:
 * " +- ". Returns out. */
char *cb_plus_minus(double value, double U, const char *between, char out[CB_PLUS_MINUS]);
/* The same of a standard uncertainty u with its degrees of freedom: U = t u. dof NAN: not known, as INFINITY.
 * between: " +- ". */
char *cb_plus_minus_of_u(double value, double u, double dof, char out[CB_PLUS_MINUS]);

#endif
