# SPDX-License-Identifier: MIT
"""A person sets the program up: preferences take effect at once and are there at the next start; texts
and models come back by Recent; a folder that is no model changes nothing."""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
MODEL = os.path.abspath(os.path.join(ROOT, 'tests', 'data', 'golden', 'models', 'bert-mlm'))
APP = 'io.github.headscope.Headscope'
STANDS = 3.0  # seconds a text has to stand before it is listed
surroundings = {}


def keyfile():
    path = os.path.join(surroundings['XDG_CONFIG_HOME'], 'glib-2.0', 'settings', 'keyfile')
    if not os.path.exists(path):
        return ''
    with open(path, encoding='utf-8') as file:
        return file.read()


def window_of(title):
    """Gives keys to a window of the program; there is no window manager that would."""
    identity = driver.until('%s on the screen' % title, lambda: (driver.xdotool(
        'search', '--onlyvisible', '--name', '^%s$' % title).split() or [None])[-1])
    driver.xdotool('windowfocus', '--sync', identity)
    return identity


def popups(program):
    return len(driver.xdotool('search', '--onlyvisible', '--pid', str(program.process.pid)).split())


def choose(program, title, key, place):
    """In a dialog: opens the list with this mnemonic and takes the entry at a place in it."""
    window_of(title)
    before = popups(program)
    driver.xdotool('key', '--clearmodifiers', 'alt+' + key)
    driver.until('list of alt+%s' % key, lambda: popups(program) > before)
    driver.xdotool('key', '--clearmodifiers', 'Home', *['Down'] * place, 'Return')
    driver.until('end of the list of alt+%s' % key, lambda: popups(program) == before)


def gone(program, title):
    driver.until('end of %s' % title, lambda: all(each.name != title for each in program.root))


def open_preferences(program):
    program.keys('ctrl+comma')
    return program.window_named('Preferences')


def written(part):
    """Waits for the settings' file; it is written a moment after the choice."""
    driver.until('%s in the settings' % part, lambda: part in keyfile())


def colors_and_theme():
    with driver.Program('--text', 'A cat.', env=surroundings) as program:
        program.wait_title('Layer 1')
        before = program.pixels(program.picture())
        open_preferences(program)
        choose(program, 'Preferences', 'c', 3)
        driver.until('other colours', lambda: program.pixels(program.picture()) != before)
        before = program.pixels(program.picture())
        choose(program, 'Preferences', 'a', 2)
        driver.until('a dark picture', lambda: program.pixels(program.picture()) != before)
        written("color-map='magma'")
        written("color-scheme='dark'")
        program.keys('ctrl+q')
        assert program.ended()[0] == 0
    with driver.Program(env=surroundings) as program:
        program.wait_title('Layer 1')
        corner = program.pixels()[:3 * 400]  # the header bar
        assert sum(corner) / len(corner) < 110, 'the window is not dark: %d' % (
            sum(corner) / len(corner))
        choose_back(program)


def choose_back(program):
    open_preferences(program)
    choose(program, 'Preferences', 'c', 0)
    choose(program, 'Preferences', 'a', 1)
    written("color-scheme='light'")
    driver.xdotool('key', 'Escape')
    gone(program, 'Preferences')


def text_size_and_threads():
    with driver.Program('--text', 'A cat.', env=surroundings) as program:
        program.wait_title('Layer 1')
        height = program.place(program.find('spin button', 'Layer'))[3]
        dialog = open_preferences(program)
        program.set_value(program.find('spin button', 'Text size (%)', dialog), 175)
        driver.until('larger letters', lambda: program.place(
            program.find('spin button', 'Layer'))[3] > height)
        program.set_value(program.find('spin button', 'Threads', dialog), 1)
        program.set_value(program.find('spin button', 'Longest text (tokens)', dialog), 8)
        written('text-scale=175')
        driver.xdotool('key', 'Escape')
        gone(program, 'Preferences')
        program.type(program.find('text', 'Text'), 'One two three four five six seven eight nine.')
        program.wait_words('left out')
        program.keys('ctrl+q')
        assert program.ended()[0] == 0
    with driver.Program(env=surroundings) as program:
        assert program.place(program.find('spin button', 'Layer'))[3] > height
        dialog = open_preferences(program)
        for name, value in (('Text size (%)', 175), ('Threads', 1), ('Longest text (tokens)', 8)):
            found = program.find('spin button', name, dialog).queryValue().currentValue
            assert found == value, '%s: %g' % (name, found)
        program.set_value(program.find('spin button', 'Text size (%)', dialog), 100)
        program.set_value(program.find('spin button', 'Longest text (tokens)', dialog), 512)
        driver.until('settings as they were', lambda: 'text-scale=175' not in keyfile() and
                     'max-tokens=8\n' not in keyfile())


def desktop_font():
    """Pictures have the desktop's letters, and the command that makes them again names these."""
    path = os.path.join(surroundings['XDG_CONFIG_HOME'], 'gtk-4.0', 'settings.ini')
    with open(path, encoding='utf-8') as file:
        before = file.read()
    with open(path, 'w', encoding='utf-8') as file:
        file.write(before.replace('DejaVu Sans 10', 'DejaVu Serif Bold 14'))
    try:
        with driver.Program('--text', 'A cat.', env=surroundings) as program:
            program.wait_title('Layer 1')
            program.keys('ctrl+e')
            dialog = program.window_named('Export')
            program.press(driver.until('button', lambda: next((
                each for each in program.all('push button', dialog)
                if each.name.replace('_', '').startswith('Copy as command')), None)))
            words = shlex.split(driver.until('command in the clipboard', lambda: next(
                (text for text in [program.clipboard()] if 'render' in text), None)))
            assert words[words.index('--font') + 1] == 'DejaVu Serif', words
    finally:
        with open(path, 'w', encoding='utf-8') as file:
            file.write(before)


def language():
    with driver.Program('--text', 'A cat.', env=surroundings) as program:
        program.wait_title('Layer 1')
        open_preferences(program)
        choose(program, 'Preferences', 'l', 2)
        driver.until('a Chinese window', lambda: any(
            '注意力' in each.name for each in driver.walk(program.root)
            if each.getRoleName() == 'image'))
        written("language='zh_TW'")
        status, output = program.terminate()
        assert status == 0 and output.strip() == '', output
    with driver.Program(env=surroundings) as program:
        driver.until('a Chinese window', lambda: any(
            '注意力' in each.name for each in driver.walk(program.root)
            if each.getRoleName() == 'image'))
        program.keys('ctrl+comma')
        title = driver.until('preferences', lambda: next(
            (each.name for each in program.root if each.getRoleName() != 'frame' or
             each.name != program.frame.name), None))
        choose(program, title, 'l', 1)
        program.window_named('Preferences')
        written("language='en'")


def recent():
    """What stood for a while is listed, also at the next start, and Ctrl+Z brings the one before."""
    with driver.Program('--text', 'It stood for a while.', env=surroundings) as program:
        program.wait_title('Layer 1')
        driver.until('the text in the list', lambda: 'It stood for a while.' in keyfile(),
                     STANDS + 5)
        program.type(program.find('text', 'Text'), 'Another.')
        program.keys('ctrl+q')
        assert program.ended()[0] == 0
    with driver.Program(env=surroundings) as program:
        field = program.find('text', 'Text')
        assert driver.text_of(field) == 'Another.'
        before = popups(program)
        program.keys('alt+r')
        driver.until('menu of recent texts', lambda: popups(program) > before)
        driver.until('recent text in the menu', lambda: any(
            each.name == 'It stood for a while.' and each.getRoleName() != 'text'
            for each in driver.walk(program.root)))
        driver.xdotool('key', 'Return')
        driver.until('recent text in the field',
                     lambda: driver.text_of(field) == 'It stood for a while.')
        program.keys('ctrl+z')
        driver.until('the text before', lambda: driver.text_of(field) == 'Another.')
        program.keys('ctrl+shift+z')
        driver.until('the recent text', lambda: driver.text_of(field) == 'It stood for a while.')


def open_model(program, folder):
    program.keys('ctrl+shift+o')
    program.window_named('Open model folder')
    window_of('Open model folder')
    driver.xdotool('type', '--clearmodifiers', folder)
    driver.xdotool('key', 'Return')


def shows_model(program, name):
    return any(name in each.name for each in driver.walk(program.frame)
               if each.getRoleName() == 'label')


def models():
    """A folder that is a model is opened and kept; one that is none changes nothing."""
    with tempfile.TemporaryDirectory() as place:
        state = os.path.join(place, 'state')
        bad = os.path.join(place, 'nomodel')
        good = os.path.join(place, 'mymodel')
        os.mkdir(bad)
        shutil.copytree(MODEL, good)
        env = dict(surroundings, XDG_STATE_HOME=state)
        with driver.Program('--text', 'A cat.', env=env) as program:
            program.wait_title('Layer 1')
            open_model(program, good)
            program.wait_words('mymodel')
            open_model(program, bad)
            driver.until('sentence about the folder', lambda: any(
                bad in driver.text_of(each) for each in driver.walk(program.root)
                if each.getRoleName() == 'label'))
            window_of('Open model folder')
            driver.xdotool('key', 'Escape')
            program.wait_title('Layer 1')
            program.wait_words('mymodel')
            program.type(program.find('text', 'Text'), 'Typed later.')
            written('mymodel')
            program.keys('ctrl+q')
            assert program.ended()[0] == 0
        assert bad not in keyfile(), 'a folder that is no model is listed'
        with driver.Program(env=env) as program:
            program.wait_words('mymodel')


def about():
    """What a bug report needs, copied by one button: the facts the command line tells, and no path."""
    with driver.Program('--text', 'A secret.', env=surroundings) as program:
        program.wait_title('Layer 1')
        subprocess.run(['gdbus', 'call', '--session', '--dest', APP, '--object-path',
                        '/' + APP.replace('.', '/'), '--method', 'org.gtk.Actions.Activate',
                        'about', '[]', '{}'], check=True, stdout=subprocess.DEVNULL)
        window = program.window_named('About Headscope')
        program.press(program.find('push button', 'Copy', window))
        text = driver.until('facts in the clipboard', lambda: next(
            (each for each in [program.clipboard()] if 'openblas:' in each), None))
    answer = json.loads(driver.cli('info', '--diagnostics', '--threads', '1'))  # as chosen above
    for name in ('program', 'system', 'kernel', 'openblas', 'threads', 'glib', 'cairo', 'pango',
                 'model'):
        line = '%s: %s' % (name, answer['diagnostics'][name])
        assert line in text.splitlines(), '%s is not in\n%s' % (line, text)
    for family in answer['parity']:
        assert any(line.startswith(family['family'] + ' ') for line in text.splitlines()), family
    for word in ('A secret', os.environ['HOME'], ROOT, os.path.abspath(ROOT)):
        assert word not in text, '%s is in\n%s' % (word, text)


with tempfile.TemporaryDirectory() as config:
    shutil.copytree(os.environ['XDG_CONFIG_HOME'], config, dirs_exist_ok=True)
    kept = os.path.join(config, 'state')
    surroundings.update(XDG_CONFIG_HOME=config, GSETTINGS_BACKEND='keyfile', XDG_STATE_HOME=kept)
    surroundings['GTK_THEME'] = ''
    status = tap.run([
        ('colour map and theme: at once, and kept', colors_and_theme),
        ('text size, threads, longest text: at once, and kept', text_size_and_threads),
        ('the letters of the desktop, in pictures, too', desktop_font),
        ('language: at once, and kept', language),
        ('recent texts, and undo', recent),
        ('about, copied', about),
        ('opening a model, and a folder that is none', models),
    ])
sys.exit(status)
