/* The subcommands of `clothbench rig` except emulate. argv[0] is "rig"; the word of the subcommand is
 * removed. */
#ifndef CMD_RIG_H
#define CMD_RIG_H

#define CMD_RIG_CHECK_USAGE "rig check RIG.yaml [--db FILE] [--yes] [--json]"

int cmd_rig_check(int argc, char **argv);

#define CMD_RIG_INIT_USAGE \
  "rig init RIG.yaml [--stage DRIVER] [--force DRIVER] [--stage-port PORT] [--force-port PORT]"
/* Writes a commented rig file. */
int cmd_rig_init(int argc, char **argv);

#endif
