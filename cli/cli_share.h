/* Files that come with the program: rigs, tables, scenes. */
#ifndef CLI_SHARE_H
#define CLI_SHARE_H

#define CLI_SHARE_PATH_BYTES 4200

/* The path of a shipped file, for example "rigs/virtual.yaml". An installed program, PREFIX/bin/clothbench,
 * reads PREFIX/share/clothbench; one that was not installed reads the source tree that it was built from.
 * Returns out. */
const char *cli_share_path(const char *name, char out[CLI_SHARE_PATH_BYTES]);

#endif
