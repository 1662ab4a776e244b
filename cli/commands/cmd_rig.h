/* The subcommands of `clothbench rig` except emulate. argv[0] is "rig"; the word of the subcommand is
 * removed. */
#ifndef CMD_RIG_H
#define CMD_RIG_H

#include "daq_calibration.h"

#define CMD_RIG_CHECK_USAGE "rig check RIG.yaml [--db FILE] [--yes] [--json]"

int cmd_rig_check(int argc, char **argv);
/* A measured calibration of the cell in the database at `path` goes before the declared one, as in a run. *k
 * is the one in use; all 0: none. No database: the rig file stands alone. */
void cmd_rig_use_calibration(cb_rig *rig, const char *path, daq_calibration *k);

#define CMD_RIG_LIVE_USAGE                                                                   \
  "rig live RIG.yaml [--db FILE] [--weight-g M] [--record] [--operator NAME] [--seconds S] " \
  "[--csv]"

int cmd_rig_live(int argc, char **argv);

#define CMD_RIG_INIT_USAGE \
  "rig init RIG.yaml [--stage DRIVER] [--force DRIVER] [--stage-port PORT] [--force-port PORT]"
/* Writes a commented rig file. */
int cmd_rig_init(int argc, char **argv);

#endif
