# SPDX-License-Identifier: MIT
"""A person goes through the steps of attention: by buttons, by keys, by mouse; and takes a figure along."""
import os
import shlex
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = "The animal didn't cross the street because it was too tired."
program = None


def figure():
    return driver.until('the figure', lambda: next(
        (each for each in driver.walk(program.frame) if each.name == 'The steps of attention'), None))


def wait_told(part):
    try:
        driver.until('the figure tells "%s"' % part, lambda: part in figure().description)
    except driver.Missed as missed:
        raise driver.Missed('%s; it tells: %s' % (missed, figure().description))


def button(name):
    return driver.until('button %s' % name, lambda: next(
        (each for role in ('push button', 'toggle button') for each in program.all(role)
         if each.name.replace('_', '') == name), None))


def opened():
    program.keys('ctrl+7')
    program.press(button('Pipeline'))
    wait_told('Layer 3, head ')  # of four, the middle one; nobody has chosen
    wait_told('what comes in')


def stepped():
    program.press(button('Next step'))
    wait_told('queries, keys and values')
    program.press(button('The step before'))
    wait_told('what comes in')


def click(x, y):
    """So many pixels from the figure's corner."""
    _, _, width, height = program.place(figure())
    program.point(figure(), x / width, y / height, click=1)


def by_keys():
    """Arrows go from step to step; with a number picked, from number to number."""
    click(9, 9)  # on nothing
    program.keys('Right', 'Right', 'Right')
    wait_told('scaled scores')
    wait_told(': score ')
    program.keys('Return', 'Home')
    wait_told('→ “[CLS]”: score')
    program.keys('Right')
    wait_told('→ “the · 1”: score')
    program.keys('Escape', 'Right')
    wait_told('softmax')


def by_mouse():
    """A click on the first picture, of what comes in, picks one of its numbers and its row."""
    program.keys('Home')
    wait_told('what comes in')
    wait_told('X, row “')
    click(60, 185)
    wait_told('X, row “')
    row = figure().description.split('“')[1].split('”')[0]
    driver.until('the row in the status line', lambda: any(
        each.name.startswith('the row of') and row in each.name for each in driver.walk(program.frame)))
    program.point(button('Play'))
    driver.until('what is picked', lambda: any(
        each.name.startswith('a number of') and row in each.name for each in driver.walk(program.frame)))


def taken_along():
    """The command that is copied makes a file."""
    program.press(button('Save'))
    program.press(program.find('menu item', 'Copy as command'))
    driver.until('the command', lambda: (program.clipboard() or '').startswith('headscope-cli lab '))
    words = shlex.split(program.clipboard())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, words[-1])
        driver.cli(*words[1:-1], path)
        with open(path, 'rb') as file:
            assert file.read(4) == b'\x89PNG'


with driver.Program('--text', TEXT) as program:
    sys.exit(tap.run([
        ('the steps are there', opened),
        ('from step to step by buttons', stepped),
        ('steps and numbers by keys', by_keys),
        ('numbers by mouse', by_mouse),
        ('the figure as a command', taken_along),
    ]))
