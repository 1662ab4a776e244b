/* Modbus RTU, as far as an indicator's registers are read: questions and answers as pure functions on bytes.
 * Source: Modbus application protocol V1.1b3 (sections 6.3, 6.4, 7) and Modbus over serial line V1.02
 * (sections 2.5.1, 6.2), modbus.org.
 *
 * An answer has no end mark but a silence. Its length follows from the question, and CRC-16 tells whether it
 * is whole. */
#ifndef DAQ_MODBUS_H
#define DAQ_MODBUS_H

#include <stddef.h>
#include <stdint.h>

#include "cb_rig.h"
#include "daq_line.h"

#define DAQ_MODBUS_QUESTION 8

typedef struct daq_modbus_question {
  int address, function, first; /* 3: holding registers, 4: input registers; first: as sent, from 0 */
  int count;                    /* of registers, 1 or 2 */
} daq_modbus_question;

typedef struct daq_modbus_answer {
  int address;       /* of the device that answers */
  int exception;     /* code of a refusal; 0: none */
  uint16_t value[2]; /* registers in their order; without exception */
} daq_modbus_answer;

void daq_modbus_ask(const daq_modbus_question *q, char out[DAQ_MODBUS_QUESTION]);

/* Parses the answer in n bytes, which begin with it (daq_parse). Invalid are a wrong sum, another function
 * and another length; then all bytes are used. */
daq_parse daq_modbus_parse(const char *bytes, size_t n, const daq_modbus_question *q, daq_modbus_answer *a,
                           size_t *used);

/* Returns how many registers a number takes, and the number; of a float NaN and infinity, too. */
int daq_modbus_width(int type);
double daq_modbus_number(int type, const uint16_t value[2]);

/* Returns the meaning of an exception code. */
const char *daq_modbus_exception(int code);

#endif
