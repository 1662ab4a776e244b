/* The templates of a stage that speaks lines: section `lines` of the rig file
 * (docs/reference/stage-lines.md). What is sent and what is answered are texts with placeholders, {position}
 * and the like; a rule gives a code in an answer its meaning. */
#ifndef CB_RIG_LINES_H
#define CB_RIG_LINES_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cb_lines_slot {
  CB_LINES_LITERAL,
  CB_LINES_POSITION, /* number in both directions */
  CB_LINES_ADDRESS,  /* both directions: stage.device_address */
  CB_LINES_SPEED,    /* these four are sent */
  CB_LINES_ACCELERATION,
  CB_LINES_MIN,
  CB_LINES_MAX,
  CB_LINES_CODE,   /* answered: a word, to which the rules apply; several are joined by blanks */
  CB_LINES_VALUE,  /* answered: the number that was set */
  CB_LINES_SERIAL, /* answered: a word */
  CB_LINES_ANY     /* answered: {*} */
} cb_lines_slot;

#define CB_LINES_TEXT 72
#define CB_LINES_PIECES 12
typedef struct cb_lines_text {
  char written[CB_LINES_TEXT]; /* as in the file; "": not given */
  char bytes[CB_LINES_TEXT];   /* its literals, one after the other */
  bool bare;                   /* it ended with \c: no line end follows */
  size_t n;
  struct {
    int slot, digits;  /* digits: after the point; of an address: at least so many */
    size_t from, size; /* a literal's place in `bytes` */
  } piece[CB_LINES_PIECES];
} cb_lines_text;

typedef enum cb_lines_meaning {
  CB_LINES_GOOD,    /* accept: the command was taken */
  CB_LINES_STOPPED, /* accept: a stop ended the motion */
  CB_LINES_REFUSED, /* accept */
  CB_LINES_IDLE,    /* state, reference: it stands, and knows where */
  CB_LINES_BUSY,    /* state */
  CB_LINES_UNHOMED, /* state, reference: it stands, and has no reference */
  CB_LINES_LIMIT,   /* state: it stands at a limit switch, as homing may */
  CB_LINES_FAULT    /* state */
} cb_lines_meaning;

#define CB_LINES_RULES 24
typedef struct cb_lines_rule {
  char code[24]; /* a shell's pattern: * ? [2-5] */
  int means;     /* cb_lines_meaning */
  char text[64]; /* for the sentence; may be "" */
} cb_lines_rule;

typedef struct cb_lines_question {
  cb_lines_text ask, reply;
  size_t n; /* rules; the first that fits counts. 0: any answer of this form does */
  cb_lines_rule rule[CB_LINES_RULES];
} cb_lines_question;

typedef struct cb_lines_command {
  cb_lines_text send;
  cb_lines_question check; /* with {value}: what was set is read back; ask.written "": it is not */
} cb_lines_command;

#define CB_LINES_COMMANDS 6
typedef struct cb_lines_commands {
  size_t n;
  cb_lines_command command[CB_LINES_COMMANDS];
} cb_lines_commands;

typedef enum cb_flow { CB_FLOW_NONE, CB_FLOW_XON_XOFF, CB_FLOW_RTS_CTS } cb_flow;

typedef struct cb_rig_lines {
  char device[64];                                               /* for sentences */
  char line_end[5];                                              /* "cr", "lf", "crlf": after what is sent */
  int flow, parity;                                              /* cb_flow, cb_parity */
  double unit_m, speed_unit_m_per_s, acceleration_unit_m_per_s2; /* SI of one unit of the device */
  double ask_period_s;                                           /* between two questions for the place */
  cb_lines_text stop;                                            /* no longer than 15 bytes with its end */
  cb_lines_question identity, accept, state, reference, position;
  cb_lines_question serial; /* asked where the rig file wants a serial number, and the identity has none */
  bool home_once;           /* a stage that knows its place goes to 0 instead */
  cb_lines_commands setup;  /* after opening */
  cb_lines_commands home, ready, move;
} cb_rig_lines;

#endif
