/* A scene file: sheets of cloth, their material, what of them is held, the bodies they meet, how all that
 * moves, what is to be written, and the section of the model that plays it. docs/simulation.md has every key.
 *
 * The struct is what the file says, in SI; sim_play.h makes it move. Where the file names materials, the
 * caller looks up their laws before (sim_scene_laws, lab_scene.h): nothing here knows a database. The struct
 * has the sections of the main cloth (`cloth`, `layers`) too. The section of another model is read by that
 * model, out of the document, when the scene is played. */
#ifndef SIM_SCENE_H
#define SIM_SCENE_H

#include "cb_permeability_law.h"
#include "cb_stretch_law.h"
#include "cb_yaml.h"
#include "sim_cloth.h"
#include "sim_mesh.h"
#include "sim_picture.h"
#include "sim_shape.h"

#define SIM_SCENE_BODIES 16
#define SIM_SCENE_HELD 16
#define SIM_SCENE_PROBES 32
#define SIM_SCENE_MOTIONS 32
#define SIM_SCENE_LAYERS 8
#define SIM_SCENE_SHEETS 8

/* Constant until that time, one after the other; after the last, at rest. */
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

typedef struct sim_scene_body {
  sim_scene_shape shape;
  double at_m[3], axis[3], turned_rad[3], radius_m, tube_m, m_per_unit;
  char file[256];        /* OBJ, relative to the working folder */
  char material[64];     /* its laws against the cloth are wanted; "": the numbers in `friction` */
  sim_friction friction; /* laws: not owned */
  sim_motions motions;
} sim_scene_body;

/* What of a sheet is held. Named parts lie in the sheet's own plane: x, the warp, to the right, y upwards. */
typedef enum sim_scene_part {
  SIM_SCENE_CORNERS, /* of a rectangle, all four; the next four: two of them */
  SIM_SCENE_LOWER_CORNERS,
  SIM_SCENE_UPPER_CORNERS,
  SIM_SCENE_LEFT_CORNERS,
  SIM_SCENE_RIGHT_CORNERS,
  SIM_SCENE_LOWER_EDGE, /* of a rectangle */
  SIM_SCENE_UPPER_EDGE,
  SIM_SCENE_LEFT_EDGE,
  SIM_SCENE_RIGHT_EDGE,
  SIM_SCENE_MIDDLE, /* of a rectangle or disc: as far around its middle as within_m */
  SIM_SCENE_TOP,    /* of a ball: as far down as within_m */
  SIM_SCENE_BOX     /* what lies in a box at the start */
} sim_scene_part;
#define SIM_SCENE_FLAT_PARTS ((1U << SIM_SCENE_MIDDLE << 1) - 1) /* as bits: all before TOP */

typedef struct sim_scene_held {
  sim_scene_part part;
  double within_m;            /* vertices that lie this far from the corner, edge, middle or top */
  double low_m[3], high_m[3]; /* of the box */
  int sheet;                  /* from 0; -1: of every sheet */
  sim_motions motions;        /* velocities only; the main cloth's alone */
} sim_scene_held;

typedef struct sim_scene_probe {
  char name[32];
  double at_m[3]; /* the vertex that is nearest at the start */
} sim_scene_probe;

typedef enum sim_scene_solid {
  SIM_SCENE_BLOCK,
  SIM_SCENE_TETS,
  SIM_SCENE_SURFACE,
  SIM_SCENE_READY /* the first of sim_shape_ready, the others behind */
} sim_scene_solid;

/* Cloth sewn around a body. */
typedef struct sim_scene_case {
  bool sewn;
  int vertices;   /* about so many */
  double gap_m;   /* from the body, at least; 0: as its contact offset wants it */
  double warp[3]; /* which way the cloth's warp runs, before the body is turned */
} sim_scene_case;

/* Between a body and the cloth that meets it. */
typedef struct sim_scene_air {
  bool on, open_border;
  double over_Pa, flow_m_per_s, gap_most_m;
  double permeability_m_per_s;    /* at SIM_SCENE_PERMEABILITY_PA; < 0: the cloth's law is wanted */
  const cb_permeability_law *law; /* not owned */
} sim_scene_air;
#define SIM_SCENE_PERMEABILITY_PA 200.0

/* A body that the cloth lies around or on, with or without air between (sim_layered.h). */
typedef struct sim_scene_layer {
  int shape;               /* sim_scene_solid */
  double size_m[3];        /* of a block */
  double length_m, cell_m; /* of a ready one: 0: as in life; side of the lattice that its tetrahedra come
                              from */
  double offset_m;         /* a rigid one's surface lies so far outside of the shape */
  double m_per_unit, at_m[3], turned_rad[3];
  int cells[3], vertices; /* of a block; of a ready one that is rigid */
  char file[256];
  bool rigid, meets_all; /* rigid: it moves as it is told; else it meets its own case alone */
  sim_motions motions;   /* of a rigid one */
  double velocity_m_per_s[3], spin_rad_per_s[3]; /* at the start, of an elastic one and of its case */
  char material[64];                             /* its name in a database; "": all is given here */
  struct {
    bool friction, density, young, poisson; /* that the database must tell: the scene gives no numbers */
  } wants;
  double density_kg_per_m3, young_Pa, poisson, damping_s, drag_per_s;
  sim_friction friction; /* laws: not owned */
  double friction_on_bodies;
  sim_scene_case sewn;
  sim_scene_air air;
} sim_scene_layer;

/* The shape in which the cloth is free of bending. */
typedef enum sim_scene_rest {
  SIM_SCENE_FLAT,
  SIM_SCENE_AS_MADE /* as it lies at the start */
} sim_scene_rest;

/* What of the cloth's material a model needs; of a cloth that is named, what the scene gives no numbers for.
 */
typedef struct sim_scene_wants {
  bool areal_density, thickness, warp, weft, shear, bending, hysteresis;
} sim_scene_wants;

typedef enum sim_scene_sheet_shape {
  SIM_SCENE_RECTANGLE,
  SIM_SCENE_DISC,
  SIM_SCENE_SHEET_FILE,
  SIM_SCENE_SHIRT, /* of the model `limited`: on its mannequin */
  SIM_SCENE_BALL   /* of the model `splash`: closed */
} sim_scene_sheet_shape;
extern const char *const sim_scene_sheet_names[]; /* "rectangle", ..., NULL */

/* A piece of cloth. Of edge_m, cells and vertices one is not 0: how fine it is. */
typedef struct sim_scene_sheet {
  int shape;
  double length_m, width_m, radius_m, hole_m; /* length: along the warp of a sheet with warp_rad 0 */
  double warp_rad, m_per_unit, texture_m_per_unit, edge_m;
  double slack;                  /* begins as a bowl, drawn together by this part; of the model `splash` */
  double at_m[3], turned_rad[3]; /* turned about its middle first, which then comes to lie there; of a file:
                                    about the origin, moved by as much */
  int vertices, cells, pattern, seed;
  char file[256];
} sim_scene_sheet;

typedef struct sim_scene {
  char name[64];
  const struct sim_model *model; /* which plays it; the first of sim_models.c whose section the file has */
  cb_yaml *document;             /* owned; NULL: of the main cloth, whose section is below */
  cb_ynode section;
  bool no_cloth; /* bodies in layers alone */
  int n_sheets;  /* 0: all cloth is cases, or there is none */
  sim_scene_sheet sheet[SIM_SCENE_SHEETS];
  int rest;
  double rest_curvature_per_m[3]; /* K_uu, K_vv, K_uv, beside `rest` */
  char database[256];             /* "": none is named */
  char cloth[64];                 /* the material's name there; "": all is given here */
  sim_scene_wants wants;
  sim_material material;
  bool isotropic;                    /* of one stiffness for all directions */
  double permeability_m_per_s;       /* at SIM_SCENE_PERMEABILITY_PA; < 0: not given */
  double permeability_exponent;      /* velocity goes as pressure^this */
  const cb_stretch_law *stretch_law; /* of a cloth that is named and has no numbers of its own for warp */
  const cb_permeability_law *permeability_law; /* and weft, for air; NULL: none; not owned */
  bool self_collision;
  char self_material[64]; /* the body under which the cloth was measured on itself; "": the number in
                             `self_friction` */
  sim_friction self_friction;
  const cb_self_friction_law *self_law; /* not owned */
  int n_bodies, n_held, n_probes, n_layers;
  sim_scene_body body[SIM_SCENE_BODIES];
  sim_scene_held held[SIM_SCENE_HELD];
  sim_scene_probe probe[SIM_SCENE_PROBES];
  sim_scene_layer layer[SIM_SCENE_LAYERS];
  double wind_m_per_s[3];
  double gravity_m_per_s2[3], dt_s, duration_s, solve_tolerance;
  int scheme, iterations;
  bool adaptive;                /* dt_s is the longest step */
  double every_s, checkpoint_s; /* between frames, between checkpoints; 0: only at the end */
  bool obj, ply, vtp, png;
  sim_view view;
} sim_scene;

/* Errors: those of the file, but for the section of a model other than the main cloth (sim_play_new). A key
 * of an older program is refused by a sentence that names the new one. Caller: sim_scene_clear; of the main
 * cloth, and after an error, there is nothing to be freed. */
CB_CHECKED cb_status sim_scene_parse(const char *text, size_t n, const char *name, sim_scene *out,
                                     cb_err *err);
CB_CHECKED cb_status sim_scene_load(const char *path, sim_scene *out, cb_err *err);
void sim_scene_clear(sim_scene *scene);

/* Does it name anything that a database must tell? */
bool sim_scene_laws(const sim_scene *s);

#endif
