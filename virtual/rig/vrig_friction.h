/* The forces between cart and cloth on the virtual bench, with scatter and with what goes wrong there
 * (vrig_mishap.h). The formulas stand in vrig_bench.h. */
#ifndef VRIG_FRICTION_H
#define VRIG_FRICTION_H

#include "vrig_bench.h"

/* Friction of both surfaces over that of the cloth, as they were placed. */
double vrig_friction_surfaces(const vrig_bench *b);

/* Friction under a link force of a cart that is about to slide, or slides, in a direction: the static limit
 * at a rig time, INFINITY if the cart cannot break away; the kinetic force at a speed >= 0, INFINITY if it is
 * caught. */
double vrig_friction_static_N(const vrig_bench *b, double link_N, int direction, double t_s);
double vrig_friction_kinetic_N(const vrig_bench *b, double link_N, int direction, double speed_m_per_s);

/* The part of the link's force that lies along the way, and the weight's force against the forward pull. */
double vrig_friction_along(const vrig_bench *b);
double vrig_friction_downhill_N(const vrig_bench *b);
/* Mass of the cart with what is on it. */
double vrig_friction_mass_kg(const vrig_bench *b);

#endif
