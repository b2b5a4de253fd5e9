# SPDX-License-Identifier: MIT
"""A person drags files of another program over the window: it says that they can be dropped, and opens them."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

DROPPER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'dropper.py')
HINT = 'Drop to open'
place = tempfile.TemporaryDirectory()
program = None
window = None  # of the other program


def hint_shows():
    return any(driver.pyatspi.STATE_VISIBLE in each.getState().getStates()
               for each in program.all('label') if driver.text_of(each) == HINT)


def drag_over():
    """From the corner where the other program is to the middle of the picture, without letting go."""
    x, y, width, height = program.place(program.picture())
    left, top = program.place(program.frame)[:2]
    driver.xdotool('windowmove', '--sync', window, str(left), str(top + 200), 'windowraise', window)
    driver.xdotool('mousemove', str(left + 30), str(top + 230), 'mousedown', '1')
    for part in (0.2, 0.5, 0.9, 1):
        driver.xdotool('mousemove', str(int(left + 30 + part * (x + width // 2 - left - 30))),
                       str(int(top + 230 + part * (y + height // 2 - top - 230))), 'sleep', '0.1')
    return left, top


def away():
    """A text says nothing; a file that leaves the window takes the words with it."""
    assert not hint_shows()
    drag_over()
    driver.xdotool('mouseup', '1')  # the first thing that is dragged is a text
    program.wait_words('A dropped text.')
    left, top = drag_over()
    driver.until(HINT, hint_shows)
    driver.xdotool('mousemove', str(left + 30), str(top + 230), 'sleep', '0.2', 'mouseup', '1')
    driver.until('no ' + HINT, lambda: not hint_shows())
    assert 'One text of a file.' not in program.words()


def dropped():
    """What is let go of is opened, and the words are gone."""
    drag_over()  # a text again
    driver.xdotool('mouseup', '1')
    drag_over()
    driver.until(HINT, hint_shows)
    driver.xdotool('mouseup', '1')
    program.wait_words('One text of a file.')
    driver.until('no ' + HINT, lambda: not hint_shows())


file = os.path.join(place.name, 'a text.txt')
with open(file, 'w', encoding='utf-8') as opened:
    opened.write('One text of a file.\n')
other = subprocess.Popen(['/usr/bin/python3', '-B', DROPPER, file], stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    with driver.Program('--text', 'The cat sat.') as program:
        program.wait_title('Layer 1, head 1')
        window = driver.until('the other window', lambda: driver.xdotool(
            'search', '--onlyvisible', '--pid', str(other.pid)).split()[-1])
        status = tap.run([
            ('a file that is dragged over the window and away', away),
            ('a file that is dropped', dropped),
        ])
finally:
    other.kill()
    other.wait()
sys.exit(status)
