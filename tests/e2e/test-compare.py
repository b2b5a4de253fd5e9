# SPDX-License-Identifier: MIT
"""A person compares: pages, another text, heads by how much they changed, another model, saved and opened."""
import json
import os
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The cat sat on the mat.'
TEXT_B = 'The dog sat on the mat.'
OTHER = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'golden', 'models',
                     'bert-mlm')
SHORT = 6  # rows of the list before more are asked for
program = None


def ranked(*options):
    """What the list has to say, by the command line's numbers."""
    heads = json.loads(driver.cli('compare', '--text', TEXT, '--top', str(SHORT), *options))['heads']
    return ['Layer %(layer)d, head %(head)d: %(change).4f' % head for head in heads]


def rows():
    return program.all('list item', program.find('list', 'Heads that differ most'))


def wait_rows(wanted):
    try:
        driver.until('ranked heads', lambda: [row.name for row in rows()] == wanted)
    except driver.Missed as missed:
        raise driver.Missed('%s; wanted %s, listed are %s'
                            % (missed, wanted, [row.name for row in rows()]))


def value(name):
    return program.find('spin button', name).queryValue().currentValue


def pages():
    """The button in the header bar goes there, and back to the view one came from."""
    program.keys('ctrl+2')
    program.wait_title('all heads')
    program.press(program.find('push button', 'Compare'))
    program.wait_title('compared')
    program.press(program.find('push button', 'Explore'))
    program.wait_title('all heads')
    program.keys('ctrl+1')
    program.wait_title('head 1')
    program.keys('ctrl+6')
    program.wait_title('compared')


def same_is_zero():
    assert driver.text_of(program.find('text', 'Text B')) == TEXT
    wait_rows(ranked('--head-b', '1'))
    program.keys('alt+Right')
    wait_rows(ranked('--head', '2', '--head-b', '1'))
    program.set_value(program.find('spin button', 'Head of B'), 2)
    program.wait_title('Layer 1, head 2')
    program.point(program.picture(), 0.5, 0.99, click=1)  # beside the maps: for the keys
    program.keys('Down', 'Right')
    program.wait_words('A − B 0.0000')
    program.set_value(program.find('spin button', 'Head of B'), 1)
    program.set_value(program.find('spin button', 'Head'), 1)


def other_text():
    program.type(program.find('text', 'Text B'), TEXT_B)
    driver.until('text B in the picture', lambda: TEXT_B in program.picture().get_description())
    wait_rows(ranked('--text-b', TEXT_B))


def going_there():
    """A click on the most changed head shows it on both sides."""
    first = json.loads(driver.cli('compare', '--text', TEXT, '--text-b', TEXT_B, '--top', '1'))['heads'][0]
    program.point(rows()[0], click=1)
    program.wait_title('Layer %(layer)d, head %(head)d' % first)
    assert [value(name) for name in ('Layer', 'Head', 'Layer of B', 'Head of B')] == \
        [first['layer'], first['head']] * 2
    program.keys('Down', 'Return')
    second = rows()[1].name.partition(':')[0]
    program.wait_title(second)


def more():
    panel = program.find('list', 'Heads that differ most').parent
    program.press(program.find('push button', 'More', under=panel))
    driver.until('all heads', lambda: len(rows()) == 4 * 8)
    program.press(program.find('push button', 'Fewer', under=panel))
    driver.until('few heads', lambda: len(rows()) == SHORT)


def button(beginning, under):
    return driver.until('button %s' % beginning, lambda: next(
        (each for each in program.all('push button', under)
         if each.name.replace('_', '').startswith(beginning)), None))


def save_in(chooser, path):
    program.type(program.find('text', 'Name:', under=chooser), path)
    program.press(button('Save', chooser))
    program.wait_words(path)


def rendered(*words):
    done = subprocess.run([driver.CLI, *words], capture_output=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0 and not done.stderr, done.stderr.decode()
    return done.stdout


def two_models():
    """A session of two models opens, is saved as it is, and the copied command makes the same bytes."""
    global program
    program.terminate()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'two.headscope')
        with open(path, 'w', encoding='utf-8') as file:
            json.dump({'format': 'headscope-session', 'version': 1, 'a': {'text': TEXT},
                       'b': {'model': os.path.realpath(OTHER), 'text': TEXT_B},
                       'view': {'kind': 'compare', 'layer': 2, 'head': 3, 'layer_b': 3, 'head_b': 2,
                                'pin': {'query': 1}}}, file)
        with driver.Program(path) as program:
            program.wait_title('A and B compared')
            program.find('push button', 'Model of B: bert-mlm')
            wait_rows(ranked('--text-b', TEXT_B, '--model-b', OTHER, '--layer', '2', '--head', '3',
                             '--layer-b', '3', '--head-b', '2'))
            saved = os.path.join(folder, 'again.headscope')
            program.keys('ctrl+s')
            save_in(program.window_named('Save session'), saved)
            with open(saved, encoding='utf-8') as file:
                content = json.load(file)
            assert content['b']['model'] == os.path.realpath(OTHER), content['b']
            assert content['a']['weights_sha256'] != content['b']['weights_sha256']
            program.keys('ctrl+e')
            dialog = program.window_named('Export')
            program.press(button('Copy as command', dialog))
            line = driver.until('command', lambda: next(
                (text for text in [program.clipboard()] if '--model-b' in text), None))
            words = shlex.split(line)[1:]
            words[words.index('-o') + 1] = '-'
            assert rendered(*words) == rendered('render', '--session', saved, '-o', '-', '--format', 'png'), line
            picture = os.path.join(folder, 'two.png')
            program.keys('Escape')  # the dialog stays open for another copy
            driver.until('end of the dialog', lambda: all(each.name != 'Export' for each in program.root))
            program.keys('ctrl+e')
            program.press(button('Save', program.window_named('Export')))
            save_in(program.window_named('Save picture'), picture)
            with open(picture, 'rb') as file:
                assert file.read() == rendered(*words), line


def kept():
    """Text B and the page are back at the next start."""
    global program
    with tempfile.TemporaryDirectory() as folder:
        env = {'XDG_STATE_HOME': folder}
        with driver.Program('--text', TEXT, env=env) as program:
            program.keys('ctrl+6')
            program.wait_title('compared')
            program.type(program.find('text', 'Text B'), TEXT_B)
            driver.until('text B in the picture', lambda: TEXT_B in program.picture().get_description())
            status, output = program.terminate()
            assert status == 0, output
        with driver.Program(env=env) as program:
            program.wait_title('compared')
            assert driver.text_of(program.find('text', 'Text B')) == TEXT_B
            driver.until('text B in the picture', lambda: TEXT_B in program.picture().get_description())


with driver.Program('--text', TEXT) as program:
    sys.exit(tap.run([
        ('pages in the header bar, and keys', pages),
        ('the same text is no difference', same_is_zero),
        ('another text, and heads ranked as on the command line', other_text),
        ('a click on a ranked head, and keys, go there', going_there),
        ('more ranked heads', more),
        ('two models: opened, saved, exported', two_models),
        ('text B is kept', kept),
    ]))
