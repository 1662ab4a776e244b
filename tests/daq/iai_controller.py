"""iai_controller.py LINK [MISHAPS [SEED]]: an IAI controller on a pty that LINK leads to, with what may go wrong.

Knows the messages of the manual and nothing of the driver: its sum is made from the other end of the polynomial.
MISHAPS: so many answers in 1000 come late, broken, twice, from another device, or not at all. Standard input:
`alarm 5`, `power 5`, `unplug 5`: what happens once it has passed 5 mm. Writes what moves and stops it to standard output, with the number of mishaps."""
import os
import random
import select
import struct
import sys
import time
import tty

link, mishaps, seed = sys.argv[1], int([*sys.argv, "0"][2]), int([*sys.argv, "0", "1"][3])
chance = random.Random(seed)
SPEED_OF_HOMING = 40.0


def flip(x, bits):
    return int(f"{x:0{bits}b}"[::-1], 2)


def crc(message):
    c = 0xFFFF
    for byte in message:
        c ^= flip(byte, 8) << 8
        for _ in range(8):
            c = (c << 1 ^ 0x8005 if c & 0x8000 else c << 1) & 0xFFFF
    return struct.pack("<H", flip(c, 16))


class Axis:
    def __init__(self):
        self.at, self.to, self.speed, self.since = 4.0, 4.0, 0.0, time.monotonic()
        self.servo = self.homed = self.homes = self.modbus = self.home_coil = False
        self.alarm = 0
        self.target = [0] * 9
        self.n_mishaps = 0

    def place(self):
        way, gone = self.to - self.at, self.speed * (time.monotonic() - self.since)
        return self.to if gone >= abs(way) else self.at + (gone if way > 0 else -gone)

    def go(self, to, speed):
        self.at, self.since = self.place(), time.monotonic()
        self.to, self.speed = to, speed
        print(f"to {to:.2f} at {speed:g}", flush=True)

    def halt(self):
        self.at = self.to = self.place()
        print(f"stops at {self.at:.2f}; {self.n_mishaps} mishaps", flush=True)

    def registers(self):
        moves = self.place() != self.to
        if self.homes and not moves:
            self.homes, self.homed = False, True
        status = self.servo << 12 | (self.alarm > 0) << 10 | self.homed << 4 | (self.homed and not moves) << 3 | 1 << 13
        place = struct.unpack(">2H", struct.pack(">i", round(self.place() * 100)))
        return [*place, self.alarm, 0, 0, status, 0x8000, moves << 5 | self.modbus << 8]

    def coil(self, which, on):
        if which == 0x403:
            self.servo = on
        elif which == 0x427:
            self.modbus = on
        elif which == 0x42C and on:
            self.homes = False
            self.halt()
        elif which == 0x40B:
            if on and not self.home_coil and self.servo and self.modbus:
                self.homes, self.homed = True, False
                self.go(0.0, SPEED_OF_HOMING)
            self.home_coil = on
        elif which != 0x407:
            return False
        return True

    def write(self, first, words):
        if not 0x9900 <= first < 0x9900 + len(words) <= 0x9909:
            return False
        self.target[first - 0x9900:first - 0x9900 + len(words)] = words
        if first == 0x9900 and self.servo and self.homed and self.modbus:
            place, _, speed = struct.unpack(">iii", struct.pack(">6H", *self.target[:6]))
            self.go(place / 100, speed / 100)
        return True

    def answer(self, ask):
        function, first, n = struct.unpack(">BHH", ask[1:6])
        wrong = lambda code: bytes([ask[0], function | 0x80, code])
        if function == 3:
            words = {0x9000 + i: w for i, w in enumerate(self.registers())}
            if any(first + i not in words for i in range(n)):
                return wrong(2)
            return ask[:2] + bytes([2 * n]) + b"".join(struct.pack(">H", words[first + i]) for i in range(n))
        if function == 5:
            return ask[:6] if n in (0, 0xFF00) and self.coil(first, n > 0) else wrong(2)
        if function == 16:
            return ask[:6] if self.write(first, list(struct.unpack(f">{n}H", ask[7:7 + 2 * n]))) else wrong(2)
        return wrong(1)


def spoil(axis, answer):
    """What is sent, and how much later."""
    if chance.randrange(1000) >= mishaps:
        return answer, 0.0
    axis.n_mishaps += 1
    kind = chance.randrange(6)
    at = chance.randrange(len(answer))
    if kind == 0:
        return b"", 0.0
    if kind == 1:
        return answer[:at] + bytes([answer[at] ^ 1 << chance.randrange(8)]) + answer[at + 1:], 0.0
    if kind == 2:
        return answer[:at], 0.0
    if kind == 3:
        return bytes([chance.randrange(256)]) + answer, 0.0
    if kind == 4:
        return (b"\x02" + answer[1:-2]) + crc(b"\x02" + answer[1:-2]), 0.0
    return answer, 0.13


def main():
    master, slave = os.openpty()
    tty.setraw(slave)
    os.set_blocking(master, False)
    if os.path.lexists(link):
        os.remove(link)
    os.symlink(os.ttyname(slave), link)
    axis, heard, last, to_come = Axis(), b"", 0.0, None
    print("ready", flush=True)
    while True:
        ready = select.select([master, 0], [], [])[0]
        if 0 in ready:
            words = os.read(0, 64).decode().split()
            if len(words) < 2:
                return
            to_come = words[0], float(words[1])
        if to_come and axis.place() > to_come[1]:
            if to_come[0] == "unplug":
                return
            axis.alarm = 0xC0 if to_come[0] == "alarm" else 0
            axis.servo = axis.homed = False
            axis.halt()
            to_come = None
        if master in ready:
            now = time.monotonic()
            heard = (heard if now < last + 0.02 else b"") + os.read(master, 256)
            last = now
            size = 9 + heard[6] if len(heard) > 6 and heard[1] == 16 else 8
            if len(heard) < size or crc(heard[:size - 2]) != heard[size - 2:size]:
                continue
            ask, heard = heard[:size], heard[size:]
            if ask[0] != 1:
                continue
            body = axis.answer(ask)
            sent, late_s = spoil(axis, body + crc(body))
            time.sleep(late_s)
            os.write(master, sent)


main()
