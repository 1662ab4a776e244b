"""A stage or a force read-out of one's own, as a program that clothbench starts (docs/reference/processes.md).

Subclass Stage or ReadOut, and call serve(). The file stands alone: a copy of it beside the program needs no package.
Standard output belongs to the protocol; print() goes to standard error. An exception in a method is printed there. It
refuses a command; in an answer to a question it ends the program, and the stop command of the rig file is run."""
from __future__ import annotations

import math
import os
import sys
import time
import traceback


class _Program:
    def _take_output(self) -> None:
        self._to = os.fdopen(os.dup(1), "w", buffering=1 << 16)
        os.dup2(2, 1)

    def _say(self, text: str) -> None:
        self._to.write(text)
        self._to.flush()


class Stage(_Program):
    """What a stage must do. Methods start a motion and return: stage.reply_timeout_s counts."""

    identity = "without a name"

    def position_mm(self) -> float:
        raise NotImplementedError

    def moving(self) -> bool:
        raise NotImplementedError

    def move(self, target_mm: float, speed_mm_per_s: float) -> None:
        """Starts a move that ends at its target, whether or not anybody asks again."""
        raise NotImplementedError

    def home(self) -> None:
        raise NotImplementedError

    def stop(self) -> None:
        """Stops at once; called at any moment, and when clothbench is gone."""
        raise NotImplementedError

    def _command(self, method, *arguments: float) -> str:
        try:
            method(*arguments)
            return "command ok\n"
        except Exception:
            traceback.print_exc()
            return "command refused\n"

    def _answer(self, words: list[str]) -> str:
        if words[0] == "stop":
            self.stop()
            return ""
        if words[0] == "hello":
            return f"stage {self.identity}\n"
        if words[0] == "state":
            return "state moving\n" if self.moving() else "state still\n"
        if words[0] == "position":
            return f"position {self.position_mm():.6f}\n"
        if words[0] == "home":
            return self._command(self.home)
        if words[0] == "move":
            return self._command(self.move, float(words[1]), float(words[2]))
        return "command refused\n"

    def serve(self) -> None:
        self._take_output()
        try:
            for line in sys.stdin:
                self._say(self._answer(line.split() or [""]))
        finally:
            self.stop()


class ReadOut(_Program):
    """What a read-out must do: read() returns the next reading in force.unit; math.inf is an overload.

    rate_Hz: read() is called so often. 0: as fast as it returns, for a device that has a clock of its own."""

    rate_Hz = 0.0

    def read(self) -> float:
        raise NotImplementedError

    def _text(self) -> str:
        value = self.read()
        return f"{math.copysign(9.9e37, value) if math.isinf(value) else value:.9g}\n"

    def serve(self) -> None:
        self._take_output()
        began, done = time.monotonic(), 0
        try:
            while True:
                due = int((time.monotonic() - began) * self.rate_Hz) if self.rate_Hz else done + 1
                self._say("".join(self._text() for _ in range(done, due)))
                done = due
                if self.rate_Hz:
                    time.sleep(min(0.002, 1 / self.rate_Hz))
        except ConnectionError:
            os._exit(0)  # clothbench is gone
