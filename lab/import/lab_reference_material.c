/* materials.yaml: the facts of cloths and bodies, with their source. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_date.h"
#include "lab_reference_impl.h"

/* ---- text -> row ---- */

/* Enumerations go through int: cb_yaml_bind stores ints. */
typedef struct material_entry {
  cb_material m;
  int kind, origin;
} material_entry;

cb_status lab_reference_build_material(const lab_reference *r, cb_ynode item, cb_err *err) {
  const cb_yfield fields[] = {
      {"name", CB_Y_STR, LAB_AT(material_entry, m.name), .required = true},
      {"kind", CB_Y_ENUM, LAB_AT(material_entry, kind), .required = true, .choices = cb_material_kind_names},
      {"composition", CB_Y_STR, LAB_AT(material_entry, m.composition)},
      {"weave", CB_Y_STR, LAB_AT(material_entry, m.weave)},
      {"areal_density_kg_per_m2", CB_Y_NUM, LAB_AT(material_entry, m.areal_density_kg_per_m2), .min = 1e-3,
       .max = 10},
      {"u_areal_density_kg_per_m2", CB_Y_NUM, LAB_AT(material_entry, m.u_areal_density_kg_per_m2), .min = 0,
       .max = 10},
      {"u_thickness_m", CB_Y_NUM, LAB_AT(material_entry, m.u_thickness_m), .min = 0, .max = 1},
      {"thickness_m", CB_Y_NUM, LAB_AT(material_entry, m.thickness_m), .min = 1e-6, .max = 1},
      {"source", CB_Y_STR, LAB_AT(material_entry, m.source), .required = true},
      {"origin", CB_Y_ENUM, LAB_AT(material_entry, origin), .required = true, .choices = cb_origin_names},
  };
  material_entry e = {.kind = 0};
  CB_TRY(cb_yaml_bind(item, fields, sizeof fields / sizeof fields[0], &e, err));
  e.m.kind = (cb_material_kind)e.kind;
  e.m.origin = (cb_origin)e.origin;
  CB_TRY(lab_reference_check_origin(item, e.m.origin, "materials", err));
  cb_status st = cb_store_material_put(r->s, &e.m, err);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "material '%s'", e.m.name);
}

/* ---- row -> text ---- */

static void write_material(FILE *f, const cb_material *m) {
  fprintf(f, "  -\n");
  lab_reference_put_text_field(f, "name", m->name);
  fprintf(f, "    kind: %s\n", cb_material_kind_names[m->kind]);
  if (m->composition[0]) lab_reference_put_text_field(f, "composition", m->composition);
  if (m->weave[0]) lab_reference_put_text_field(f, "weave", m->weave);
  if (m->areal_density_kg_per_m2 > 0)
    lab_reference_put_real_field(f, "areal_density_kg_per_m2", m->areal_density_kg_per_m2);
  if (m->u_areal_density_kg_per_m2 > 0)
    lab_reference_put_real_field(f, "u_areal_density_kg_per_m2", m->u_areal_density_kg_per_m2);
  if (m->thickness_m > 0) lab_reference_put_real_field(f, "thickness_m", m->thickness_m);
  if (m->u_thickness_m > 0) lab_reference_put_real_field(f, "u_thickness_m", m->u_thickness_m);
  lab_reference_put_text_field(f, "source", m->source);
  fprintf(f, "    origin: %s\n", cb_origin_names[m->origin]);
}

cb_status lab_reference_write_materials(cb_store *s, FILE *f, cb_err *err) {
  cb_material *list;
  size_t n;
  char today[CB_DATE_SIZE];
  cb_date_today(today);
  CB_TRY(cb_store_materials(s, &list, &n, err));
  fprintf(f,
          "# Cloths and bodies. A reference database is built from this folder: clothbench db build FOLDER "
          "FILE\ndate: %s\nmaterials:\n",
          today);
  for (size_t i = 0; i < n; i++) write_material(f, &list[i]);
  free(list);
  return CB_OK;
}
