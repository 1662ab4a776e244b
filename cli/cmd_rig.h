/* The subcommands of `clothbench rig` except emulate. argv[0] is "rig"; the word of the subcommand is
 * removed. */
#ifndef CMD_RIG_H
#define CMD_RIG_H

#define CMD_RIG_CHECK_USAGE "rig check RIG.yaml [--db FILE] [--yes] [--json]"

int cmd_rig_check(int argc, char **argv);

#endif
