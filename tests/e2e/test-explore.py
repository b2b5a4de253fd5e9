# SPDX-License-Identifier: MIT
"""A person explores: types, changes layer and head, points at cells, compares heads, leaves."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man saw the boy.'
LIMIT = 512  # tokens the window takes
program = None


def show(text):
    program.type(program.find('text', 'Text'), text)
    driver.until('picture of %r' % text,
                 lambda: text[:20] in (program.picture().get_description() or ''))


def choose(layer, head):
    program.set_value(program.find('spin button', 'Layer'), layer)
    program.set_value(program.find('spin button', 'Head'), head)
    program.wait_title('Layer %d, head %d ' % (layer, head))


def value_of(name):
    return program.find('spin button', name).queryValue().currentValue


def status():
    return driver.text_of(program.find('status bar'))


def weights(text, layer, head):
    answer = json.loads(driver.cli('attention', '--text', text, '--layer', str(layer), '--head',
                                   str(head), '--format', 'json'))
    return answer['tokens'], answer['maps'][0]['weights']


def typing():
    show('A cat.')
    before = program.pixels(program.picture())
    program.type(program.find('text', 'Text'), TEXT)
    driver.until('another picture', lambda: program.pixels(program.picture()) != before)
    show(TEXT)
    n_tokens = len(json.loads(driver.cli('tokenize', '--text', TEXT))['ids'])
    program.wait_words('%d tokens' % n_tokens)


def layer_and_head():
    show(TEXT)
    choose(1, 1)
    before = program.pixels(program.picture())
    choose(3, 4)
    driver.until('another picture', lambda: program.pixels(program.picture()) != before)
    tokens, rows = weights(TEXT, 3, 4)
    means = sorted((sum(column) / len(rows) for column in zip(*rows)), reverse=True)
    for mean in means[:3]:
        program.wait_words('%.4f' % mean)


def keys_on_spin_buttons():
    choose(1, 8)
    program.keys('alt+h', 'Up')
    driver.until('head 1 after head 8', lambda: value_of('Head') == 1)
    program.keys('Down', 'Down')
    driver.until('head 7', lambda: value_of('Head') == 7)
    program.keys('alt+l', 'Up', 'Up')
    program.wait_title('Layer 3, head 7 ')
    program.set_value(program.find('spin button', 'Layer'), 1)
    program.find('spin button', 'Head').queryValue().currentValue = 99
    program.wait_title('Layer 1, head 8 ')


def reading_a_cell():
    """The status line under the pointer says what the command line computes."""
    show(TEXT)
    choose(2, 2)
    tokens, rows = weights(TEXT, 2, 2)
    told = {}
    for step in range(1, 20):
        program.point(program.picture(), step * 0.05, 0.5)
        words = driver.until('a status', status)
        if '→' in words:
            told[words] = step * 0.05
    assert len(told) >= 3, 'cells read along one row: %s' % sorted(told)
    names = ['%s · %d' % (token, place) if tokens.count(token) > 1 else token
             for place, token in enumerate(tokens)]
    possible = {'query “%s” → key “%s”: %.4f' % (query, key, rows[i][j])
                for i, query in enumerate(names) for j, key in enumerate(names)}
    wrong = [words for words in told if words not in possible]
    assert not wrong, 'not what headscope-cli says: %s' % wrong
    program.point(program.picture(), told[sorted(told)[0]], 0.5, click=1)
    program.point(program.find('text', 'Text'))
    driver.until('pinned cell', lambda: 'pinned' in status())
    program.keys('Escape')


def comparing_heads():
    show(TEXT)
    choose(2, 1)
    program.press(program.find('push button', 'Heads'))
    program.wait_title('Layer 2 · all heads')
    program.point(program.picture(), 0.4, 0.3, click=1)
    driver.until('another head', lambda: value_of('Head') != 1)
    picked = int(value_of('Head'))
    for _ in range(3):  # on a busy machine two clicks may come too late for a double click
        program.point(program.picture(), 0.15, 0.3, click=2)
        try:
            program.wait_title('Layer 2, head ', 5)
            break
        except driver.Missed:
            continue
    program.wait_title('Layer 2, head ')
    assert value_of('Head') != picked
    program.keys('ctrl+2')
    program.wait_title('Layer 2 · all heads')
    program.press(program.find('push button', 'Heatmap'))
    program.wait_title('Layer 2, head ')


def guessing():
    text = 'Attention is a mechanism used in neural [MASK].'
    show(text)
    top = json.loads(driver.cli('predict', '--text', text, '--top', '3'))['masks'][0]['top']
    program.wait_words('Guesses for [MASK]')
    for guess in top:
        program.wait_words(guess['token'])
    show(TEXT)
    driver.until('no guesses', lambda: 'Guesses for [MASK]' not in program.words())


def pairs():
    show(TEXT)
    button = next(each for each in program.all('push button')
                  if each.name.startswith('Second text'))
    program.press(button)
    program.type(program.find('text', 'Second text'), 'The boy saw him.')
    answer = json.loads(driver.cli('tokenize', '--text', TEXT, '--pair', 'The boy saw him.'))
    program.wait_words('%d tokens' % len(answer['ids']))
    program.press(button)
    program.wait_words('%d tokens' % len(json.loads(driver.cli('tokenize', '--text', TEXT))['ids']))


def long_text():
    text = 'We saw a cat and a dog. ' * 90
    program.type(program.find('text', 'Text'), text)
    answer = json.loads(driver.cli('tokenize', '--text', text, '--max-tokens', str(LIMIT)))
    assert answer['truncated'] > 0
    program.wait_words('%d' % answer['truncated'], 30)
    program.wait_words('left out')


def empty_text():
    show(TEXT)
    program.type(program.find('text', 'Text'), '')
    driver.until('no tokens', lambda: 'tokens ·' not in program.words())
    show(TEXT)


def examples():
    show(TEXT)
    before = program.pixels()
    program.keys('alt+e')
    driver.until('menu', lambda: program.pixels() != before)
    program.keys('Down', 'Return')
    driver.until('an example', lambda: driver.text_of(program.find('text', 'Text')) != TEXT)
    driver.until('its picture', lambda: driver.text_of(program.find('text', 'Text'))[:20] in
                 program.picture().get_description())


def leaving():
    program.keys('ctrl+q')
    status, output = program.ended()
    assert status == 0, 'exit status %d: %s' % (status, output)
    assert output.strip() == '', output
    with driver.Program('--text', TEXT) as other:
        status, output = other.terminate()
    assert status == 0, 'exit status %d after SIGTERM: %s' % (status, output)
    assert output.strip() == '', output


with driver.Program('--text', TEXT) as program:
    sys.exit(tap.run([
        ('typing changes the picture', typing),
        ('layer and head change title, picture and values', layer_and_head),
        ('keys on the spin buttons, wrap-around, limits', keys_on_spin_buttons),
        ('pointing at a cell reads its weight', reading_a_cell),
        ('compare all heads, pick one, open one', comparing_heads),
        ('guesses at a mask', guessing),
        ('a second text', pairs),
        ('a text that is too long says so', long_text),
        ('an empty text', empty_text),
        ('an example from the menu', examples),
        ('Ctrl+Q and SIGTERM leave cleanly', leaving),
    ]))
