/* Files that are shipped with the program: rigs, scenes, materials, materials.db. */
#ifndef CLI_SHARE_H
#define CLI_SHARE_H

#define CLI_SHARE_PATH_BYTES 4200
#define CLI_DRAPE_TABLE "materials/drape_table.csv" /* of simulated drapes */
#define CLI_SHARE_FOUND 16

/* Returns out with the path of a shipped file, for example "rigs/virtual.yaml". The program looks for
 * share/clothbench beside its own file, then one and two folders above. So an installed program can be moved
 * with its share/, and a build tree has a link to the sources. */
const char *cli_share_path(const char *name, char out[CLI_SHARE_PATH_BYTES]);

/* Returns the path of a shipped file if the name is one, such as "scenes/drop.yaml", and no such file is
 * here; else the name itself. Valid until the program ends; for the first CLI_SHARE_FOUND names. */
const char *cli_share_find(const char *name);

/* Begins to speak the language of the person (cb_language.h); its catalogues are in share/locale. */
void cli_share_language(void);

#endif
