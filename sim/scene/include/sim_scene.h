/* A scene file: sheets of cloth, their material, held parts, bodies, prescribed motion, output, and the
 * section of the model that plays the scene. docs/reference/scene-file.md has every key.
 *
 * sim_scene holds the values of the file in SI units; sim_play.h plays it. Nothing here knows a database:
 * where the file names materials (sim_scene_laws), the caller first fills in their laws (lab_scene.h). The
 * sections of the main cloth (`cloth`, `layers`) are in the struct. The section of another model stays in
 * the YAML document; that model reads it when the scene is played. */
#ifndef SIM_SCENE_H
#define SIM_SCENE_H

#include "cb_permeability_law.h"
#include "cb_stretch_law.h"
#include "cb_yaml.h"
#include "sim_layered.h"
#include "sim_mesh.h"
#include "sim_picture.h"
#include "sim_shape.h"

#define SIM_SCENE_BODIES 16
#define SIM_SCENE_HELD 16
#define SIM_SCENE_PROBES 32
#define SIM_SCENE_MOTIONS 32
#define SIM_SCENE_LAYERS 8
#define SIM_SCENE_SHEETS 8

/* Prescribed motion: constant velocity and spin until until_s, part after part; at rest after the last
 * one. */
typedef struct sim_motion {
  double until_s, velocity_m_per_s[3], spin_rad_per_s[3];
} sim_motion;

typedef struct sim_motions {
  int n;
  sim_motion part[SIM_SCENE_MOTIONS];
} sim_motions;

typedef enum sim_scene_shape {
  SIM_SCENE_PLANE,
  SIM_SCENE_SPHERE,
  SIM_SCENE_CYLINDER,
  SIM_SCENE_TORUS,
  SIM_SCENE_FILE
} sim_scene_shape;

/* A rigid body that the cloth meets. */
typedef struct sim_scene_body {
  sim_scene_shape shape;
  double at_m[3], axis[3], turned_rad[3], radius_m, tube_m, m_per_unit;
  double length_m;       /* of a cylinder; 0: without end */
  char file[256];        /* OBJ, relative to the working folder */
  char material[64];     /* name whose laws with the cloth are wanted; "": `friction` has the numbers */
  sim_friction friction; /* its laws are not owned */
  sim_motions motions;
} sim_scene_body;

/* Parts of a sheet that can be held. Their names refer to the sheet's own plane: x, along the warp, is to
 * the right, y is up. */
typedef enum sim_scene_part {
  SIM_SCENE_CORNERS, /* of a rectangle: all four; the next four values: two of them */
  SIM_SCENE_LOWER_CORNERS,
  SIM_SCENE_UPPER_CORNERS,
  SIM_SCENE_LEFT_CORNERS,
  SIM_SCENE_RIGHT_CORNERS,
  SIM_SCENE_LOWER_EDGE, /* of a rectangle, as the next three */
  SIM_SCENE_UPPER_EDGE,
  SIM_SCENE_LEFT_EDGE,
  SIM_SCENE_RIGHT_EDGE,
  SIM_SCENE_MIDDLE, /* of a rectangle or disc: within within_m of the middle */
  SIM_SCENE_TOP,    /* of a ball: within within_m below the top */
  SIM_SCENE_BOX     /* all vertices in a box at the start */
} sim_scene_part;
#define SIM_SCENE_FLAT_PARTS ((1U << SIM_SCENE_MIDDLE << 1) - 1) /* bits of all parts before TOP */

typedef struct sim_scene_held {
  sim_scene_part part;
  double within_m;            /* greatest distance from the corner, edge, middle or top */
  double low_m[3], high_m[3]; /* of the box */
  int sheet;                  /* from 0; -1: of every sheet */
  sim_motions motions;        /* velocities only, no spin; only with the main cloth */
} sim_scene_held;

/* A point whose position and velocity are recorded. */
typedef struct sim_scene_probe {
  char name[32];
  double at_m[3]; /* selects the nearest vertex at the start */
} sim_scene_probe;

/* Shapes of a body in a layer. */
typedef enum sim_scene_solid {
  SIM_SCENE_BLOCK,
  SIM_SCENE_TETS,
  SIM_SCENE_SURFACE,
  SIM_SCENE_READY /* + a value of sim_shape_ready */
} sim_scene_solid;

/* A case: cloth sewn around a body in a layer. */
typedef struct sim_scene_case {
  bool sewn;
  int vertices; /* approximate number */
  double gap_m; /* least distance from the body; 0: from its contact offset */
  /* distance of the lines across the warp along which it is sewn to the body; 0: nowhere */
  double quilted_every_m;
  double warp[3]; /* direction of the warp, before the body is turned */
} sim_scene_case;

/* Air between a body and the cloth that meets it. */
typedef struct sim_scene_air {
  bool on, open_border;
  int solver; /* sim_air_solver */
  double over_Pa, flow_m_per_s, gap_most_m;
  double permeability_m_per_s;    /* at SIM_SCENE_PERMEABILITY_PA; < 0: the law of the cloth is wanted */
  const cb_permeability_law *law; /* not owned */
} sim_scene_air;
#define SIM_SCENE_PERMEABILITY_PA 200.0

/* A body in a layer: the cloth lies around or on it, with or without air between (sim_layered.h). */
typedef struct sim_scene_layer {
  int shape;               /* sim_scene_solid */
  double size_m[3];        /* of a block */
  double length_m, cell_m; /* of a ready shape: length, 0 for life size; cell of the lattice of its
                              tetrahedra */
  double offset_m;         /* of a rigid body: distance of its surface outside the shape */
  double m_per_unit, at_m[3], turned_rad[3];
  int cells[3], vertices; /* cells of a block; vertices of a rigid ready shape */
  char file[256];
  bool rigid, meets_all; /* rigid: its motion is prescribed; meets_all: it meets all cloth, else only its case
                          */
  sim_motions motions;   /* of a rigid body */
  double velocity_m_per_s[3], spin_rad_per_s[3]; /* of an elastic body and its case, at the start */
  char material[64];                             /* name in a database; "": the scene has all numbers */
  struct {
    bool friction, density, young, poisson; /* numbers that the scene lacks and the database must give */
  } wants;
  double density_kg_per_m3, young_Pa, poisson, damping_s, drag_per_s;
  sim_friction friction; /* its laws are not owned */
  double friction_on_bodies;
  sim_scene_case sewn;
  sim_scene_air air;
} sim_scene_layer;

/* The shape of the cloth without bending moment. */
typedef enum sim_scene_rest {
  SIM_SCENE_FLAT,
  SIM_SCENE_AS_MADE /* the shape at the start */
} sim_scene_rest;

/* Values of the cloth's material: those a model needs, or those that the scene lacks and a database must
 * give. */
typedef struct sim_scene_wants {
  bool areal_density, thickness, warp, weft, shear, bending, hysteresis;
  bool compression; /* a database may give it; else SIM_COMPRESSION_PA */
} sim_scene_wants;

/* Which frames have a picture. A scene's page shows all, and a picture costs as much as many steps. */
typedef enum sim_pictures { SIM_PICTURES_NONE, SIM_PICTURES_ALL, SIM_PICTURES_LAST } sim_pictures;

typedef enum sim_scene_sheet_shape {
  SIM_SCENE_RECTANGLE,
  SIM_SCENE_DISC,
  SIM_SCENE_SHEET_FILE,
  SIM_SCENE_SHIRT, /* on a mannequin; only model `limited` */
  SIM_SCENE_BALL   /* closed; only model `splash` */
} sim_scene_sheet_shape;
extern const char *const sim_scene_sheet_names[]; /* "rectangle", ..., NULL */

/* A piece of cloth. Of edge_m, cells and vertices, at most one is not 0; it sets the resolution. */
typedef struct sim_scene_sheet {
  int shape;
  double length_m, width_m, radius_m, hole_m; /* length: along the warp, if warp_rad is 0 */
  double warp_rad, m_per_unit, texture_m_per_unit, edge_m;
  double slack; /* 0 to 0.5: the sheet starts as a bowl whose sides are this much shorter; only model
                   `splash` */
  double at_m[3], turned_rad[3]; /* the sheet is turned about its middle, which then moves to at_m; a file:
                                    turned about the origin, then moved by at_m */
  int vertices, cells, pattern, seed;
  char file[256];
} sim_scene_sheet;

/* The values of a scene file. */
typedef struct sim_scene {
  char name[64];
  const struct sim_model *model; /* the model that plays it: the first of sim_models whose section the file
                                    has */
  cb_yaml *document;             /* owned; NULL for the main cloth, whose values are below */
  cb_ynode section;              /* of the model, in `document` */
  bool no_cloth;                 /* the scene has bodies in layers, but no cloth */
  int n_sheets;                  /* 0: all cloth is in cases, or there is none */
  sim_scene_sheet sheet[SIM_SCENE_SHEETS];
  int rest;
  double rest_curvature_per_m[3]; /* K_uu, K_vv, K_uv, added to that of `rest` */
  char database[256];             /* path; "": none is named */
  char cloth[64];                 /* name of the material there; "": the scene has all numbers */
  char permeability_of[64];       /* name of the cloth whose law of air it has; "": its own */
  sim_scene_wants wants, must;    /* must: of these, values that the scene does not assume either */
  sim_material material;
  bool isotropic;                    /* one stiffness for all directions */
  double permeability_m_per_s;       /* at SIM_SCENE_PERMEABILITY_PA; < 0: not given */
  double permeability_exponent;      /* the velocity of air is proportional to pressure^this */
  const cb_stretch_law *stretch_law; /* of a named cloth without numbers for warp and weft; not owned */
  const cb_permeability_law *permeability_law; /* of a named cloth without a number for air; not owned */
  bool self_collision;
  char self_material[64]; /* name of the body under which the cloth was measured on itself; "":
                             `self_friction` has the number */
  sim_friction self_friction;
  const cb_self_friction_law *self_law; /* not owned */
  int n_bodies, n_held, n_probes, n_layers;
  sim_scene_body body[SIM_SCENE_BODIES];
  sim_scene_held held[SIM_SCENE_HELD];
  sim_scene_probe probe[SIM_SCENE_PROBES];
  sim_scene_layer layer[SIM_SCENE_LAYERS];
  double wind_m_per_s[3];
  sim_gusts gusts;
  double gravity_m_per_s2[3], dt_s, duration_s, solve_tolerance;
  int scheme, iterations;
  bool adaptive;                /* dt_s is the longest step */
  double every_s, checkpoint_s; /* interval of frames, of checkpoints; 0: only at the end */
  bool obj, ply, vtp;
  sim_pictures png;
  sim_view view;
} sim_scene;

/* Reads a scene from a text of n bytes, or from a file. name stands in error messages. The caller calls
 * sim_scene_clear. The section of a model other than the main cloth is checked later, by sim_play_new.
 * Errors: those of the text or file; memory. */
CB_CHECKED cb_status sim_scene_parse(const char *text, size_t n, const char *name, sim_scene *out,
                                     cb_err *err);
CB_CHECKED cb_status sim_scene_load(const char *path, sim_scene *out, cb_err *err);
void sim_scene_clear(sim_scene *scene); /* harmless after an error */

/* Returns whether the scene names any material, whose laws a database must give. */
bool sim_scene_laws(const sim_scene *s);

#endif
