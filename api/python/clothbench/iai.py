"""IAI ROBO Cylinder (PCON, ACON, SCON, ERC2, ERC3) as a stage, over Modbus RTU (docs/reference/stage-modbus.md).

    python3 -m clothbench.iai PORT [AXIS [BAUD]]

AXIS: that of the controller's switch, 0 to 15. Addresses and bits: IAI, Serial Communication [Modbus Version],
Operation Manual, chapters 4 and 5."""
from __future__ import annotations

import struct
import sys
import time

from clothbench.bench import Stage
from clothbench.modbus import Line

# Coils
SERVO, RESET_ALARM, HOME, MODBUS, STOP = 0x0403, 0x0407, 0x040B, 0x0427, 0x042C
# Registers: position (2), alarm, inputs, outputs, status 1, status 2, status 3
STATE, TARGET = 0x9000, 0x9900
# Bits of status 1 and 3
EMERGENCY, SERVO_IS_ON, ALARM, HOMED = 1 << 15, 1 << 12, 1 << 10, 1 << 4
MOVES = 1 << 5

BAND_MM = 0.01
ACCELERATION_G = 0.05
SERVO_DELAY_S = 0.4
START_S = 0.1  # from a command until the controller says that it moves


class Iai(Stage):
    def __init__(self, line: Line):
        self.line, self.identity = line, f"IAI, axis {line.address - 1}"
        self.was_homed = self.homes = False
        self.starts_until_s = 0.0

    def _state(self) -> tuple[float, bool, int]:
        """Position, whether it moves, status 1. What ends the program is the controller's alarm or stop."""
        word = self.line.read(STATE, 8)
        if word[5] & EMERGENCY:
            raise OSError(f"{self.identity}: emergency stop, or motor power is off")
        if word[5] & ALARM:
            raise OSError(f"{self.identity}: alarm {word[2]:03X}h (the controller's manual lists it)")
        if self.was_homed and not word[5] & HOMED:
            raise OSError(f"{self.identity}: lost its reference")
        return struct.unpack(">i", struct.pack(">2H", *word[:2]))[0] / 100, bool(word[7] & MOVES), word[5]

    def position_mm(self) -> float:
        return self._state()[0]

    def moving(self) -> bool:
        starts = time.monotonic() < self.starts_until_s
        _, moves, status = self._state()
        self.homes = self.homes and not status & HOMED
        return starts or moves or self.homes

    def _switch_on(self) -> int:
        self.line.coil(MODBUS, True)
        self.line.coil(SERVO, True)
        until_s = time.monotonic() + SERVO_DELAY_S
        while not (status := self._state()[2]) & SERVO_IS_ON:
            if time.monotonic() > until_s:
                raise OSError(f"{self.identity}: its servo does not come on")
        return status

    def _began(self, homes: bool) -> None:
        self.homes, self.starts_until_s = homes, time.monotonic() + START_S

    def home(self) -> None:
        self._switch_on()
        self.was_homed = False
        self.line.coil(HOME, False)  # the edge counts
        self.line.coil(HOME, True)
        self._began(homes=True)

    def move(self, target_mm: float, speed_mm_per_s: float) -> None:
        if not self._switch_on() & HOMED:
            raise OSError(f"{self.identity}: has no reference; home it first")
        self.was_homed = True
        units = (round(x * 100) for x in (target_mm, BAND_MM, speed_mm_per_s))
        self.line.write(TARGET, struct.pack(">iii3H", *units, round(ACCELERATION_G * 100), 0, 0))
        self._began(homes=False)

    def stop(self) -> None:
        self.homes = False
        self.line.coil(STOP, True)


if __name__ == "__main__":
    port, axis, baud, *_ = [*sys.argv[1:], *["0", "38400"][len(sys.argv) - 2:]]
    Iai(Line(port, int(baud), int(axis) + 1)).serve()
