#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes resources/screenshot.png from the real program.

Usage: tests/gui-env.sh tests/tools/make-screenshot.py BUILD [FILE]"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import driver  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TEXT = 'The old man saw the boy, and the boy saw the old man.'
LAYER, HEAD = 3, 1
CELL = (0.324, 0.65)  # where the pointer rests, in parts of the picture: from "boy" to "man"

target = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, 'resources', 'screenshot.png')
with driver.Program() as program:
    program.type(program.find('text', 'Text'), TEXT)
    program.set_value(program.find('spin button', 'Layer'), LAYER)
    program.set_value(program.find('spin button', 'Head'), HEAD)
    program.wait_words('token')
    program.point(program.picture(), *CELL, click=1)
    program.wait_words('→')
    subprocess.run(['import', '-window', program.id, '-strip', target], check=True)
print(target)
