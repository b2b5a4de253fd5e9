# SPDX-License-Identifier: MIT
"""A person in the lab: pages, head counts, a training that is run, saved and stopped; the lab is kept."""
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The cat sat on the mat.'
TRAINED = ('lab', '--train', '1,2,4,8,16', '--seeds', '2', '--steps', '40')
program = None


def names():
    return [each.name for each in driver.walk(program.frame) if each.name]


def wait_said(part, limit=30.0):
    try:
        driver.until('"%s" on the page' % part, lambda: any(part in name for name in names()), limit)
    except driver.Missed as missed:
        raise driver.Missed('%s; there is: %s' % (missed, ' | '.join(names())))


def button(name, under=None):
    return driver.until('button %s' % name, lambda: next(
        (each for role in ('push button', 'toggle button') for each in program.all(role, under)
         if each.name.replace('_', '') == name), None))


def pages():
    """By mouse and by keys; Explore is where it was."""
    program.keys('ctrl+2')
    program.wait_title('all heads')
    program.press(button('Lab'))
    program.press(button('Head count'))
    wait_said('The same for every h')
    program.press(button('Explore'))
    program.wait_title('all heads')
    program.keys('ctrl+7')
    wait_said('The same for every h')


def head_count():
    heads = program.find('spin button', 'Heads h')
    wait_said('256 / 8 = 32')
    program.set_value(heads, 7)
    wait_said('7 heads alike cannot make 256 numbers together')
    program.press(button('4 heads'))
    wait_said('256 / 4 = 64')
    assert heads.queryValue().currentValue == 4


def training():
    """What stands in the table is what the command line measures, to the digit."""
    program.press(button('Train and see'))
    program.set_value(program.find('spin button', 'Seeds'), 2)
    program.set_value(program.find('spin button', 'Steps'), 40)
    program.press(button('Train'))
    wait_said('The lowest loss was measured with ')
    button('Train')  # it is over
    for line in json.loads(driver.cli(*TRAINED))['summary']:
        loss = line['loss']
        wait_said('%.4f (%.4f – %.4f)' % (loss['mean'], loss['least'], loss['most']))


def saved():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'curves.csv')
        program.press(button('Save'))
        program.press(program.find('menu item', 'CSV'))
        chooser = program.window_named('Save what was measured')
        program.type(program.find('text', 'Name:', under=chooser), path)
        program.press(driver.until('button Save', lambda: next(
            (each for each in program.all('push button', chooser)
             if each.name.replace('_', '').startswith('Save')), None)))
        wait_said('Saved as ')
        with open(path, 'rb') as file:
            assert file.read() == driver.cli(*TRAINED, '--format', 'csv')


def stopped():
    program.set_value(program.find('spin button', 'Steps'), 4000)
    program.press(button('Train'))
    program.press(button('Stop'))
    wait_said('Stopped; what was measured until then is shown')
    button('Train')


def kept():
    """The next start opens the same page."""
    global program
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        with driver.Program('--new-instance', '--text', TEXT, env=env) as program:
            program.keys('ctrl+7')
            program.press(button('Train and see'))
            wait_said('Are more heads better?')
            status, output = program.terminate()
            assert status == 0, output
        with driver.Program('--new-instance', env=env) as program:
            wait_said('Are more heads better?')


with driver.Program('--text', TEXT) as program:
    sys.exit(tap.run([
        ('pages by mouse and keys', pages),
        ('head counts, and the nearest that can be', head_count),
        ('a training, as on the command line', training),
        ('its numbers as a file', saved),
        ('another one, stopped', stopped),
        ('the lab is kept', kept),
    ]))
