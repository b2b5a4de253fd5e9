#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes README's pictures from the real program: resources/screenshot.png and screenshot-dark.png,
and lab.png by the line that stands below it there.

Usage: tests/gui-env.sh tests/tools/make-screenshot.py BUILD [FOLDER]"""
import os
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'e2e'))
import driver  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDER = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, 'resources')
TEXT = 'The old man saw the boy, and the boy saw the old man.'
CHINESE = '小貓追著自己的尾巴跑，因為牠覺得很好玩。'
CELL = (0.288, 0.644)  # where the pointer rests, in parts of the picture: from "boy" to "man"
OUTSIDE = (0.5, 0.97)


def keep(program, name):
    """256 colours are enough for it, and a third of the bytes."""
    path = os.path.join(FOLDER, name)
    subprocess.run(['import', '-window', program.id, '-strip', '-dither', 'None', '-colors', '256',
                    'PNG8:' + path], check=True)
    print(path)


def light():
    with driver.Program('--text', TEXT) as program:
        program.set_value(program.find('spin button', 'Layer'), 3)
        program.wait_title('Layer 3')
        program.wait_words('token')
        program.point(program.picture(), *CELL, click=1)
        program.wait_words('→')
        keep(program, 'screenshot.png')


def dark():
    env = {'LANGUAGE': 'zh_TW', 'GTK_THEME': 'Adwaita:dark'}
    with driver.Program('--text', CHINESE, env=env) as program:
        program.keys('ctrl+3')
        picture = driver.until('all layers', lambda: next(
            (each for each in program.all('image') if '所有層' in each.name), None))
        program.point(picture, *OUTSIDE)
        driver.until('maps', lambda: len(set(program.pixels(picture))) > 100)
        keep(program, 'screenshot-dark.png')


def lab():
    """The line itself, in the folder of the pictures."""
    readme = open(os.path.join(ROOT, 'README.md'), encoding='utf-8').read()
    line = next(line for line in readme.splitlines() if line.endswith(' --figure lab.png'))
    words = shlex.split(line)
    words[0] = os.path.abspath(os.path.join(sys.argv[1], 'src', 'cli', 'headscope-cli'))
    subprocess.run(words, check=True, cwd=FOLDER)
    path = os.path.join(FOLDER, 'lab.png')
    subprocess.run(['convert', path, '-strip', '-dither', 'None', '-colors', '256', 'PNG8:' + path],
                   check=True)
    print(path)


light()
dark()
lab()
