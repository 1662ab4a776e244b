/* `sim` of a scene that another model than the main cloth plays (sim_system.h). */
#ifndef CLI_SYSTEM_H
#define CLI_SYSTEM_H

#include "sim_system.h"

/* Plays all of it into the folder (NULL: the scene's name): frames, values.csv; tells what it came to. Returns an exit code. */
int cli_system_play(sim_system *system, const char *folder, bool json);

#endif
