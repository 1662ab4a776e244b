/* How Blender's cloth turns its settings into forces, read in its source
 * (source/blender/simulation/intern/SIM_mass_spring.cc, implicit_blender.cc,
 * source/blender/blenkernel/intern/cloth.cc, 2.8 to 4.x), for a square grid of quads with edge h:
 *
 *   every vertex has the mass `mass`
 *   an edge is a spring of `tension_stiffness` / mean edge length, a quad's two diagonals springs of
 *   `shear_stiffness` / mean edge length about an edge, k (angle - rest angle) with k = 0.1
 *   `bending_stiffness` h acts on each of its two quads along their normals, spread evenly over the quad's
 *   four vertices; the edge's two take the reaction
 *
 * With t = tension / h and G = shear / h the grid's membrane is C11 = C22 = t + G, C12 = G, shear modulus G:
 * a strip has E = t + G - G^2 / (t + G), which is solved for t. Of a bending force F half acts on the far
 * edge, at the lever h: the moment per width is F/2 = 0.05 bending h angle, and with angle = curvature h, B =
 * 0.05 bending h^2. */
#include <math.h>

#include "cb_text.h"
#include "exch_cloth_impl.h"
#include "exch_text.h"

/* The mean of two directions; the one that is known, if only one is. */
static double mean(exch_value a, exch_value b) {
  if (isnan(a.value)) return b.value;
  if (isnan(b.value)) return a.value;
  return (a.value + b.value) / 2;
}

exch_blender exch_blender_of(const exch_cloth *s) {
  double e = mean(s->stretch_warp_N_per_m, s->stretch_weft_N_per_m), g = s->shear_N_per_m.value;
  double d = e - 2 * (isnan(g) ? 0 : g); /* shear not known: springs along the yarns alone */
  return (exch_blender){
      .mass_per_h2 = s->areal_density_kg_per_m2.value,
      .tension_per_h = (d + hypot(d, 2 * sqrt(e * (isnan(g) ? 0 : g)))) / 2,
      .shear_per_h = g,
      .bending_h2 = 20 * mean(s->bending_warp_N_m, s->bending_weft_N_m),
  };
}

/* What others wrote stays one comment. */
static void put_comment(FILE *f, const char *before, const char *text, const char *after) {
  char shown[4 * sizeof((exch_cloth *)0)->basis];
  fprintf(f, "# %s%s%s\n", before, cb_text_show(text, shown, sizeof shown), after);
}

static void put_setting(FILE *f, const char *setting, double factor, const char *power) {
  if (isnan(factor))
    fprintf(f, "# cloth.%s: not known, left as it is\n", setting);
  else
    fprintf(f, "cloth.%s = %.9g %s\n", setting, factor, power);
}

static void print_preset(FILE *f, const exch_cloth *s) {
  exch_blender b = exch_blender_of(s);
  /* Python looks for a word about the encoding in the first two lines, comments included (PEP 263), and some
   * encodings turn what follows into other characters, line feeds among them: these two lines are never
   * anybody else's. */
  fputs("# -*- coding: utf-8 -*-\n# Cloth settings for Blender.\n", f);
  put_comment(f, "", s->name, "");
  put_comment(f, "", s->basis, "");
  fputs(
      "# One direction for all, no curves, no uncertainty. Made for quads of about equal size: h is the mean "
      "edge of this object's mesh.\n"
      "import bpy\n"
      "\n"
      "mesh = bpy.context.object.data\n"
      "place = [bpy.context.object.matrix_world @ v.co for v in mesh.vertices]\n"
      "h = sum((place[e.vertices[0]] - place[e.vertices[1]]).length for e in mesh.edges) / len(mesh.edges)\n"
      "cloth = bpy.context.cloth.settings\n"
      "cloth.bending_model = 'ANGULAR'\n",
      f);
  put_setting(f, "mass", b.mass_per_h2, "* h**2");
  put_setting(f, "tension_stiffness", b.tension_per_h, "* h");
  put_setting(f, "compression_stiffness", b.tension_per_h, "* h");
  put_setting(f, "shear_stiffness", b.shear_per_h, "* h");
  put_setting(f, "bending_stiffness", b.bending_h2, "/ h**2");
  char words[64];
  (void)snprintf(words, sizeof words, ", object.collision.cloth_friction = %.3g",
                 fmin(100 * s->friction.value, 80));
  if (!isnan(s->friction.value)) /* collision.c: friction * 0.01 stands where Coulomb's coefficient does; 0 to
                                    80 */
    put_comment(f, "friction is the collider's: on ", s->friction_with, words);
}

cb_status exch_blender_write(const exch_cloth *s, char **text, cb_err *err) {
  exch_text t;
  CB_TRY(exch_text_begin(&t, err));
  print_preset(t.to, s);
  return exch_text_end(&t, text, err);
}
