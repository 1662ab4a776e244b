/* A run as OpenUSD text (.usda): a Mesh per surface, with its points in every frame, and the cloth's material
 * by the deformable schema that the physics working group of OpenUSD proposes
 * (PhysicsSurfaceDeformableMaterialAPI; https://github.com/PixarAnimationStudios/OpenUSD-proposals/pull/111,
 * commit 584939b6). Metres, kilograms, z up. A time code is an interval between the first two frames, so the
 * frames of an even run have the codes 0, 1, 2. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_bytes.h"
#include "cb_json.h"
#include "cb_version.h"
#include "show_scene.h"

#define PRIM_BYTES (SHOW_NAME_BYTES + 16)
#define RATE_OF_ONE_FRAME_HZ 24 /* the unit of time codes, where no second frame tells it */

typedef struct usd {
  cb_bytes b;
  show_frames *frames;
  const double *time_s; /* of the frames */
  double rate_Hz;       /* time codes per second */
  bool has_material;
} usd;

static double code_of(const usd *u, int frame) { return (u->time_s[frame] - u->time_s[0]) * u->rate_Hz; }

/* ---- the material ---- */

/* The first slope of a curve [N/m]; NAN without one. */
static double slope_of(const json_t *cloth, const char *axis) {
  const json_t *curve = json_object_get(cloth, axis);
  const double x = json_number_value(json_array_get(json_object_get(curve, "green_strain"), 1)),
               y = json_number_value(json_array_get(json_object_get(curve, "stress_N_per_m"), 1));
  return x > 0 ? y / x : NAN;
}

static void put_attribute(cb_bytes *b, const char *name, double value) {
  if (isfinite(value)) cb_bytes_text(b, "    float physics:%s = %.9g\n", name, value);
}

/* One number for both directions, as the schema has it: the geometric mean. The schema's shear stiffness is
 * stress over shear angle; the curve has the strain E_uv, half of the angle. Returns false without a cloth.
 */
static bool put_material(cb_bytes *b, const char *about) {
  json_error_t why;
  json_t *doc = json_loads(about, 0, &why),
         *cloth = json_object_get(json_object_get(doc, "materials"), "cloth"),
         *bending = json_object_get(cloth, "bending_Nm");
  const bool known = json_is_object(cloth);
  if (known) {
    const double thickness_m = cb_json_number(cloth, "thickness_mm") / 1e3;
    const double B[2] = {json_number_value(json_array_get(json_array_get(bending, 0), 0)),
                         json_number_value(json_array_get(json_array_get(bending, 1), 1))};
    cb_bytes_text(b,
                  "  def Material \"ClothMaterial\" (\n    prepend apiSchemas = "
                  "[\"PhysicsSurfaceDeformableMaterialAPI\"]\n"
                  "  )\n  {\n");
    if (thickness_m > 0)
      put_attribute(b, "density", cb_json_number(cloth, "areal_density_g_per_m2") / 1e3 / thickness_m);
    put_attribute(b, "surfaceStretchStiffness", sqrt(slope_of(cloth, "warp") * slope_of(cloth, "weft")));
    put_attribute(b, "surfaceShearStiffness", slope_of(cloth, "shear") / 2);
    put_attribute(b, "surfaceBendStiffness", sqrt(B[0] * B[1]));
    if (isfinite(thickness_m))
      cb_bytes_text(b, "    custom float clothbench:thickness_m = %.9g\n", thickness_m);
    cb_bytes_text(b, "  }\n\n");
  }
  json_decref(doc);
  return known;
}

/* ---- the surfaces ---- */

static void put_points(cb_bytes *b, const show_surface *s) {
  for (int i = 0; i < s->n_vertices; i++)
    cb_bytes_text(b, "%s(%.9g, %.9g, %.9g)", i ? ", " : "[", (double)s->position_m[i][0],
                  (double)s->position_m[i][1], (double)s->position_m[i][2]);
  cb_bytes_text(b, "]");
}

static void put_counts(cb_bytes *b, const show_surface *s) {
  for (int t = 0; t < s->n_triangles; t++) cb_bytes_text(b, "%s3", t ? ", " : "[");
  cb_bytes_text(b, "]");
}

static void put_corners(cb_bytes *b, const show_surface *s) {
  for (int t = 0; t < s->n_triangles; t++)
    cb_bytes_text(b, "%s%d, %d, %d", t ? ", " : "[", s->triangle[t][0], s->triangle[t][1], s->triangle[t][2]);
  cb_bytes_text(b, "]");
}

/* An attribute as it is at first, for readers that play nothing, and its samples over the frames: every
 * frame, or those in which the triangles change. */
static cb_status put_samples(usd *u, const char *name, const char *attribute,
                             void (*put)(cb_bytes *, const show_surface *), bool every, cb_err *err) {
  bool first = true;
  for (int k = 0; k < show_frames_count(u->frames); k++) {
    show_frame frame;
    CB_TRY(show_frames_read(u->frames, k, &frame, err));
    const show_surface *s = show_surface_of(&frame, name);
    if (s && s->n_triangles > 0 && (every || !s->as_before)) {
      if (first) {
        cb_bytes_text(&u->b, "    %s = ", attribute);
        put(&u->b, s);
        cb_bytes_text(&u->b, "\n    %s.timeSamples = {\n", attribute);
        first = false;
      }
      cb_bytes_text(&u->b, "      %.9g: ", code_of(u, k));
      put(&u->b, s);
      cb_bytes_text(&u->b, ",\n");
    }
    show_frame_clear(&frame);
  }
  cb_bytes_text(&u->b, "    }\n");
  return CB_OK;
}

/* Hides the surface in frames that do not have it: its last points would stay in view. */
static void put_visibility(usd *u, const show_part *part, int n, const char *name) {
  bool seen = true;
  cb_bytes_text(&u->b, "    token visibility.timeSamples = {\n");
  for (int k = 0; k < show_frames_count(u->frames); k++) {
    bool there = false;
    for (int i = 0; i < n && !there; i++)
      there = strcmp(part[i].name, name) == 0 && k >= part[i].first && k < part[i].first + part[i].n;
    if (k == 0 || there != seen)
      cb_bytes_text(&u->b, "      %.9g: \"%s\",\n", code_of(u, k), there ? "inherited" : "invisible");
    seen = there;
  }
  cb_bytes_text(&u->b, "    }\n");
}

/* How many frames have a surface. */
static int frames_of(const show_part *part, int n, const char *name) {
  int frames = 0;
  for (int i = 0; i < n; i++)
    if (strcmp(part[i].name, name) == 0) frames += part[i].n;
  return frames;
}

/* A name of OpenUSD has letters, digits and "_", and begins with no digit. A name that was changed has a
 * number, so that it stays the only one. */
static void name_prim(const char *name, int number, char out[PRIM_BYTES]) {
  static const char digits[] = "0123456789",
                    letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  char clean[SHOW_NAME_BYTES] = "";
  for (size_t i = 0; i < sizeof clean - 1 && name[i]; i++)
    clean[i] = strchr(letters, name[i]) ? name[i] : '_';
  if (strcmp(clean, name) == 0 && !strchr(digits, name[0]))
    (void)snprintf(out, PRIM_BYTES, "%s", name);
  else
    (void)snprintf(out, PRIM_BYTES, "_%s_%d", clean, number);
}

static cb_status put_mesh(usd *u, const show_part *part, int n, int number, cb_err *err) {
  const show_part *p = &part[number];
  const bool bound = u->has_material && strncmp(p->name, "cloth", 5) == 0;
  char prim[PRIM_BYTES];
  name_prim(p->name, number, prim);
  cb_bytes_text(&u->b, "  def Mesh \"%s\"%s\n  {\n    uniform token subdivisionScheme = \"none\"\n", prim,
                bound ? " (\n    prepend apiSchemas = [\"MaterialBindingAPI\"]\n  )" : "");
  cb_bytes_text(&u->b, "    uniform bool doubleSided = true\n");
  cb_bytes_text(&u->b, "    color3f[] primvars:displayColor = [(%.4g, %.4g, %.4g)]\n", (double)p->colour[0],
                (double)p->colour[1], (double)p->colour[2]);
  if (bound) cb_bytes_text(&u->b, "    rel material:binding:physics = </World/ClothMaterial>\n");
  if (frames_of(part, n, p->name) < show_frames_count(u->frames)) put_visibility(u, part, n, p->name);
  CB_TRY(put_samples(u, p->name, "int[] faceVertexCounts", put_counts, false, err));
  CB_TRY(put_samples(u, p->name, "int[] faceVertexIndices", put_corners, false, err));
  CB_TRY(put_samples(u, p->name, "point3f[] points", put_points, true, err));
  cb_bytes_text(&u->b, "  }\n\n");
  return CB_OK;
}

static bool is_first_of_name(const show_part *part, int i) {
  for (int j = 0; j < i; j++)
    if (strcmp(part[j].name, part[i].name) == 0) return false;
  return true;
}

static void put_head(usd *u) {
  const int n = show_frames_count(u->frames);
  cb_bytes_text(&u->b, "#usda 1.0\n(\n  defaultPrim = \"World\"\n  doc = \"clothbench %s\"\n", cb_version());
  cb_bytes_text(&u->b, "  metersPerUnit = 1\n  kilogramsPerUnit = 1\n  upAxis = \"Z\"\n");
  cb_bytes_text(&u->b, "  startTimeCode = 0\n  endTimeCode = %.9g\n  timeCodesPerSecond = %.9g\n)\n\n",
                code_of(u, n - 1), u->rate_Hz);
  cb_bytes_text(&u->b, "def Xform \"World\"\n{\n");
}

cb_status show_usd_write(show_frames *f, const char *path, cb_err *err) {
  usd u = {.frames = f, .rate_Hz = RATE_OF_ONE_FRAME_HZ};
  show_part *part = NULL;
  double *time_s = NULL;
  int n;
  cb_status st = show_parts_of(f, &part, &n, &time_s, err);
  u.time_s = time_s;
  if (st == CB_OK) {
    if (show_frames_count(f) > 1 && time_s[1] > time_s[0]) u.rate_Hz = 1 / (time_s[1] - time_s[0]);
    put_head(&u);
    u.has_material = put_material(&u.b, show_frames_about(f));
  }
  for (int i = 0; st == CB_OK && i < n; i++)
    if (is_first_of_name(part, i)) st = put_mesh(&u, part, n, i, err);
  cb_bytes_text(&u.b, "}\n");
  if (st == CB_OK) st = cb_bytes_write(&u.b, path, err);
  cb_bytes_clear(&u.b);
  free(part);
  free(time_s);
  return st;
}
