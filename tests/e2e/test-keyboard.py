# SPDX-License-Identifier: MIT
"""Everything without a pointer: Tab reaches every control in the order one reads, what has the keys shows
it, and keys alone type, choose, look, pin, zoom, find, export, and save and open a session."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import pyatspi  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man slept on the grass.'
# In this order, with others between them.
ORDER = ['Text', 'Examples', 'Recent', 'Second text', 'Layer', 'Head', 'Heatmap', 'Lines', 'Text',
         'Show: Tokens', 'View', 'Layer 1, head 1 · attention weights', 'More',
         'How to read this picture']
program = None


def has(widget, state):
    return widget.getState().contains(state)


def focused(root=None):
    return next((each for each in driver.walk(root or program.frame)
                 if has(each, pyatspi.STATE_FOCUSED)), None)


def name_of_focused():
    widget = focused()
    return widget.name if widget is not None else ''


def to_text():
    program.keys('ctrl+l')
    driver.until('keys in the text', lambda: name_of_focused() == 'Text')


def to_picture():
    program.keys('F6')
    driver.until('keys in the picture', lambda: has(program.picture(), pyatspi.STATE_FOCUSED))


def spoken():
    return (program.picture().get_description() or '').split('\n')[0]


def value_of(name):
    return program.find('spin button', name).queryValue().currentValue


def order():
    to_text()
    names = ['Text']
    for _ in range(40):
        before = focused()
        program.keys('Tab')
        driver.until('another focus', lambda: focused() not in (None, before))
        names.append(name_of_focused())
        if names[-1] == 'Text' and len(names) > 16:
            break
    place = 0
    for name in ORDER:
        assert name in names[place:], '%r does not come after %s: %s' % (name, ORDER[:place], names)
        place = names.index(name, place) + 1
    to_text()
    program.keys('Tab', 'Tab')
    driver.until('two on', lambda: name_of_focused() == names[2])
    program.keys('shift+Tab')
    driver.until('one back', lambda: name_of_focused() == names[1])


def rings():
    """What has the keys looks different from what has not, the picture and the strip too."""
    to_picture()
    program.keys('Escape')
    picture = program.picture()
    shown = program.pixels(picture)
    to_text()
    driver.until('a ring around the picture', lambda: program.pixels(picture) != shown)
    strip = program.find('image', 'Heads of layer 1')
    plain = program.pixels(strip)
    to_picture()
    program.keys('Tab')
    driver.until('keys in the strip', lambda: has(strip, pyatspi.STATE_FOCUSED))
    driver.until('a ring around the strip', lambda: program.pixels(strip) != plain)
    program.keys('Right')
    driver.until('the next head', lambda: value_of('Head') == 2)
    program.keys('Home')
    driver.until('the first head', lambda: value_of('Head') == 1)


def typing():
    to_text()
    program.keys('ctrl+a')
    driver.xdotool('type', '--delay', '20', 'A cat sat.')
    driver.until('its picture', lambda: 'A cat sat.' in program.picture().get_description())
    program.keys('ctrl+z')
    driver.until('undone', lambda: driver.text_of(program.find('text', 'Text')) != 'A cat sat.')
    program.type(program.find('text', 'Text'), TEXT)
    driver.until('the text', lambda: TEXT in program.picture().get_description())


def layers_and_heads():
    to_picture()
    program.keys('alt+Right', 'alt+Down')
    driver.until('the next of both', lambda: (value_of('Layer'), value_of('Head')) == (2, 2))
    program.keys('alt+Left', 'alt+Up')
    driver.until('the first of both', lambda: (value_of('Layer'), value_of('Head')) == (1, 1))


def looking():
    program.keys('ctrl+1')
    program.wait_title('Layer 1, head 1 ')
    to_picture()
    program.keys('Escape', 'Right', 'Down')
    driver.until('a cell', lambda: '→' in spoken())
    program.keys('Return')
    program.keys('ctrl+plus')
    driver.until('zoomed', lambda: any('Show all' in each.name for each in program.all('push button')))
    program.keys('ctrl+0')
    driver.until('all', lambda: not any('Show all' in each.name for each in program.all('push button')))
    to_text()
    for key, part in (('ctrl+2', 'all heads'), ('ctrl+3', 'All layers'), ('ctrl+4', 'Layer 1'),
                      ('ctrl+5', 'Layer 1'), ('ctrl+6', 'compared'), ('ctrl+1', 'Layer 1, head 1')):
        program.keys(key)
        program.wait_title(part)
    to_picture()
    driver.until('still pinned', lambda: 'pinned' in program.words())
    program.keys('Tab', 'Tab', 'Escape')  # wherever the keys are
    driver.until('let go', lambda: 'pinned' not in program.words())


def finding():
    program.keys('ctrl+f')
    program.find('entry', 'Find a token')
    driver.xdotool('type', '--delay', '20', 'grass')
    program.wait_words('1 of 1')
    program.keys('Escape', 'Escape')


def showing():
    program.keys('alt+w')
    program.find('push button', 'Words')
    driver.until('keys on the lens', lambda: name_of_focused() == 'Lens: Attention weights')
    program.keys('Tab', 'Right', 'Right', 'space')
    driver.until('words', lambda: any(each.name == 'Show: Words' for each in program.all('push button')))
    program.keys('Left', 'Left', 'space')
    driver.until('tokens', lambda: any(each.name == 'Show: Tokens'
                                       for each in program.all('push button')))
    program.keys('Escape')


def narrow():
    """Where their labels have no room the letters still work."""
    size = driver.xdotool('getwindowgeometry', '--shell', program.id)
    width, height = (next(line.split('=')[1] for line in size.splitlines() if line.startswith(name))
                     for name in ('WIDTH', 'HEIGHT'))
    driver.xdotool('windowsize', '--sync', program.id, '480', '600')
    driver.until('narrow', lambda: all(each.name != 'Show' or not has(each, pyatspi.STATE_SHOWING)
                                       for each in program.all('label')))
    program.keys('alt+w')
    driver.until('keys on the lens', lambda: name_of_focused() == 'Lens: Attention weights')
    program.keys('Escape')
    program.keys('alt+x')
    program.window_named('Export')
    driver.xdotool('key', 'Escape')
    driver.until('no Export', lambda: all(each.name != 'Export' for each in program.root))
    driver.xdotool('windowsize', '--sync', program.id, width, height)
    program.focus()


def exporting():
    program.keys('ctrl+e')
    dialog = program.window_named('Export')
    program.focus()
    driver.until('its keys', lambda: focused(dialog))
    program.keys('Escape')
    driver.until('no dialog', lambda: all(each.name != 'Export' for each in program.root))
    program.focus()


def second_text():
    """The switch takes the keys to the field it opens, and away with it again."""
    program.keys('alt+s')
    driver.until('keys in the second text', lambda: name_of_focused() == 'Second text' and
                 focused().getRoleName() == 'text')
    driver.xdotool('type', '--delay', '20', 'The grass was wet.')
    driver.until('its picture', lambda: 'The grass was wet.' in program.picture().get_description())
    program.keys('shift+Tab', 'shift+Tab', 'ctrl+l', 'alt+s')
    driver.until('one text', lambda: 'The grass' not in program.picture().get_description())
    program.keys('alt+s')
    driver.until('both again', lambda: 'The grass was wet.' in program.picture().get_description())


def answer_chooser(title, path):
    """Types a path where the chooser has put the keys, and takes it."""
    program.window_named(title)
    driver.xdotool('windowfocus', '--sync', driver.until('chooser on the screen', lambda: (
        driver.xdotool('search', '--onlyvisible', '--name', '^%s$' % title).split() or [None])[-1]))
    driver.xdotool('key', '--clearmodifiers', 'ctrl+a')
    driver.xdotool('type', '--clearmodifiers', '--delay', '20', path)
    driver.xdotool('key', 'Return')
    driver.until('no %s' % title, lambda: all(each.name != title for each in program.root))
    program.focus()


def session():
    """Saved, left for another screen, and opened again: both texts, the view, layer and head."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'by-keys.headscope')
        program.keys('ctrl+2', 'alt+Down', 'alt+Right')
        program.wait_title('Layer 2 ')
        program.keys('ctrl+s')
        answer_chooser('Save session', path)
        program.wait_words(path)
        assert os.path.exists(path)
        program.keys('alt+s', 'ctrl+1', 'alt+Up', 'alt+Left')
        program.wait_title('Layer 1, head 1 ')
        program.keys('ctrl+o')
        answer_chooser('Open session', path)
        program.wait_title('Layer 2 ')
        driver.until('both texts', lambda: 'The grass was wet.' in program.picture().get_description())
        assert (value_of('Layer'), value_of('Head')) == (2, 2)


with driver.Program('--text', TEXT) as program:
    program.wait_title('Layer 1, head 1 ')
    driver.xdotool('mousemove', '0', '0')  # where it points at nothing
    sys.exit(tap.run([
        ('Tab goes through the window as one reads', order),
        ('what has the keys is seen', rings),
        ('typing and undoing', typing),
        ('layers and heads', layers_and_heads),
        ('a cell, pinned; zoom; every view', looking),
        ('finding a token', finding),
        ('what rows and columns stand for', showing),
        ('letters of labels that have no room', narrow),
        ('the export dialog', exporting),
        ('a second text', second_text),
        ('a session saved and opened', session),
    ]))
