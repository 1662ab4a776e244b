/* Tables of strips against closed forms and the heavy elastica, on even and irregular meshes. */
#include "val_loop.h"
#include "val_strips.h"
#include "val_table_impl.h"

static const sim_pattern patterns[] = {SIM_PATTERN_EQUILATERAL, SIM_PATTERN_IRREGULAR};

cb_status val_table_loops(val_table *t, cb_err *err) {
  static const double gammas[] = {100, 1000};
  for (int k = 0; k < 4 * VAL_LOOPS; k++) {
    const val_loop e = {
        .kind = (val_loop_kind)(k / 4), .gamma = gammas[k % 2], .pattern = patterns[k / 2 % 2], .cells = 80};
    val_loop_result r;
    CB_TRY(val_loop_run(&e, &r, err));
    val_table_add(t,
                  (val_row){"loops", .predicted = r.depth, .reference = r.reference, .error = r.error,
                            .allowed = VAL_LOOP_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
                  "%s: depth / L, gamma %g, %s, %d vertices", val_loop_names[e.kind], e.gamma,
                  sim_pattern_text[e.pattern], r.vertices);
  }
  return CB_OK;
}

static void add_strip(val_table *t, const val_strips_result *r, const char *what, sim_pattern pattern) {
  val_table_add(t,
                (val_row){"strips", .predicted = r->predicted, .reference = r->reference, .error = r->error,
                          .allowed = VAL_STRIPS_TOLERANCE, .pass = r->agrees, .seconds = r->seconds},
                "%s, %s, %d vertices", what, sim_pattern_text[pattern], r->vertices);
}

cb_status val_table_of_strips(val_table *t, cb_err *err) {
  static const struct {
    const char *what;
    cb_status (*run)(sim_pattern, int, val_strips_result *, cb_err *);
    int cells;
  } all[] = {{"chain of 0.7 L: depth / L", val_chain_run, 80},
             {"upright: critical gamma", val_upright_run, 4},
             {"first tone: period [s]", val_tone_run, 40},
             {"overhang / 2 at 41.5 deg, over c", val_length_run, 40}};
  for (size_t k = 0; k < 2 * sizeof all / sizeof all[0]; k++) {
    val_strips_result r;
    CB_TRY(all[k / 2].run(patterns[k % 2], all[k / 2].cells, &r, err));
    add_strip(t, &r, all[k / 2].what, patterns[k % 2]);
  }
  return CB_OK;
}
