/* clothbench fit KIND: measurements -> laws. */
#include <string.h>

#include "cli_kind.h"

int cli_fit_run(const char *db, int (*show_stored)(const void *request, cb_store *s),
                int (*fit)(const void *request, cb_store *s), const void *request) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  int code;
  if (cb_store_is_reference(s)) {
    code = show_stored(request, s);
  } else {
    (void)cb_store_close(s, NULL);
    s = NULL;
    st = cb_store_open(db, CB_STORE_WRITE, &s, &err);
    code = st == CB_OK ? fit(request, s) : cli_fail("fit", st, &err);
  }
  st = cb_store_close(s, &err);
  return st == CB_OK ? code : cli_fail("fit", st, &err);
}

bool cli_fit_origin(const char *name, int *origin) {
  *origin = -1;
  for (int i = 0; name && cb_origin_names[i]; i++)
    if (strcmp(cb_origin_names[i], name) == 0) *origin = i;
  if (!name || *origin >= 0) return true;
  cli_say("fit", "--origin = '%s': measured, imported, virtual or simulated was wanted", name);
  return false;
}

int cmd_fit(int argc, char **argv) {
  static const cli_kind kinds[] = {
      {"friction", cli_fit_friction, "the friction law of a pair, from all its runs"},
      {"self-friction", cli_fit_self_friction,
       "cloth on cloth: both surfaces' tensors, from runs with both angles known"},
      {"permeability", cli_fit_permeability,
       "laws of air permeability, of one cloth or of all that were tested"},
      {"compression", cli_fit_compression,
       "laws of thickness over pressure, of one cloth or of all that were tested"},
      {"bending", cli_fit_bending,
       "the law of bending of a cloth, from cantilevers or moment-curvature curves"},
      {"drape", cli_fit_drape, "bending of a cloth from how it draped, with what that can and cannot tell"},
      {"standard", cli_fit_standard,
       "static and kinetic coefficients of a campaign, by the test standard of its preset"},
      {"stretch", cli_fit_stretch, "load-extension curves of a cloth, moduli, KES figures"},
      {"trace", cli_fit_trace,
       "what is in one run's record: plateau, stick-slip, strokes; nothing is stored"},
  };
  return cli_kind_run(argc, argv, kinds, sizeof kinds / sizeof kinds[0]);
}
