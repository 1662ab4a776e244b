#include "cli_prove.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_num.h"
#include "cb_signals.h"

static void show(void *context, int done, int total) { cli_progress(context, done, total, "experiments"); }

/* Ascending, whatever the order in which they were typed. */
static cb_status read_meshes(const char *text, double *edge_m, int *n, cb_err *err) {
  char list[200], *rest = NULL;
  (void)snprintf(list, sizeof list, "%s", text ? text : "10,5,3.33");
  *n = 0;
  for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest)) {
    double mm;
    int at = *n;
    if (*n == CONF_EDGES_MAX || cb_parse_double(word, "", &mm, NULL) != CB_OK || !(mm >= 1 && mm <= 25))
      return cb_fail(err, CB_E_ARG, "--meshes-mm %s: up to %d edges of 1 to 25 mm were wanted, as 10,5", text,
                     CONF_EDGES_MAX);
    for (; at > 0 && edge_m[at - 1] > 1e-3 * mm; at--) edge_m[at] = edge_m[at - 1];
    edge_m[at] = 1e-3 * mm;
    ++*n;
  }
  return *n > 0 ? CB_OK : cb_fail(err, CB_E_ARG, "--meshes-mm: a list of edges was wanted, as 10,5");
}

cb_status cli_prove(const char *command, const exch_cloth *cloth, const char *engine, const char *meshes,
                    const char *experiments, const char *keep, conf_proof *out, cb_err *err) {
  static char shown[20];
  double edge_m[CONF_EDGES_MAX];
  conf_engine e;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  (void)snprintf(shown, sizeof shown, "%s", command);
  conf_request q = {.cloth = cloth,
                    .edge_m = edge_m,
                    .experiments = experiments,
                    .calibrate = true,
                    .keep = keep,
                    .jobs = processors > 0 ? (int)processors : 1,
                    .progress = show,
                    .context = shown};
  CB_TRY(conf_engine_init(engine, &e, err));
  CB_TRY(read_meshes(meshes, edge_m, &q.n_edges, err));
  q.stop = cb_signals_listen_once("clothbench: stops\n");
  return conf_prove(&e, &q, out, err);
}
