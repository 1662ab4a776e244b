/* The heavy elastica: a strip, clamped horizontally at an edge, that hangs over it under its own weight alone. Inextensible, bending
 * moment = B x curvature, any deflection (Bickley, Phil. Mag. 17, 603, 1934; of textiles Szablewski & Kobza, Fibres Text. East. Eur.
 * 11(4), 2003). With the slope theta below the horizontal, s the length from the edge, L the overhang:
 *
 *   B theta'' = -w g (L - s) cos theta,   theta(0) = 0,   theta'(L) = 0
 *
 * One number says all: load = w g L^3 / B = (L / c)^3, c = (B / (w g))^(1/3) Peirce's bending length. docs/bending.md. */
#ifndef FIT_ELASTICA_H
#define FIT_ELASTICA_H

typedef struct fit_elastica {
  double load;             /* w g L^3 / B */
  double chord_rad;        /* of the line from the edge to the tip, below the horizontal */
  double tip_rad;          /* slope at the tip */
  double reach, drop;      /* of the tip, horizontal and downwards / L */
  double root_curvature;   /* at the edge, the largest x L */
  double square_curvature; /* mean over the length of (curvature x L)^2 */
} fit_elastica;

/* Beyond, the strip hangs down like a rope and says next to nothing of B. */
#define FIT_ELASTICA_MAX_CHORD_RAD 1.5690509975429023 /* 89.9 deg */
#define FIT_ELASTICA_MAX_LOAD 6e5

/* 0 < load <= FIT_ELASTICA_MAX_LOAD; relative error below 1e-11. */
fit_elastica fit_elastica_of_load(double load);

#endif
