/* What a run of `sim` came to, as JSON and in words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli_sim.h"
#include "show_tally.h"
#include "cb_plural.h"

static double per_step(const cli_sim *r) {
  return r->steps > 0 ? (r->seconds - r->writing_seconds - r->converge_seconds) / r->steps : 0;
}

static double percent(long long part, long long of) { return of > 0 ? 100 * (double)part / (double)of : NAN; }

/* ---- JSON ---- */

/* The last row of the table, but for the time. */
static json_t *end_json(const cli_sim *r) {
  const int n = sim_play_columns(r->play);
  double *value = malloc((size_t)n * sizeof *value);
  json_t *o = value ? json_object() : NULL;
  if (value) sim_play_row(r->play, value);
  for (int k = 1; o && k < n; k++)
    (void)json_object_set_new(o, sim_play_column(r->play, k), cb_json_real(value[k]));
  free(value);
  return o;
}

json_t *cli_sim_json(const cli_sim *r) {
  const sim_mesh *m = sim_play_mesh(r->play);
  json_t *doc = json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:i, s:o, s:o}",
                          "scene", r->scene.name, "model", sim_play_model(r->play), "folder", r->folder,
                          "vertices", m ? m->n_vertices : sim_play_vertices(r->play), "steps", r->steps,
                          "resumed_at_step", r->resumed_at, "steps_with_parts", r->tally.parts,
                          "parts_taken_back", r->tally.refused, "time_s", sim_play_time(r->play), "seconds",
                          r->seconds, "writing_seconds", r->writing_seconds, "seconds_per_step", per_step(r),
                          "frames", cli_sim_frame_of(r, sim_play_steps(r->play)) + 1, "end", end_json(r),
                          "materials", lab_scene_json(&r->scene, &r->materials.laws, r->materials.database));
  json_t *more = doc && m ? show_tally_json(&r->scene, r->play, &r->tally) : NULL;
  if (more) (void)json_object_update(doc, more);
  json_decref(more);
  if (doc) cli_sim_convergence_json(r, doc);
  if (doc) (void)json_object_set_new(doc, "law_draw", cli_sim_bands_json(r));
  return doc;
}

/* ---- words ---- */

static void print_extrapolated(const char *what, long long part, long long of) {
  if (of > 0)
    printf("%.3g %% of %lld %s under a measured law press lighter or heavier than was measured\n",
           percent(part, of), of, what);
}

static void print_contacts(const cli_sim *r) {
  const sim_tally *t = &r->tally;
  printf("%.4g contacts with bodies and %.4g with itself per step",
         t->steps > 0 ? (double)t->contacts / t->steps : 0,
         t->steps > 0 ? (double)t->self_contacts / t->steps : 0);
  if (t->impacts > 0) printf(", %lld impact%s stopped", t->impacts, CB_S(t->impacts));
  if (t->disagreeing > 0)
    printf("; in %d step%s some did not agree in time", t->disagreeing, CB_S(t->disagreeing));
  printf("\n");
  print_extrapolated("contacts", t->extrapolated, t->by_law);
  print_extrapolated("self-contacts", t->self_extrapolated, t->self_by_law);
  if (t->deepest.body < 0 || t->deepest.depth_m < 1e-9)
    printf("no vertex nearer to a body than half of the thickness\n");
  else
    printf(
        "nearest to body %d: vertex %d at %g s, by %.3g mm less than half of the thickness, which is %.3g "
        "mm\n",
        t->deepest.body + 1, t->deepest.vertex, t->deepest.time_s, 1e3 * t->deepest.depth_m,
        500 * r->scene.material.thickness_m);
}

static void print_energy(const sim_tally *t) {
  const sim_cloth_energies *a = &t->begin, *b = &t->end;
  printf(
      "energy in J: kinetic %.4g, stretch %.4g, bending %.4g; since the beginning: gravity gave %.4g, "
      "supports %.4g;\n",
      b->kinetic, b->stretch, b->bending, a->gravity - b->gravity, b->supports - a->supports);
  printf("  friction took %.4g, on bodies in layers %.4g, damping %.4g, the scheme and layers %.4g\n",
         b->friction - a->friction, t->layered.friction_J, b->damping - a->damping,
         -sim_tally_unaccounted_J(t) - t->layered.friction_J);
}

static void print_body(const cli_sim *r, int k) {
  const sim_layer_tally *t = &r->tally.layered;
  const sim_play_layer body = sim_play_layer_of(r->play, k);
  printf("layer %d: ", k + 1);
  if (r->scene.layer[k].rigid)
    printf("prescribed motion, %d triangle%s", body.n_triangles, CB_S(body.n_triangles));
  else
    printf("%d %s, %d triangle%s", body.n_tets, CB_PLURAL(body.n_tets, "tetrahedron", "tetrahedra"),
           body.n_triangles, CB_S(body.n_triangles));
  if (body.n_met > 0)
    printf("; %d %s of cloth at it, at the end %d inside, the nearest at %.3g mm", body.n_met,
           CB_PLURAL(body.n_met, "vertex", "vertices"), t->inside[k], 1e3 * t->least_m[k]);
  if (r->scene.layer[k].air.on)
    printf("; air from %.6g to %.6g J, at the end %.3g Pa over the ambient", t->air_begin_J[k],
           t->air_end_J[k], t->air_end_Pa[k]);
  printf("\n");
  if (r->scene.layer[k].friction.kinetic_law)
    print_extrapolated("contacts with the layer", body.contacts.extrapolated, body.contacts.contacts);
}

static void print_closest_points(const cli_sim *r) {
  const sim_layer_tally *t = &r->tally.layered;
  double points = t->closest_points.points > 0 ? (double)t->closest_points.points : 1,
         steps = r->tally.steps > 0 ? r->tally.steps : 1;
  printf(
      "%.3g triangles per vertex and step, %lld restart%s; %.4g contacts with layers per step, at most %.3g "
      "mm deep in the contact offset\n",
      (double)(t->closest_points.crossed + t->closest_points.measured) / points,
      (long long)t->closest_points.restarts, CB_S(t->closest_points.restarts), (double)t->contacts / steps,
      1e3 * t->deepest_m);
}

static void print_edges(const sim_layer_tally *t) {
  printf("longest edge: %.5g of its limit", t->longest);
  if (t->corrected > 0 || t->at_limit_most > 0)
    printf("; up to %d edge%s at it, %lld correction%s", t->at_limit_most, CB_S(t->at_limit_most),
           t->corrected, CB_S(t->corrected));
  printf("\n");
}

/* What is known of a step where no companion plays: whether its equations were solved. */
static void print_solved(const cli_sim *r) {
  const sim_tally *t = &r->tally;
  printf(
      "equations solved to %.2g of %g wanted; contacts and friction agreed in %d of %d step%s, contact "
      "offsets and edges in %d, after up to %d of %d rounds, with %.2g mm left\n",
      t->layered.residual, r->scene.solve_tolerance, t->steps - t->disagreeing, t->steps, CB_S(t->steps),
      t->steps - t->layered.unagreed, t->layered.rounds_most, SIM_LAYERED_ROUNDS, 1e3 * t->layered.left_m);
}

static void print_layered(const cli_sim *r) {
  const sim_layer_tally *t = &r->tally.layered;
  if (r->scene.n_layers == 0) return;
  for (int k = 0; k < r->scene.n_layers; k++) print_body(r, k);
  if (!r->scene.no_cloth) print_closest_points(r);
  if (!r->scene.no_cloth) print_edges(t);
  if (!r->scene.no_cloth) print_solved(r);
  if (t->inverted_most > 0)
    printf("up to %d %s inside out\n", t->inverted_most,
           CB_PLURAL(t->inverted_most, "tetrahedron", "tetrahedra"));
  printf("seconds:");
  for (int k = 0; k < SIM_LAYERED_PHASES; k++)
    printf(" %s %.3g%s", sim_layered_phase_names[k], t->phase_s[k], k + 1 < SIM_LAYERED_PHASES ? "," : "\n");
}

static void print_cloth(const cli_sim *r) {
  if (!r->scene.no_cloth) print_contacts(r);
  print_layered(r);
  if (!r->scene.no_cloth) print_energy(&r->tally);
}

/* Of another model: the last row. */
static void print_end(const cli_sim *r) {
  const int n = sim_play_columns(r->play);
  double *value = malloc((size_t)n * sizeof *value);
  if (!value) return;
  sim_play_row(r->play, value);
  printf("at the end:");
  for (int k = 1; k < n; k++) printf("%s %s %.6g", k > 1 ? "," : "", sim_play_column(r->play, k), value[k]);
  printf("\n");
  free(value);
}

void cli_sim_print(const cli_sim *r) {
  const sim_mesh *m = sim_play_mesh(r->play);
  printf("%s (%s): %d vertices, %d step%s to %g s", r->scene.name, sim_play_model(r->play),
         m ? m->n_vertices : sim_play_vertices(r->play), r->steps, CB_S(r->steps), sim_play_time(r->play));
  if (r->resumed_at > 0) printf(" from step %d on", r->resumed_at);
  printf("\n%.3g s, of which %.3g s writing; %.3g s per step\n", r->seconds, r->writing_seconds, per_step(r));
  if (r->scene.adaptive)
    printf("%d part%s of steps, %d taken back\n", r->tally.parts, CB_S(r->tally.parts), r->tally.refused);
  cli_scene_print(&r->scene, &r->materials);
  if (m)
    print_cloth(r);
  else
    print_end(r);
  cli_sim_convergence_print(r);
  cli_sim_bands_print(r);
  printf("%d frame%s, %s, materials.json and %s in %s/\n", cli_sim_frame_of(r, sim_play_steps(r->play)) + 1,
         CB_S(cli_sim_frame_of(r, sim_play_steps(r->play)) + 1), CLI_SIM_TABLE, CLI_SIM_CHECKPOINT,
         r->folder);
  printf("to watch them in a browser: %s/%s\n", r->folder, SHOW_VIEW_FILE);
}

/* ---- a window ---- */

json_t *cli_sim_shown_json(const cli_sim *r) {
  const win_times *w = &r->shown;
  return json_pack("{s:s, s:s, s:i, s:f, s:i, s:i, s:f, s:f, s:f, s:f, s:i}", "scene", r->scene.name, "model",
                   sim_play_model(r->play), "vertices", sim_play_vertices(r->play), "time_s",
                   sim_play_time(r->play), "frames", w->frames, "grabs", w->grabs, "simulation_ms",
                   1e3 * w->simulation_s, "drawing_ms", 1e3 * w->drawing_s, "longest_ms", 1e3 * w->longest_s,
                   "frames_per_s", w->frames_per_s, "late", w->late);
}

void cli_sim_shown_print(const cli_sim *r) {
  const win_times *w = &r->shown;
  printf("%s (%s): %d vertices, %d frame%s to %.3g s, %.1f frames/s\n", r->scene.name,
         sim_play_model(r->play), sim_play_vertices(r->play), w->frames, CB_S(w->frames),
         sim_play_time(r->play), w->frames_per_s);
  printf(
      "a frame: simulation %.3f ms, drawing %.3f ms (medians); the longest %.1f ms; %d longer than a step\n",
      1e3 * w->simulation_s, 1e3 * w->drawing_s, 1e3 * w->longest_s, w->late);
}
