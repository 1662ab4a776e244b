/* Files that are shipped with the program: rigs, tables, scenes. */
#ifndef CLI_SHARE_H
#define CLI_SHARE_H

#define CLI_SHARE_PATH_BYTES 4200

/* Returns out with the path of a shipped file, for example "rigs/virtual.yaml". An installed program,
 * PREFIX/bin/clothbench, uses PREFIX/share/clothbench. One that is not installed uses the source tree from
 * which it was built. */
const char *cli_share_path(const char *name, char out[CLI_SHARE_PATH_BYTES]);

#endif
