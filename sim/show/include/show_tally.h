/* What a run of the measured cloth came to, as a document: docs/reference/json/sim.md. */
#ifndef SHOW_TALLY_H
#define SHOW_TALLY_H

#include <jansson.h>

#include "sim_play.h"
#include "sim_tally.h"

/* Contacts, energy, layers: the keys that the cloth has beside those of every model. The run must have a
 * mesh. Returns a new reference; NULL: no memory. */
json_t *show_tally_json(const sim_scene *scene, const sim_play *play, const sim_tally *t);

#endif
