/* How Blender's cloth turns its settings into forces, read in its source
 * (source/blender/simulation/intern/SIM_mass_spring.cc, implicit_blender.cc,
 * source/blender/blenkernel/intern/cloth.cc, 2.8 to 4.x), for a square grid of quads with edge h:
 *
 *   every vertex has the mass `mass`, and gravity is a thousandth of the scene's: time counts in units of
 *   1/sqrt(1000) s, of which a frame has `time_scale`
 *   an edge is a spring of `tension_stiffness` / mean edge length; a quad's two diagonals are springs of
 *   `shear_stiffness` / mean edge length that do not resist compression
 *   about an edge, k (angle - rest angle) with k = 0.1 `bending_stiffness` h acts on each of its two quads
 *   along their normals, spread evenly over the quad's four vertices; the edge's two take the reaction.
 *   This force is explicit in time
 *   air: force = -0.01 `air_damping` velocity on every vertex
 *
 * With t = tension / h and d = shear / h the grid's membrane is C11 = C22 = t + d, C12 = d under tension: a
 * strip has E = t + d - d^2 / (t + d). In shear one diagonal of each quad is slack: G = d / 2. So d = 2 G,
 * and E is solved for t. Of a bending force F half acts on the far edge, at the lever h: the moment per width
 * is F/2 = 0.05 bending h angle, and with angle = curvature h, B = 0.05 bending h^2. The stiffest waves of
 * bending on the grid have 8 sqrt(B / w) / h^2 [rad/s], and a step of time must be shorter than 2 over that.
 *
 * Blender's own numbers of mass and stiffness matter by their ratios alone. The preset gives a vertex 0.3 kg,
 * Blender's default, or less where a stiffness would pass Blender's largest number. */
#include <math.h>

#include "cb_draft.h"
#include "cb_num.h"
#include "cb_text.h"
#include "exch_cloth_impl.h"

/* Drag coefficient of a plate across the flow (Hoerner, Fluid-Dynamic Drag, 1965, chapter 3); air at 20
 * degC. */
#define PLATE_DRAG 1.17
#define AIR_KG_PER_M3 1.204

double exch_mean(exch_value a, exch_value b) {
  if (isnan(a.value)) return b.value;
  if (isnan(b.value)) return a.value;
  return (a.value + b.value) / 2;
}

exch_blender exch_blender_of(const exch_cloth *s) {
  const double e = exch_mean(s->stretch_warp_N_per_m, s->stretch_weft_N_per_m),
               w = s->areal_density_kg_per_m2.value, d = 2 * s->shear_N_per_m.value, known = isnan(d) ? 0 : d;
  const double rest = e - 2 * known; /* shear not known: springs along the yarns alone */
  return (exch_blender){
      .areal_density_kg_per_m2 = w,
      .tension_N_per_m = (rest + hypot(rest, 2 * sqrt(e * known))) / 2,
      .shear_N_per_m = d,
      .bending_N_m = exch_mean(s->bending_warp_N_m, s->bending_weft_N_m),
      .fall_m_per_s = sqrt(2 * w * CB_STANDARD_GRAVITY_M_PER_S2 / (AIR_KG_PER_M3 * PLATE_DRAG)),
  };
}

/* What others wrote stays one comment. */
static void put_comment(FILE *f, const char *before, const char *text, const char *after) {
  char shown[4 * sizeof((exch_cloth *)0)->basis];
  fprintf(f, "# %s%s%s\n", before, cb_text_show(text, shown, sizeof shown), after);
}

static void put_number(FILE *f, const char *name, double value, const char *unit) {
  if (isnan(value))
    fprintf(f, "%s = None  # not known\n", name);
  else
    fprintf(f, "%s = %.9g  # %s\n", name, value, unit);
}

static void put_cloth(FILE *f, const exch_blender *b) {
  put_number(f, "areal_density", b->areal_density_kg_per_m2, "kg/m2");
  put_number(f, "tension", b->tension_N_per_m, "N/m, of the springs along the edges");
  put_number(f, "shear", b->shear_N_per_m, "N/m, of the springs along the diagonals");
  put_number(f, "bending", b->bending_N_m, "N m");
  put_number(f, "terminal_speed", b->fall_m_per_s, "m/s, of a flat sheet that falls through air");
}

/* A setting is the measured number times the factor of the mesh. */
static void put_passport(FILE *f, const exch_passport *p) {
  if (!p) {
    fputs("# By definition only: not proved in Blender ('export material ... --prove').\npassport = []\n", f);
    return;
  }
  char words[40];
  (void)snprintf(words, sizeof words, ", %s", p->date);
  put_comment(f, "Proved in ", p->engine, words);
  fputs(
      "# edge [m], factors of tension, shear, bending, friction; what then remained, cantilever and strip "
      "[%]\n"
      "passport = [\n",
      f);
  for (int i = 0; i < p->n; i++)
    fprintf(f, "    (%.6g, %.6g, %.6g, %.6g, %.6g),  # %.2g, %.2g\n", p->at[i].edge_m, p->at[i].stretch,
            p->at[i].shear, p->at[i].bending, p->at[i].friction, 100 * p->at[i].cantilever_off,
            100 * p->at[i].strip_off);
  fputs("]\n", f);
}

static void print_preset(FILE *f, const exch_cloth *s, const exch_passport *p) {
  const exch_blender b = exch_blender_of(s);
  /* Python looks for a word about the encoding in the first two lines, comments included (PEP 263), and some
   * encodings turn what follows into other characters, line feeds among them: these two lines are never
   * anybody else's. */
  fputs("# -*- coding: utf-8 -*-\n# Cloth settings for Blender.\n", f);
  put_comment(f, "", s->name, "");
  put_comment(f, "", s->basis, "");
  fputs(
      "# One direction for all, no curves, no uncertainty. Made for quads of about equal size. Apply it "
      "again "
      "after every change of\n# the mesh or of the frame rate.\n",
      f);
  put_cloth(f, &b);
  put_passport(f, p);
  char words[100];
  (void)snprintf(words, sizeof words, ", object.collision.cloth_friction = %.3g%s",
                 fmin(100 * s->friction.value, 80), p ? " times the factor, at most 80" : "");
  if (!isnan(s->friction.value)) /* collision.c: friction * 0.01 stands where Coulomb's coefficient does; 0 to
                                    80 */
    put_comment(f, "friction is the collider's: on ", s->friction_with, words);
  fputs(exch_blender_script, f);
}

cb_status exch_blender_write(const exch_cloth *s, const exch_passport *p, char **text, cb_err *err) {
  cb_draft t;
  CB_TRY(cb_draft_begin(&t, err));
  print_preset(t.to, s, p);
  return cb_draft_end(&t, CB_OK, text, err);
}
