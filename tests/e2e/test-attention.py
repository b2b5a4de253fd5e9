# SPDX-License-Identifier: MIT
"""A person sees what another program's heads did: a file by option, its title, back to the text, compared
with a second file."""
import array
import json
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TOKENS = ['one', 'two', 'three']
PIECES = ['[CLS]', 'token', '##izers', 'split', 'words', '.', '[SEP]']
place = tempfile.TemporaryDirectory()
program = None


def in_place(name):
    return os.path.join(place.name, name)


def write_npy(path, n_layers, n_heads, strength, n=len(TOKENS)):
    """Every query sees itself by @strength and the other keys by what is left."""
    rest = (1 - strength) / (n - 1)
    one = [strength if query == key else rest for query in range(n) for key in range(n)]
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d, %d, %d)}" % (
        n_layers, n_heads, n, n)
    header += ' ' * (-(10 + len(header) + 1) % 64) + '\n'
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode('ascii'))
        file.write(array.array('f', one * (n_layers * n_heads)).tobytes())


def make_files():
    write_npy(in_place('far.npy'), 3, 2, 0.8)
    write_npy(in_place('near.npy'), 3, 2, 0.4)
    write_npy(in_place('pieces.npy'), 1, 1, 0.7, len(PIECES))
    with open(in_place('pieces.json'), 'w', encoding='utf-8') as file:
        json.dump(PIECES, file)
    with open(in_place('words.json'), 'w', encoding='utf-8') as file:
        json.dump(TOKENS, file)


def wait_described(part):
    driver.until('%r in what the picture is of' % part,
                 lambda: part in program.picture().get_description())


def starts():
    """The picture comes with the window, with no model behind it."""
    program.wait_title('Layer 1, head 1')
    wait_described('far.npy')
    wait_described('one two three')
    program.wait_words('3 layers × 2 heads · 3 queries × 3 keys · tokens from words.json')


def goes_around():
    """Layers and heads are the file's; weights are read as they were written."""
    program.set_value(program.find('spin button', 'Layer'), 3)
    program.wait_title('Layer 3, head 1')
    program.point(program.picture(), 0.5, 0.99, click=1)
    program.keys('Down', 'Right')
    program.wait_words('0.8000')


def choose(title, path):
    """Types a path into the file chooser and takes it."""
    program.window_named(title)
    driver.xdotool('windowfocus', '--sync', driver.until('chooser on the screen', lambda: (
        driver.xdotool('search', '--onlyvisible', '--name', '^%s$' % title).split() or [None])[-1]))
    driver.xdotool('type', '--clearmodifiers', '--delay', '20', path)
    driver.xdotool('key', 'Return')
    driver.until('no %s' % title, lambda: all(each.name != title for each in program.root))
    program.focus()


def compares():
    """A second file as B has A's tokens, and the numbers say how far they are apart."""
    program.keys('ctrl+6')
    program.wait_title('compared')
    program.point(driver.until('models of B', lambda: next(
        (each for each in program.all('push button') if each.name.startswith('Model of B')), None)), click=1)
    program.press(program.find('menu item', 'Attention file…', program.root))
    choose('Open attention file', in_place('near.npy'))
    wait_described('near.npy')
    heads = program.find('list', 'Heads that differ most')  # four tenths of each row lie elsewhere
    driver.until('distances', lambda: 'Layer 3, head 2: 0.4000' in [
        row.name for row in program.all('list item', heads)])


def session():
    """Saved, left and opened, the screen is there again; the command line draws the same."""
    path = in_place('both.headscope')
    program.keys('ctrl+s')
    chooser = program.window_named('Save session')
    program.type(program.find('text', 'Name:', under=chooser), path)
    program.press(driver.until('button Save', lambda: next(
        (each for each in program.all('push button', chooser)
         if each.name.replace('_', '').startswith('Save')), None)))
    program.wait_words(path)
    program.press(program.find('push button', 'Back to the text'))
    program.keys('ctrl+2')
    program.wait_title('all heads')
    program.keys('ctrl+o')
    choose('Open session', path)
    program.wait_title('compared')
    driver.until('both files', lambda: all(
        name in program.picture().get_description() for name in ('far.npy', 'near.npy')))
    drawn = driver.cli('render', '--session', path, '--format', 'svg', '-o', '-').decode()
    assert 'far.npy' in drawn and 'near.npy' in drawn


def back_to_text():
    """The model's own picture of the text, and the card is gone."""
    program.keys('ctrl+1')
    program.wait_title('head 1')
    program.press(program.find('push button', 'Back to the text'))
    driver.until('the model', lambda: 'far.npy' not in program.picture().get_description())
    assert 'tokens from words.json' not in program.words()
    program.find('text', 'Text')


def is_sensitive(widget):
    return driver.pyatspi.STATE_SENSITIVE in widget.getState().getStates()


def wait_columns(other, names):
    """Goes along the first row; each cell is told with its key."""
    picture = other.picture()
    other.point(picture, 0.5, 0.99, click=1)
    other.keys('Home', 'ctrl+Home')
    for name in names:
        other.wait_words('key “%s”' % name)
        other.keys('Right')
    other.wait_words('key “%s”' % names[-1])  # there are no more


def go_to(other, name):
    """With the keyboard, as a person without a pointer does."""
    for _ in range(40):
        if any(each.name == name and driver.pyatspi.STATE_FOCUSED in each.getState().getStates()
               for each in driver.walk(other.frame)):
            return
        other.keys('Tab')
    raise driver.Missed('no focus on %s' % name)


def words_of_names():
    """Names alone tell words, what a model adds, and punctuation; characters need a text."""
    file, names = in_place('pieces.npy'), in_place('pieces.json')
    program.terminate()  # or it would open the window
    with driver.Program('--attention', file, '--tokens', names) as other:
        other.wait_title('Layer 1, head 1')
        wait_columns(other, PIECES)
        other.keys('alt+w')
        assert not is_sensitive(other.find('push button', 'Characters'))
        for name in ('Words', '[CLS]', '[SEP]', 'Punctuation'):
            go_to(other, name)
            other.keys('space')
        other.keys('Escape')
        wait_columns(other, ['tokenizers', 'split', 'words'])
        # its two tokens see each other by 0.05, and each itself by 0.7
        other.keys('Home')
        other.wait_words('“tokenizers”: 0.7500')


def is_in_lab(other):
    return any(each.name.replace('_', '') == 'Pipeline'
               for role in ('push button', 'toggle button') for each in other.all(role))


def after_the_lab():
    """The window comes back in the lab; a file that is asked for does not land there."""
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        with driver.Program('--new-instance', env=env) as other:
            other.wait_title('Layer 1, head 1')
            other.keys('ctrl+7')
            driver.until('the lab', lambda: is_in_lab(other))
            other.keys('ctrl+q')
            other.ended()
        with driver.Program('--new-instance', env=env) as other:
            driver.until('the lab again', lambda: is_in_lab(other))
            other.keys('ctrl+q')
            other.ended()
        with driver.Program('--new-instance', '--attention', in_place('far.npy'), '--tokens',
                            in_place('words.json'), env=env) as other:
            other.wait_title(', head ')
            assert not is_in_lab(other)


make_files()
with driver.Program('--attention', in_place('far.npy'), '--tokens', in_place('words.json')) as program:
    sys.exit(tap.run([
        ('the picture comes with the window', starts),
        ('layers and heads are the file\'s', goes_around),
        ('compared with a second file', compares),
        ('a session of both', session),
        ('back to the text', back_to_text),
        ('words and punctuation of names alone', words_of_names),
        ('asked for after a day in the lab', after_the_lab),
    ]))
