#include "vrig_fault_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MOST_GARBAGE 16

/* From `low` to `high`, both included. */
static size_t pick(cb_rng *rng, size_t low, size_t high) {
  size_t i = low + (size_t)(cb_rng_uniform(rng) * (double)(high - low + 1));
  return i < high ? i : high;
}

static void append(vrig_fault_line *out, const char *bytes, size_t n) {
  if (out->n + n > sizeof out->text) return;
  memcpy(out->text + out->n, bytes, n);
  out->n += n;
}

/* Bytes before the line end. */
static size_t content_of(const char *line, size_t n) {
  while (n > 0 && (line[n - 1] == '\r' || line[n - 1] == '\n')) n--;
  return n;
}

static void lose_byte(vrig_fault_line *out, size_t content, cb_rng *rng) {
  size_t i = pick(rng, 0, content - 1);
  memmove(out->text + i, out->text + i + 1, --out->n - i);
}

static void flip_bit(vrig_fault_line *out, size_t content, cb_rng *rng) {
  char *c = &out->text[pick(rng, 0, content - 1)];
  *c = (char)((unsigned char)*c ^ (1u << pick(rng, 0, 7)));
}

/* Any byte but a line end: that comes after the garbage, or not. */
static void put_garbage(vrig_fault_line *out, const char *line, size_t n, cb_rng *rng) {
  size_t garbage = pick(rng, 1, MOST_GARBAGE);
  for (out->n = 0; out->n < garbage;) {
    char c = (char)pick(rng, 0, 255);
    if (c != '\r' && c != '\n') append(out, &c, 1);
  }
  if (cb_rng_uniform(rng) < 0.5) append(out, "\r\n", 2);
  append(out, line, n);
}

/* The last number of the line becomes none. */
static void put_no_number(vrig_fault_line *out, const char *line, size_t n, cb_rng *rng) {
  static const char *const words[] = {"nan", "NaN", "inf", "-inf", "1e999"};
  const char *word = words[pick(rng, 0, sizeof words / sizeof words[0] - 1)];
  size_t end = content_of(line, n), begin;
  while (end > 0 && !isdigit((unsigned char)line[end - 1])) end--;
  for (begin = end; begin > 0 && line[begin - 1] && strchr("0123456789.+-", line[begin - 1]);) begin--;
  out->n = 0;
  append(out, line, begin);
  append(out, word, strlen(word));
  append(out, line + end, n - end);
}

/* "@01 0 07 OK ..." as device 02 says it; the sum at its end, where there is one, is right again (the bytes
 * between marker and colon and the sum add up to 0 modulo 256). Other protocols' replies begin with the
 * address. */
static void readdress(char *line, size_t n) {
  size_t i = 0;
  while (i < n && !isdigit((unsigned char)line[i])) i++;
  if (i + 1 < n && isdigit((unsigned char)line[i + 1])) i++;
  if (i < n) line[i] = line[i] == '9' ? '1' : (char)(line[i] + 1);
  size_t content = content_of(line, n);
  if (content < 4 || line[0] != '@' || line[content - 3] != ':') return;
  unsigned sum = 0;
  char digits[3];
  for (i = 1; i < content - 3; i++) sum += (unsigned char)line[i];
  (void)snprintf(digits, sizeof digits, "%02X", (0u - sum) & 0xFFu);
  memcpy(line + content - 2, digits, 2);
}

void vrig_fault_line_spoil(vrig_fault_kind kind, cb_rng *rng, const char *line, size_t n,
                           const vrig_fault_line *before, vrig_fault_line *out) {
  size_t content = content_of(line, n);
  *out = (vrig_fault_line){0};
  append(out, line, n);
  if (content < 2 || 2 * n + MOST_GARBAGE + 2 > sizeof out->text) return;
  switch (kind) {
    case VRIG_FAULT_TORN: out->n = pick(rng, 1, content - 1); break;
    case VRIG_FAULT_LOST_BYTE: lose_byte(out, content, rng); break;
    case VRIG_FAULT_FLIPPED_BIT: flip_bit(out, content, rng); break;
    case VRIG_FAULT_GARBAGE: put_garbage(out, line, n, rng); break;
    case VRIG_FAULT_NOT_A_NUMBER: put_no_number(out, line, n, rng); break;
    case VRIG_FAULT_DOUBLED: append(out, line, n); break;
    case VRIG_FAULT_DROPPED:
    case VRIG_FAULT_SILENCE: out->n = 0; break;
    case VRIG_FAULT_PIECES: out->cut = pick(rng, 1, n - 1); break;
    case VRIG_FAULT_STALE:
      if (before->n > 0) *out = *before;
      break;
    case VRIG_FAULT_FOREIGN:
      readdress(out->text, n);
      append(out, line, n);
      break;
    default: break;
  }
}
