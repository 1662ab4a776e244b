"""Modbus RTU on a serial line, for a stage or a read-out of one's own (docs/reference/stage-modbus.md).

Messages as in MODBUS over Serial Line V1.02 and MODBUS Application Protocol V1.1b3 (modbus.org). The file stands
alone; it needs Linux and no package."""
from __future__ import annotations

import os
import select
import struct
import termios
import time

_EXCEPTIONS = {1: "no such function", 2: "no such register", 3: "no such value", 4: "device failure", 6: "device busy"}


def crc(message: bytes) -> bytes:
    c = 0xFFFF
    for byte in message:
        c ^= byte
        for _ in range(8):
            c = c >> 1 ^ 0xA001 * (c & 1)
    return struct.pack("<H", c)


class Line:
    """A device on a line of its own. A message without an answer is sent again: to read a register twice, or to write
    the same into it twice, must do no harm. OSError where nothing answers, or the device refuses."""

    tries = 3
    timeout_s = 0.1  # of one answer; all tries must fit into stage.reply_timeout_s

    def __init__(self, port: str, baud: int = 38400, address: int = 1, parity: str = "none"):
        """parity: none, even or odd; with none there is one stop bit."""
        self.port, self.address = port, address
        self._fd = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            _, _, _, _, _, _, cc = termios.tcgetattr(self._fd)
            cflag = termios.CS8 | termios.CREAD | termios.CLOCAL
            cflag |= {"none": 0, "even": termios.PARENB, "odd": termios.PARENB | termios.PARODD}[parity]
            speed = getattr(termios, f"B{baud}")
            termios.tcsetattr(self._fd, termios.TCSANOW, [0, 0, cflag, 0, speed, speed, cc])
        except termios.error as e:
            raise OSError(f"{port}: is no serial line: {e}") from e
        self._quiet_s = max(0.002, 40 / baud)  # 3.5 characters end a message

    def _take(self, n: int, until_s: float) -> bytes:
        got = b""
        while len(got) < n:
            if not select.select([self._fd], [], [], max(0.0, until_s - time.monotonic()))[0]:
                break
            some = os.read(self._fd, n - len(got))
            if not some:
                raise OSError(f"{self.port}: the line is gone")
            got += some
        return got

    def _settle(self, quiet_s: float) -> None:
        """Drops what is late, until nothing came for a while: an answer does not say what it answers."""
        while select.select([self._fd], [], [], quiet_s)[0] and os.read(self._fd, 256):
            pass

    def _ask(self, body: bytes, n: int) -> bytes:
        """n: bytes of the answer between function and sum. The sum tells a broken answer, its length another one's."""
        message = struct.pack("B", self.address) + body
        heard = b""
        for i in range(self.tries):
            self._settle(self.timeout_s / 2 if i else self._quiet_s)
            os.write(self._fd, message + crc(message))
            until_s = time.monotonic() + self.timeout_s
            heard = self._take(5, until_s)
            if len(heard) == 5 and heard[1] == body[0] | 0x80 and crc(heard[:3]) == heard[3:]:
                raise OSError(f"{self.port}: device {self.address} refuses function {body[0]}: "
                              f"{_EXCEPTIONS.get(heard[2], f'exception {heard[2]}')}")
            heard += self._take(n - 1, until_s)
            if len(heard) == n + 4 and heard[:2] == message[:2] and crc(heard[:-2]) == heard[-2:]:
                return heard[2:-2]
        raise OSError(f"{self.port}: no answer of device {self.address}"
                      + (f"; what came, {heard.hex(' ')}, is none" if heard else ""))

    def read(self, first: int, n: int) -> tuple[int, ...]:
        """n holding registers (function 3), each 0 to 65535."""
        answer = self._ask(struct.pack(">BHH", 3, first, n), 1 + 2 * n)
        return struct.unpack(f">{n}H", answer[1:])

    def write(self, first: int, words: bytes) -> None:
        """Holding registers from first on (function 16), as bytes: struct.pack(">i", ...) fills two."""
        head = struct.pack(">BHH", 16, first, len(words) // 2)
        if self._ask(head + struct.pack("B", len(words)) + words, 4) != head[1:]:
            raise OSError(f"{self.port}: device {self.address} wrote other registers than it was told")

    def coil(self, which: int, on: bool) -> None:
        """One coil (function 5)."""
        body = struct.pack(">BHH", 5, which, 0xFF00 if on else 0)
        if self._ask(body, 4) != body[1:]:
            raise OSError(f"{self.port}: device {self.address} set another coil than it was told")
