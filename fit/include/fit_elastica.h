/* The heavy elastica: a strip, clamped horizontally at an edge, that hangs over it under its own weight. It
 * is inextensible; bending moment = B x curvature; deflections may be large (Bickley, Phil. Mag. 17, 603,
 * 1934; for textiles Szablewski & Kobza, Fibres Text. East. Eur. 11(4), 2003). With the slope theta below the
 * horizontal, s the length from the edge, L the overhang, w g the weight per area:
 *
 *   B theta'' = -w g (L - s) cos theta,   theta(0) = 0,   theta'(L) = 0
 *
 * The shape depends on one number only: load = w g L^3 / B = (L / c)^3, c = (B / (w g))^(1/3) being Peirce's
 * bending length. docs/method/bending.md is the page. */
#ifndef FIT_ELASTICA_H
#define FIT_ELASTICA_H

typedef struct fit_elastica {
  double load;             /* w g L^3 / B */
  double chord_rad;        /* angle of the line from the edge to the tip, below the horizontal */
  double tip_rad;          /* slope at the tip */
  double reach, drop;      /* of the tip: horizontal, downwards, over L */
  double root_curvature;   /* curvature x L at the edge, where it is largest */
  double square_curvature; /* mean over the length of (curvature x L)^2 */
} fit_elastica;

/* Limits: beyond them the strip hangs like a rope, and its angle hardly depends on B. */
#define FIT_ELASTICA_MAX_CHORD_RAD 1.5690509975429023 /* 89.9 deg */
#define FIT_ELASTICA_MAX_LOAD 6e5

/* Solves for a given load, 0 < load <= FIT_ELASTICA_MAX_LOAD. The relative error is below 1e-11. */
fit_elastica fit_elastica_of_load(double load);

#endif
