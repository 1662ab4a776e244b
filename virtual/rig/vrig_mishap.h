/* What goes wrong with the mechanics of a pull: a kind, its size, and the way at which it happens.
 * docs/reference/virtual-faults.md lists kinds, sizes and defaults.
 *
 * A mishap is no property of the cloth: the true forces of the bench leave it out. The way is that of the
 * stage since the pull began, positive along the pull. SI units. */
#ifndef VRIG_MISHAP_H
#define VRIG_MISHAP_H

#include <stdbool.h>

typedef enum vrig_mishap_kind {
  VRIG_MISHAP_NONE,
  /* between cart and cloth */
  VRIG_MISHAP_GLUED,      /* the cart never lets go */
  VRIG_MISHAP_LATE,       /* it holds until the stage has gone way_m */
  VRIG_MISHAP_CAUGHT,     /* at way_m it is caught; it breaks away at 1 + size times the static force */
  VRIG_MISHAP_TIPS,       /* friction grows by the factor 1 + size x way [1/m]: the sled tips or turns */
  VRIG_MISHAP_WEIGHTS,    /* size times the added mass is on the cart: forgotten (0), taken twice (2) */
  VRIG_MISHAP_SHIFTS,     /* at way_m the cloth slips on the bed by size [m], and the cart with it */
  VRIG_MISHAP_TILT,       /* the bed rises by size [rad] along the forward pull */
  VRIG_MISHAP_TURNED,     /* the cloth lies turned by size [rad] */
  VRIG_MISHAP_OTHER_SIDE, /* the other side of the cloth is up: size times the friction */
  /* of the stage */
  VRIG_MISHAP_SLOW,     /* size times the speed asked for */
  VRIG_MISHAP_STANDS,   /* it stands still at way_m and says nothing */
  VRIG_MISHAP_UNEVEN,   /* its speed swings by size (relative) in waves of way_m */
  VRIG_MISHAP_REVERSED, /* it runs the other way */
  /* between cart and read-out */
  VRIG_MISHAP_CABLE,   /* a cable drags on the cell against the pull: size [N/m] x way */
  VRIG_MISHAP_PULLEY,  /* a pulley sticks: the force on the cell grows by size [N], and falls, every way_m */
  VRIG_MISHAP_CLIPPED, /* the read-out ends at size [N] to both sides */
  VRIG_MISHAP_COARSE,  /* its digit is size [N] */
  VRIG_MISHAP_ZERO_DRIFT, /* its zero goes by size [N/s] from the beginning of the pull */
  VRIG_MISHAP_ZERO_JUMP,  /* its zero jumps by size [N] at way_m */
  VRIG_MISHAP_REPEATED,   /* the readings are those of the pull before (vrig_play.h) */
  VRIG_N_MISHAPS
} vrig_mishap_kind;
/* "none", "glued", "late", ...; NULL at the end. */
extern const char *const vrig_mishap_names[VRIG_N_MISHAPS + 1];

typedef struct vrig_mishap {
  int kind;           /* vrig_mishap_kind */
  double size, way_m; /* as the kind says; 0 where it has none */
} vrig_mishap;

/* Returns a mishap with the documented size and way of its kind. */
vrig_mishap vrig_mishap_default(vrig_mishap_kind kind);

/* True if it happens between the cart and the read-out, and true if it moves the zero. */
bool vrig_mishap_of_reading(const vrig_mishap *m);
bool vrig_mishap_of_zero(const vrig_mishap *m);

/* How far the pull has got to which the mishap happens. */
typedef struct vrig_course {
  vrig_mishap mishap;
  bool begun;              /* false: at rest before the pull; way_m and since_s are then 0 */
  int direction;           /* of the pull, as it was asked for */
  double begin_s, begin_m; /* of the stage */
  double way_m, since_s;   /* of the stage, now */
  bool caught, let_go;     /* CAUGHT: the cart was caught; it broke away again */
  bool happened;           /* SHIFTS, STANDS: what happens once did */
} vrig_course;

/* Factors of both friction forces, of the static force (INFINITY: holds whatever pulls) and of the added
 * mass. 1 where nothing goes wrong. */
double vrig_mishap_friction(const vrig_course *c);
double vrig_mishap_static(const vrig_course *c);
double vrig_mishap_added_mass(const vrig_course *c);
/* What the cloth is turned by, and the slope of the bed [rad]. */
double vrig_mishap_turned_rad(const vrig_course *c);
double vrig_mishap_tilt_rad(const vrig_course *c);
/* What the cell reads beside the force of the link [N]. */
double vrig_mishap_on_cell_N(const vrig_course *c);
/* The end of the read-out, INFINITY if it has none of its own, and its digit, 0 likewise [N]. */
double vrig_mishap_end_N(const vrig_course *c);
double vrig_mishap_digit_N(const vrig_course *c);

#endif
