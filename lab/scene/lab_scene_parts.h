/* Private to lab/scene/: laws into a scene, and laws at random. */
#ifndef LAB_SCENE_PARTS_H
#define LAB_SCENE_PARTS_H

#include "cb_rng.h"
#include "lab_scene_draw.h"

/* Sets the scene's values and pointers to laws that were read. The laws must outlive the scene. Errors: those
 * of a stretch law that does not tell a direction. */
CB_CHECKED cb_status lab_scene_apply(const lab_scene *c, sim_scene *scene, cb_err *err);

/* Draws all laws anew. The same laws, number and seed give the same draw. *drawn: sources whose uncertainty
 * is known; *unknown: those where it is not, and whose values stay. */
void lab_scene_draw(const lab_scene *laws, int number, lab_scene *out, unsigned *drawn, unsigned *unknown);

/* Writes a factor on a number > 0 whose logarithm has the uncertainty u_ln; 1, and returns false, where that
 * is not known. */
bool lab_draw_factor(cb_rng *rng, double u_ln, double dof, double *factor);

#endif
