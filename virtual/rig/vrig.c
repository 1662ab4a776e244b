#define _GNU_SOURCE /* ppoll */
#include "vrig.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cb_time.h"
#include "vrig_bench.h"
#include "vrig_board.h"
#include "vrig_device.h"
#include "vrig_force.h"
#include "vrig_operator.h"
#include "vrig_port.h"
#include "vrig_fault_impl.h"

#define MOST_LINES_PER_WALL_S 1e5
#define MOST_LINES_UNDER_WAY 65536
#define SHORTEST_SLEEP_S 1e-3
#define LONGEST_SLEEP_S 50e-3
#define LONGEST_LAG_S \
  0.1 /* behind that, rig time stands still: no reply may come so late that the host gives up */
#define ROOM_FOR_HELD_LINES 4096

struct vrig {
  const cb_rig *rig;
  vrig_bench bench;
  const vrig_device *stage; /* its protocol ... */
  void *stage_device;       /* ... and its state; owned */
  vrig_force force;         /* unless force comes over the stage's port, or ... */
  vrig_board board;         /* ... from a Comedi board */
  vrig_port stage_port, force_port;
  uint64_t latency_steps;
  double began_s;                /* wall time of step 0 */
  int operator_in, operator_out; /* operator_in: -1 after its end */
  char order[256];               /* operator's line so far */
  size_t n_order;
  vrig_fault *faults; /* borrowed; NULL: none */
  cb_status (*ports_moved)(void *context, cb_err *err);
  void *context;
  double next_sample; /* the step of the next reading, in which the read-out's clock may run away */
};

cb_status vrig_open(const cb_rig *rig, vrig **out, cb_err *err) {
  cb_status st = CB_OK;
  *out = NULL;
  if (!rig->virt.present)
    return cb_fail(err, CB_E_ARG, "%s: no section 'virtual': this rig is real and cannot be played",
                   rig->path);
  double lines = rig->force.rate_Hz * rig->virt.time_scale,
         under_way = rig->force.rate_Hz * rig->virt.latency_s + ROOM_FOR_HELD_LINES;
  if (lines > MOST_LINES_PER_WALL_S)
    return cb_fail(err, CB_E_RANGE, "%s: rate_Hz x time_scale = %g lines per second: must be at most %g",
                   rig->path, lines, MOST_LINES_PER_WALL_S);
  vrig *v = calloc(1, sizeof *v);
  if (!v) return cb_no_memory(err, "the virtual rig");
  v->rig = rig;
  v->stage_port.fd = v->force_port.fd = -1;
  CB_GOTO(vrig_bench_init(&v->bench, rig, err));
  v->stage = vrig_device_of(rig);
  v->stage_device = calloc(1, v->stage->size);
  if (!v->stage_device) CB_GOTO(cb_no_memory(err, "the virtual stage"));
  v->stage->power_up(v->stage_device, rig, &v->bench.stage);
  vrig_force_init(&v->force, &rig->force, rig->virt.quantum);
  vrig_board_init(&v->board, rig);
  v->next_sample = (double)v->bench.steps_per_sample;
  v->latency_steps = (uint64_t)llround(rig->virt.latency_s / v->bench.step_s);
  CB_GOTO(vrig_port_open(&v->stage_port, 64, err));
  if (!v->stage->force)
    CB_GOTO(vrig_port_open(&v->force_port, (size_t)fmin(under_way, MOST_LINES_UNDER_WAY), err));
  *out = v;
done:
  if (st != CB_OK) vrig_close(v);
  return st;
}

void vrig_close(vrig *v) {
  if (!v) return;
  vrig_port_close(&v->stage_port);
  vrig_port_close(&v->force_port);
  free(v->stage_device);
  free(v);
}

const char *vrig_stage_port(const vrig *v) { return v->stage_port.name; }
const char *vrig_force_port(const vrig *v) {
  return v->stage->force ? v->stage_port.name : v->force_port.name;
}
unsigned long long vrig_lines_lost(const vrig *v) { return v->force_port.lost; }

/* ---- faults ---- */

void vrig_set_faults(vrig *v, vrig_fault *faults, cb_status (*ports_moved)(void *context, cb_err *err),
                     void *context) {
  v->faults = faults;
  v->ports_moved = ports_moved;
  v->context = context;
}

/* A line of an instrument goes on its way, with what happens to it there. */
static void send_line(vrig *v, vrig_wire wire, const char *line, size_t n) {
  vrig_port *p = wire == VRIG_WIRE_FORCE ? &v->force_port : &v->stage_port;
  uint64_t due = v->bench.step + v->latency_steps;
  vrig_fault_piece piece[2] = {{line, n, 0}, {line, 0, 0}};
  if (n == 0 || !p->host) return;
  if (v->faults) vrig_fault_send(v->faults, wire, vrig_bench_time_s(&v->bench), line, n, piece);
  for (int i = 0; i < 2; i++)
    if (piece[i].n > 0)
      vrig_port_send(p, due + (uint64_t)llround(piece[i].delay_s / v->bench.step_s), piece[i].text,
                     piece[i].n);
}

/* Pulls a port's cable or plugs it in again, as the script has it now. */
static cb_status move_plug(vrig *v, vrig_port *p, bool unplugged, cb_err *err) {
  if (unplugged == (p->fd < 0)) return CB_OK;
  if (unplugged)
    vrig_port_unplug(p);
  else
    CB_TRY(vrig_port_plug(p, err));
  return v->ports_moved ? v->ports_moved(v->context, err) : CB_OK;
}

/* Once per sample. Returns the rate of the read-out's clock over its nominal one. */
static double tick_faults(vrig *v) {
  const bool host[VRIG_N_WIRES] = {
      [VRIG_WIRE_FORCE] = v->force_port.host, [VRIG_WIRE_STAGE] = v->stage_port.host};
  double t_s = vrig_bench_time_s(&v->bench);
  vrig_fault_tick(v->faults, t_s, host);
  v->bench.extra_N = vrig_fault_overload(v->faults, t_s) * v->rig->force.overload_N;
  v->bench.next = vrig_fault_pull(v->faults, t_s, v->bench.n_pulls);
  return vrig_fault_clock(v->faults, t_s);
}

/* Once per turn of the loop. */
static cb_status play_faults(vrig *v, cb_err *err) {
  double t_s = vrig_bench_time_s(&v->bench);
  if (!v->faults) return CB_OK;
  if (!v->stage->force)
    CB_TRY(move_plug(v, &v->force_port, vrig_fault_unplugged(v->faults, VRIG_WIRE_FORCE, t_s), err));
  return move_plug(v, &v->stage_port, vrig_fault_unplugged(v->faults, VRIG_WIRE_STAGE, t_s), err);
}

/* ---- time ---- */

static double wall_of_step(const vrig *v, uint64_t step) {
  return v->began_s + (double)step * v->bench.step_s / v->rig->virt.time_scale;
}

static bool repeats(const vrig_bench *b) { return b->course.mishap.kind == VRIG_MISHAP_REPEATED; }

static bool has_board(const vrig *v) { return v->rig->force.driver == CB_FORCE_COMEDI; }

/* The read-out converts, and sends what it finds. */
static void take_sample(vrig *v) {
  char line[VRIG_FORCE_LINE_MAX];
  double rate = v->faults ? tick_faults(v) : 1;
  bool saturated;
  double reading = vrig_bench_reading(&v->bench, &saturated);
  if (v->faults) reading = vrig_fault_reading(v->faults, v->bench.n_pulls, repeats(&v->bench), reading);
  v->next_sample += (double)v->bench.steps_per_sample / rate;
  if (v->stage->force) {
    v->stage->reading(v->stage_device, reading);
    return;
  }
  size_t n = has_board(v) ? vrig_board_scan(&v->board, reading, v->bench.cart_m, line)
                          : vrig_force_sample(&v->force, reading, saturated, line);
  send_line(v, VRIG_WIRE_FORCE, line, n);
  /* After a long sleep more lines are made than can be under way. */
  vrig_port_load(&v->force_port, v->bench.step);
}

static void advance(vrig *v) {
  double now = cb_now_monotonic_s(), lag = now - wall_of_step(v, v->bench.step);
  if (lag > LONGEST_LAG_S) v->began_s += lag - LONGEST_LAG_S;
  while (wall_of_step(v, v->bench.step + 1) <= now) {
    vrig_bench_step(&v->bench);
    if ((double)v->bench.step >= v->next_sample) take_sample(v);
  }
  if (!v->stage->force) vrig_port_flush(&v->force_port, v->bench.step);
  vrig_port_flush(&v->stage_port, v->bench.step);
}

/* ---- what the ports bring ---- */

/* Line by line; cuts what is longer than a piece. */
static void say(vrig *v, const char *text, size_t n) {
  for (const char *end = text + n; text < end;) {
    const char *newline = v->stage->binary ? NULL : memchr(text, '\n', (size_t)(end - text));
    size_t part = (size_t)((newline ? newline + 1 : end) - text);
    if (part > VRIG_PORT_LINE_MAX) part = VRIG_PORT_LINE_MAX;
    send_line(v, VRIG_WIRE_STAGE, text, part);
    text += part;
  }
}

/* A fault inside the stage, or its end: somebody switches the stage off and on. */
static void suffer(vrig *v, double t_s, char reply[VRIG_DEVICE_REPLY_MAX]) {
  vrig_stage_fault fault;
  vrig_stage_event event = vrig_fault_of_stage(v->faults, t_s, &fault);
  if (event == VRIG_STAGE_FAULT) say(v, reply, v->stage->fault(v->stage_device, t_s, fault, reply));
  if (event != VRIG_STAGE_POWERED) return;
  double x, speed;
  vrig_stage_at(&v->bench.stage, t_s, &x, &speed);
  /* it stands there, whenever one asks */
  vrig_stage_init(&v->bench.stage, v->bench.stage.min_m, v->bench.stage.max_m, x);
  memset(v->stage_device, 0, v->stage->size);
  v->stage->power_up(v->stage_device, v->rig, &v->bench.stage);
}

/* An order that was sent lately, while this process was held up, must not take effect before it was sent: rig
 * time first goes on to when it was read. Else the stage would run ahead of the host's clock. */
static void serve_stage(vrig *v) {
  char bytes[256], reply[VRIG_DEVICE_REPLY_MAX];
  bool was_open = v->stage_port.host;
  size_t got = vrig_port_read(&v->stage_port, bytes, sizeof bytes);
  if (got > 0) advance(v);
  double t = vrig_bench_time_s(&v->bench);
  if (!was_open && v->stage_port.host && v->stage->opened)
    say(v, reply, v->stage->opened(v->stage_device, t, reply));
  while (got > 0) {
    for (size_t i = 0; i < got; i++) say(v, reply, v->stage->byte(v->stage_device, t, bytes[i], reply));
    got = vrig_port_read(&v->stage_port, bytes, sizeof bytes);
    if (got > 0) advance(v);
    t = vrig_bench_time_s(&v->bench);
  }
  if (v->faults) suffer(v, t, reply);
  if (v->stage->tick) say(v, reply, v->stage->tick(v->stage_device, t, reply));
}

static void serve_force(vrig *v) {
  char bytes[256], line[VRIG_FORCE_LINE_MAX];
  if (v->stage->force) return;
  for (size_t got; (got = vrig_port_read(&v->force_port, bytes, sizeof bytes)) > 0;)
    for (size_t i = 0; i < got; i++) {
      size_t n = has_board(v) ? vrig_board_byte(&v->board, bytes[i], line)
                              : vrig_force_byte(&v->force, bytes[i], line);
      send_line(v, VRIG_WIRE_FORCE, line, n);
    }
  if (!v->force_port.host) vrig_board_cancel(&v->board);
}

/* An operator who is gone gets no messages; the rig goes on. */
static void tell_operator(vrig *v, const char *answer) {
  for (size_t n = strlen(answer); n > 0;) {
    ssize_t put = write(v->operator_out, answer, n);
    if (put < 0 && errno != EINTR) return;
    if (put > 0) answer += put, n -= (size_t)put;
  }
}

static void take_order(vrig *v, char byte) {
  char answer[VRIG_OPERATOR_ANSWER_MAX];
  if (byte != '\n') {
    if (v->n_order < sizeof v->order - 1) v->order[v->n_order++] = byte;
    return;
  }
  v->order[v->n_order] = '\0';
  v->n_order = 0;
  vrig_operator_line(&v->bench, v->order, answer);
  tell_operator(v, answer);
}

static void serve_operator(vrig *v) {
  char bytes[256];
  ssize_t got = read(v->operator_in, bytes, sizeof bytes);
  for (ssize_t i = 0; i < got; i++) take_order(v, bytes[i]);
  if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) v->operator_in = -1;
}

/* Sleeps until something is due or the host or the operator speaks. */
static cb_status wait_for_work(vrig *v, cb_err *err) {
  uint64_t next = (uint64_t)ceil(v->next_sample);
  uint64_t force = vrig_port_next(&v->force_port), reply = vrig_port_next(&v->stage_port);
  double now = cb_now_monotonic_s(),
         sleep_s = fmax(wall_of_step(v, force < next ? force : next) - now, SHORTEST_SLEEP_S);
  /* A host waits for every reply: those leave on time. */
  if (reply != UINT64_MAX) sleep_s = fmin(sleep_s, wall_of_step(v, reply) - now);
  sleep_s = fmin(fmax(sleep_s, 0), LONGEST_SLEEP_S);
  struct timespec t = {.tv_nsec = (long)(sleep_s * 1e9)};
  /* A port that nobody has open reports a hang-up all the time: it is looked at when something else is
   * due. */
  struct pollfd ports[] = {{.fd = v->stage_port.host ? v->stage_port.fd : -1, .events = POLLIN},
                           {.fd = v->force_port.host ? v->force_port.fd : -1, .events = POLLIN},
                           {.fd = v->operator_in, .events = POLLIN}};
  if (ppoll(ports, 3, &t, NULL) < 0 && errno != EINTR)
    return cb_fail(err, CB_E_IO, "virtual rig: cannot wait for its ports: %s", strerror(errno));
  advance(v);
  if (ports[2].revents != 0) serve_operator(v);
  return CB_OK;
}

cb_status vrig_serve(vrig *v, int operator_in, int operator_out, const cb_stop *stop, cb_err *err) {
  v->operator_in = operator_in;
  v->operator_out = operator_out;
  v->began_s = cb_now_monotonic_s() - (double)v->bench.step * v->bench.step_s / v->rig->virt.time_scale;
  while (!cb_stop_wanted(stop)) {
    serve_stage(v);
    serve_force(v);
    CB_TRY(play_faults(v, err));
    CB_TRY(wait_for_work(v, err));
  }
  return CB_OK;
}
