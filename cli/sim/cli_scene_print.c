/* What a scene's cloth is made of and slides with, in words. */
#include <stdio.h>

#include "cli_scene.h"

static void print_cloth(const sim_scene *s, const cli_scene *c) {
  const struct {
    const char *name;
    bool database;
  } part[] = {{"areal density", c->laws.from.areal_density},
              {"thickness", c->laws.from.thickness},
              {"warp", c->laws.from.warp},
              {"weft", c->laws.from.weft},
              {"shear", c->laws.from.shear},
              {"bending", c->laws.from.bending}};
  printf("%s (%s) of %s:", s->cloth, cb_origin_names[c->laws.facts.origin], c->database);
  for (int database = 1; database >= 0; database--) {
    int n = 0;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
      if (part[i].database == database)
        printf("%s%s", n++ > 0 ? ", " : database ? " " : "; of the scene: ", part[i].name);
    if (n == 0 && database) printf(" its name alone");
  }
  printf("\n");
}

static void print_law(const char *who, int number, const char *material, cb_origin origin, char letter,
                      int64_t id, const double Pa[2], const char *more) {
  printf("%s", who);
  if (number > 0) printf(" %d", number);
  printf(": %s, %s", material, cb_origin_names[origin]);
  if (id > 0) printf(", law %c%lld", letter, (long long)id);
  printf(", measured at %.3g to %.3g Pa%s\n", Pa[0], Pa[1], more);
}

static void print_elastic(int number, const char *material, const lab_scene_elastic *e) {
  static const char *const names[] = {"density", "Young's modulus", "Poisson's ratio"};
  int n = 0;
  if (e->law.id == 0) return;
  printf("layer %d: %s, %s, law E%lld:", number, material, cb_origin_names[e->law.origin],
         (long long)e->law.id);
  for (int k = 0; k < CB_ELASTIC_NUMBERS; k++)
    if (e->from[k]) printf("%s %s", n++ > 0 ? "," : "", names[k]);
  printf("\n");
}

void cli_scene_print(const sim_scene *s, const cli_scene *c) {
  double Pa[2];
  if (!c->database) return;
  if (s->cloth[0]) print_cloth(s, c);
  for (int b = 0; b < s->n_bodies; b++) {
    const lab_scene_pair *p = &c->laws.pair[b];
    if (!s->body[b].material[0]) continue;
    lab_scene_pressures(&p->kinetic, Pa);
    print_law("body", b + 1, s->body[b].material, p->kinetic.origin, 'F', p->kinetic.id, Pa,
              p->has_static ? "" : "; no static law: it holds as it slides");
  }
  for (int k = 0; k < s->n_layers; k++) {
    const lab_scene_pair *p = &c->laws.layer[k];
    print_elastic(k + 1, s->layer[k].material, &c->laws.elastic[k]);
    if (!s->layer[k].friction.kinetic_law) continue;
    lab_scene_pressures(&p->kinetic, Pa);
    print_law("layer", k + 1, s->layer[k].material, p->kinetic.origin, 'F', p->kinetic.id, Pa,
              p->has_static ? "" : "; no static law: it holds as it slides");
  }
  if (c->laws.permeability.id > 0)
    printf("air through %s: %s, law P%lld, measured at %.3g to %.3g Pa\n",
           s->permeability_of[0] ? s->permeability_of : s->cloth,
           cb_origin_names[c->laws.permeability.origin], (long long)c->laws.permeability.id,
           c->laws.permeability.min_Pa, c->laws.permeability.max_Pa);
  if (!s->self_material[0]) return;
  lab_scene_self_pressures(&c->laws.self, Pa);
  print_law("on itself", 0, s->self_material, c->laws.self.origin, 'T', c->laws.self.id, Pa, "");
}
