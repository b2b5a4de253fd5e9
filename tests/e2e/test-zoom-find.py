# SPDX-License-Identifier: MIT
"""A person looks closer: zooms by keys and wheel, moves over the map, finds tokens, changes the colours' scale."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man slept on the grass. The boy saw the old grass.'
program = None


def tokens():
    return json.loads(driver.cli('tokenize', '--text', TEXT))['tokens']


def status():
    """The line at the bottom; the count of matches is a status, too."""
    return driver.text_of(program.all('status bar')[-1])


def zoom_button():
    """What says how far one has zoomed in; None while all of the map is shown."""
    return next((each for each in program.all('push button') if 'Show all' in each.name), None)


def factor():
    button = zoom_button()
    return float(re.match(r'[0-9.]+', button.name).group()) if button else 1.0


def whole_map():
    program.keys('ctrl+0')
    driver.until('all of the map', lambda: factor() == 1)


def command():
    """The options of the line that makes the picture again, by name."""
    program.point(program.find('push button', 'Main menu'), click=1)
    program.press(program.find('menu item', 'Copy as command', program.root))
    line = driver.until('command in the clipboard', lambda: next(
        (text for text in [program.clipboard()] if text.startswith('headscope-cli render')), None))
    return line


def keys_zoom():
    driver.until('picture', program.picture)
    before = program.pixels(program.picture())
    program.keys('ctrl+plus')
    driver.until('zoomed', lambda: factor() > 1)
    driver.until('another picture', lambda: program.pixels(program.picture()) != before)
    once = factor()
    program.keys('ctrl+plus', 'ctrl+plus')
    driver.until('zoomed further', lambda: factor() > once)
    program.keys('ctrl+minus')
    driver.until('zoomed less', lambda: 1 < factor())
    line = command()
    assert re.search(r' --crop \d+:\d+,\d+:\d+ ', line), line
    for _ in range(20):
        program.keys('ctrl+plus')
    driver.until('one cell', lambda: factor() == len(tokens()))
    whole_map()
    driver.until('the picture of before', lambda: program.pixels(program.picture()) == before)
    program.keys('ctrl+plus')
    driver.until('a way back', zoom_button)
    program.press(zoom_button())
    driver.until('all of the map', lambda: factor() == 1)


def cell():
    found = re.search(r'query “(.*?)” → key “(.*?)”', status())
    return found.groups() if found else None


def wheel_and_drag():
    """The cell under the pointer stays; a drag takes it along; a click pins it."""
    program.point(program.picture(), 0.45, 0.5)
    pointed = driver.until('a cell', cell)
    driver.xdotool('keydown', 'ctrl')
    driver.xdotool('click', '--repeat', '4', '--delay', '60', '4')
    driver.xdotool('keyup', 'ctrl')
    driver.until('zoomed', lambda: factor() > 1.8)
    program.point(program.picture(), 0.4501, 0.5)
    assert cell() == pointed, (cell(), pointed)
    driver.xdotool('mousedown', '1')
    for step in range(1, 11):
        program.point(program.picture(), 0.45 - 0.01 * step, 0.5 + 0.01 * step)
    driver.xdotool('mouseup', '1')
    assert 'pinned' not in status() and cell() == pointed, (status(), pointed)
    program.point(program.picture(), 0.35, 0.6, click=1)
    program.point(program.find('text', 'Text'))
    driver.until('the cell pinned', lambda: 'pinned' in status() and cell() == pointed)
    program.point(program.picture(), 0.35, 0.6, click=1)
    whole_map()


def count():
    return next((driver.text_of(each) for each in program.all('status bar') + program.all('label')
                 if re.fullmatch(r'\d+ of \d+|Not found|\d+ match(es)?', driver.text_of(each) or '')), '')


def pinned():
    program.point(program.find('text', 'Text'))
    found = re.search(r'pinned · query “(.*?)”', status())
    return found.group(1) if found else None


def names():
    """Tokens as the window names them."""
    all_of = tokens()
    return ['%s · %d' % (token, place) if all_of.count(token) > 1 else token
            for place, token in enumerate(all_of)]


def find_tokens():
    places = [place for place, token in enumerate(tokens()) if token == 'grass']
    assert len(places) == 2, tokens()
    program.keys('ctrl+f')
    entry = program.find('entry', 'Find a token')
    program.type(entry, 'GRASS')
    driver.until('the first of two', lambda: count() == '1 of 2')
    driver.until('its row', lambda: pinned() == names()[places[0]])
    program.keys('Return')
    driver.until('the second of two', lambda: count() == '2 of 2')
    driver.until('its row', lambda: pinned() == names()[places[1]])
    program.keys('shift+Return')
    driver.until('the first again', lambda: count() == '1 of 2')
    program.type(entry, 'zzz')
    driver.until('not found', lambda: count() == 'Not found')
    program.type(entry, 'old man')
    driver.until('two tokens as one match', lambda: count() == '1 of 1')
    program.keys('Escape')
    driver.until('no bar', lambda: not any(each.name == 'Find a token' for each in program.all('entry')))
    program.keys('Escape')  # of the picture, which has the keys now: lets go of what is pinned
    driver.until('nothing pinned', lambda: pinned() is None)


def find_when_zoomed():
    """A match that the part of the map does not show is brought into it, also among all heads."""
    for kind in ('ctrl+1', 'ctrl+2'):
        program.keys(kind)
        program.point(program.find('text', 'Text'))
        whole_map()
        for _ in range(12):
            program.keys('ctrl+plus')
        driver.until('few cells', lambda: factor() > 3)
        program.keys('ctrl+f')
        last = len(tokens()) - 1
        program.type(program.find('entry', 'Find a token'), '[sep]')
        driver.until('found', lambda: count() == '1 of 1')
        program.keys('Escape')
        shown = re.search(r'--crop (\d+):(\d+),(\d+):(\d+)', command()).groups()
        assert int(shown[1]) == int(shown[3]) == last + 1, shown
        program.keys('Escape')
        whole_map()
    program.keys('ctrl+1')


def scale():
    """The menu's choice is in the picture, and in the line that makes it again."""
    before = program.pixels(program.picture())
    program.keys('alt+v')
    for name in ('Colour scale', 'Logarithmic: four powers of ten'):
        program.press(program.find('menu item', name, program.root))
    driver.until('other colours', lambda: program.pixels(program.picture()) != before)
    assert ' --color-scale log ' in command()


def picture_y():
    return program.picture().queryComponent().getExtents(driver.pyatspi.WINDOW_COORDS).y


def wheel_turns_page():
    """In a low window the wheel over the picture turns the page, of a zoomed map where its end is."""
    driver.xdotool('windowsize', program.id, '600', '500')
    place = driver.until('a low window', lambda: 200 < picture_y() < 400 and picture_y())
    driver.xdotool('mousemove', '--window', program.id, '250', '430')
    driver.xdotool('click', '--repeat', '3', '--delay', '60', '5')
    driver.until('the page turned', lambda: picture_y() < place)
    driver.xdotool('click', '--repeat', '9', '--delay', '60', '4')
    driver.until('the page turned back', lambda: picture_y() == place)
    driver.xdotool('keydown', 'ctrl', 'click', '--repeat', '4', '--delay', '60', '4', 'keyup', 'ctrl')
    driver.until('zoomed', lambda: factor() > 1.8)
    assert picture_y() == place
    driver.xdotool('click', '--repeat', '40', '--delay', '20', '5')
    driver.until('the page turned at the end', lambda: picture_y() < place)


with driver.Program('--text', TEXT) as program:
    program.wait_title('Layer 1, head 1 ')
    sys.exit(tap.run([
        ('keys zoom to one cell and back', keys_zoom),
        ('the wheel zooms around the pointer, a drag moves, a click pins', wheel_and_drag),
        ('Ctrl+F finds tokens and steps through them', find_tokens),
        ('what is found comes into view', find_when_zoomed),
        ('the colours\' scale from the menu', scale),
        ('the wheel over the picture turns a low window\'s page', wheel_turns_page),
    ]))
