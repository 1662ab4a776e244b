#include "cli_prove.h"

#include <stdio.h>
#include <unistd.h>

#include "cb_signals.h"
#include "lab_export.h"

static void show(void *context, int done, int total) { cli_progress(context, done, total, "experiments"); }

cb_status cli_prove(const char *command, const exch_cloth *cloth, const char *engine, const char *meshes,
                    const char *experiments, const char *keep, bool hinges, bool one_direction,
                    conf_proof *out, cb_err *err) {
  static char shown[20];
  double edge_m[CONF_EDGES_MAX];
  conf_engine e;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  (void)snprintf(shown, sizeof shown, "%s", command);
  conf_request q = {.cloth = cloth,
                    .edge_m = edge_m,
                    .calibrate = true,
                    .keep = keep,
                    .jobs = processors > 0 ? (int)processors : 1,
                    .progress = show,
                    .context = shown};
  CB_TRY(conf_engine_init(engine, &e, err));
  if (hinges) e.has_hinges = true;
  if (one_direction) e.has_directions = false;
  CB_TRY(conf_experiments_read(experiments, q.plays, err));
  if (!experiments && !e.has_shear) q.plays[CONF_SHEAR] = false;
  if (!experiments && !e.has_bending) q.plays[CONF_CANTILEVER] = false;
  CB_TRY(conf_meshes_read(meshes, edge_m, &q.n_edges, err));
  q.stop = cb_signals_listen_once("clothbench: stops\n");
  return conf_prove(&e, &q, out, err);
}

cb_status cli_prove_cloth(const char *db, const char *name, const char *body, exch_cloth *out, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_to_read(db), CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_export_cloth(s, name, body, out, err), err);
}
