/* `fit drape` in three parts: what was measured (data), the inference (cli_fit_drape.c), what is shown. */
#ifndef CLI_FIT_DRAPE_H
#define CLI_FIT_DRAPE_H

#include "cb_bending_law.h"
#include "cb_store_drape.h"
#include "cli.h"
#include "val_drape_inverse.h"

/* How the method of such a law begins. */
#define CLI_FIT_DRAPE_METHOD "drape/1"

#define CLI_FIT_DRAPE_FILES 1000

typedef struct cli_fit_drape_request {
  const char *cloth, *db, *origin; /* cloth: of the database */
  const char *files[CLI_FIT_DRAPE_FILES];
  size_t n_files;
  double measured, u_measured, sd_measured, nodes, amplitude_mm, drapes; /* typed; measured NAN: not */
  double specimen_cm, support_cm, scale_mm_per_px;                       /* of files and of what was typed */
  double areal_mass_g_m2, u_mass_percent;                                /* NAN: not given */
  const char *stiffer;
  bool json;
} cli_fit_drape_request;

typedef struct cli_fit_drape_data {
  val_drape_group group[VAL_DRAPE_SPECIMENS_MAX];
  int n_groups;
  int64_t *drape_id; /* owned; of the database */
  size_t n_ids;
  cb_origin origin;
  bool mass_known;
  double mass_kg_per_m2;
} cli_fit_drape_data;

/* From the database where s is not NULL, else from files or numbers. Clear in any case. */
CB_CHECKED cb_status cli_fit_drape_gather(const cli_fit_drape_request *q, cb_store *s, const val_drape_model *m, cli_fit_drape_data *out,
                                          cb_err *err);
void cli_fit_drape_data_clear(cli_fit_drape_data *d);

/* What is told, as a law: Peirce's form. Which direction is the stiffer one drapes do not tell: unless q->stiffer says it, warp and weft
 * have the same B, and the ratio is part of their covariance. */
void cli_fit_drape_law(const cli_fit_drape_request *q, const cli_fit_drape_data *d, const val_drape_inverse *v, cb_bending_law *out);

/* law NULL: none comes of it. NULL: no memory. */
json_t *cli_fit_drape_json(const cli_fit_drape_request *q, const val_drape_model *m, const cli_fit_drape_data *d,
                           const val_drape_prior *prior, const val_drape_inverse *v, const cb_bending_law *law);
int cli_fit_drape_print(const json_t *doc);

#endif
