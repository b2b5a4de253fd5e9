# SPDX-License-Identifier: MIT
"""What a screen reader gets to know: names, roles and descriptions of everything that takes keys or clicks, in
each view, popover and dialog; and the cell under the cursor in words."""
import json
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import pyatspi  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man slept on the grass.'
TEXT_B = 'The old man slept on the grass. Then it rained.'
VIEWS = ['Heatmap', 'Heads', 'All layers', 'Lines', 'Text', 'Compare']
# What somebody can do something with; GTK 4.8 has no role of its own for toggle buttons.
ROLES = {'push button', 'toggle button', 'check box', 'radio button', 'spin button', 'text', 'entry',
         'combo box', 'menu item', 'image', 'label', 'slider', 'page tab', 'list item', 'link'}
# These only scroll or hold others: keys pass through them.
HOLDERS = {'scroll pane', 'filler', 'list box', 'list'}
# GTK's own, which is never shown: it would choose among several sections.
GTKS_OWN = {('Keyboard shortcuts', 'GtkMenuButton')}
program = None


def has(widget, state):
    return widget.getState().contains(state)


def takes_keys(widget):
    return has(widget, pyatspi.STATE_FOCUSABLE) and widget.getRoleName() not in HOLDERS


def is_control(widget):
    """Takes keys, or names something that does inside of it."""
    return takes_keys(widget) or widget.getRoleName() in ('push button', 'combo box')


def name_of(widget):
    if widget.name:
        return widget.name
    has_text = 'Text' in pyatspi.listInterfaces(widget)
    return driver.text_of(widget) if has_text and widget.getRoleName() == 'label' else ''


def is_nameless(name):
    """GTK says a widget's class where it knows nothing better."""
    return not name.strip() or bool(re.fullmatch(r'(Gtk|Hs)[A-Z]\w*', name))


def says_twice(name):
    words = name.split()
    return any(words[-n:] == words[-2 * n:-n] for n in range(1, len(words) // 2 + 1))


def controls_of(root):
    return [each for each in driver.walk(root) if takes_keys(each)]


def bars_of(root):
    """Lists of the controls that stand side by side: what is below one container, without popovers, and
    of a control with another one inside only the inner one."""
    def gather(widget, into):
        for child in children(widget):
            if child.getRoleName() in ('menu',) or child.name in ('HsArrangePopover',):
                bars.append(gather(child, []))
            elif has_inner(child):
                gather(child, into)
            elif takes_keys(child):
                into.append(child)
                gather(child, into)
            elif child.getRoleName() in ('filler', 'form', 'frame', 'dialog', 'menu bar') or \
                    is_group(child):
                bars.append(gather(child, []))
            else:
                gather(child, into)
        return into
    bars = []
    bars.append(gather(root, []))
    return [bar for bar in bars if len(bar) > 1]


def is_group(widget):
    return widget.getRoleName() == 'panel' and bool(widget.name)


def has_inner(widget):
    return is_control(widget) and not takes_keys(widget)


def children(widget):
    found = (widget.getChildAtIndex(index) for index in range(widget.childCount))
    return [child for child in found if child is not None]


def audit(where, root=None):
    """Everything that is wrong below @root, with how many controls there are."""
    root = root or program.frame
    controls = controls_of(root)
    assert controls, '%s: no controls' % where
    faults = []
    for each in controls:
        name, role = name_of(each), each.getRoleName()
        if role not in ROLES:
            faults.append('%s: %r takes keys as %r' % (where, name, role))
        if (where, name) in GTKS_OWN:
            continue
        if is_nameless(name):
            faults.append('%s: a %s without a name (%r)' % (where, role, name))
        elif says_twice(name) or name.startswith('_'):
            faults.append('%s: %s %r' % (where, role, name))
    for bar in bars_of(root):
        names = [(each.getRoleName(), name_of(each)) for each in bar if each.getRoleName() != 'label']
        faults += ['%s: two of %s %r' % (where, *name)
                   for name in sorted(set(names)) if names.count(name) > 1]
    print('# %s: %d controls' % (where, len(controls)))
    return faults


def require(faults):
    assert not faults, '\n'.join(sorted(set(faults)))


def description():
    return program.picture().get_description() or ''


def spoken():
    """What is pointed at; the lines below say what the picture is of."""
    return description().split('\n')[0]


def show(view):
    program.keys('ctrl+%d' % (VIEWS.index(view) + 1))
    driver.until('view ' + view, lambda: {
        'Heads': 'all heads', 'All layers': 'All layers', 'Compare': 'compared'}.get(
            view, 'Layer') in program.picture().name)


def focus_picture():
    program.keys('F6')
    driver.until('focus on the picture', lambda: has(program.picture(), pyatspi.STATE_FOCUSED))


# ---- what has names ----

def views():
    faults = []
    for view in VIEWS:
        show(view)
        faults += audit(view)
    show('Heatmap')
    program.press(program.find('push button', 'Second text'))
    program.find('text', 'Second text')
    program.keys('ctrl+f')
    program.find('entry', 'Find a token')
    faults += audit('second text and find bar')
    program.keys('Escape')
    program.press(program.find('push button', 'Second text'))
    require(faults)


def popovers():
    faults = []
    for key, wanted in (('alt+w', ('push button', 'Words')), ('alt+v', ('menu item', 'Colours')),
                        ('F10', ('menu item', 'Preferences')), ('alt+e', ('menu item', None)),
                        ('alt+r', ('menu item', None))):
        program.keys(key)
        program.find(*wanted)
        faults += audit('popover of ' + key)
        program.keys('Escape')
        driver.until('no popover', lambda: not [
            each for each in driver.walk(program.frame) if has(each, pyatspi.STATE_EXPANDED) and
            each.getRoleName() == 'push button' and each.childCount > 1])
    require(faults)


def dialogs():
    faults = []
    for title, keys in (('Export', ['ctrl+e']), ('Preferences', ['ctrl+comma']), ('Keyboard shortcuts', ['F1']),
                        ('About Headscope', ['F10', 'Up', 'Up', 'Return'])):
        before = len(list(program.root))
        program.keys(*keys)
        dialog = driver.until('window ' + title, lambda: next(
            (each for each in program.root if each.name == title), None) if len(
                list(program.root)) > before else None)
        driver.until('controls of ' + title, lambda: controls_of(dialog))
        faults += audit(title, dialog)
        if dialog.getRoleName() != 'frame':
            faults.append('%s is a %s' % (title, dialog.getRoleName()))
        program.focus()
        program.keys('Escape')
        driver.until('no ' + title, lambda: len(list(program.root)) == before)
        program.focus()
    require(faults)


# ---- what the picture says ----

def weights(layer, head):
    answer = json.loads(driver.cli('attention', '--text', TEXT, '--layer', str(layer), '--head',
                                   str(head), '--format', 'json'))
    tokens = answer['tokens']
    names = ['%s · %d' % (token, place) if tokens.count(token) > 1 else token
             for place, token in enumerate(tokens)]
    return names, answer['maps'][0]['weights']


def strongest(values, names):
    order = sorted(range(len(values)), key=lambda i: (-values[i], i))[:3]
    return ' · '.join('“%s” %.4f' % (names[i], values[i]) for i in order if values[i] >= 0.00005)


def expect(words):
    try:
        driver.until('spoken %r' % words, lambda: spoken() == words)
    except driver.Missed:
        raise driver.Missed('spoken is %r, not %r' % (spoken(), words)) from None


def choose(layer, head):
    program.set_value(program.find('spin button', 'Layer'), layer)
    program.set_value(program.find('spin button', 'Head'), head)
    program.wait_title('Layer %d' % layer)


def cell_in_heatmap():
    show('Heatmap')
    choose(2, 3)
    names, rows = weights(2, 3)
    focus_picture()
    program.keys('Right')
    expect('layer 2, head 3 · query “%s” → key “%s”: %.4f' % (names[0], names[0], rows[0][0]))
    program.keys('Down', 'Right', 'Right')
    words = 'query “%s” → key “%s”: %.4f' % (names[1], names[2], rows[1][2])
    expect('layer 2, head 3 · ' + words)
    program.keys('Return', 'Escape')
    driver.until('nothing spoken', lambda: spoken().startswith('Built-in model'))


def heads_of_grids():
    show('Heads')
    focus_picture()
    program.keys('Home')
    expect('Chosen: head 1')
    program.keys('Right', 'Right')
    expect('Chosen: head 3')
    show('All layers')
    focus_picture()
    program.keys('Home')
    expect('Chosen: layer 1, head 1')
    program.keys('Down')
    expect('Chosen: layer 2, head 1')
    show('Heatmap')
    strip = program.find('image', 'Heads of layer 2')
    assert strip.get_description() == 'Chosen: head 1', strip.get_description()


def tokens_beside_lines():
    show('Lines')
    choose(3, 2)
    names, rows = weights(3, 2)
    focus_picture()
    program.keys('Down', 'Down')
    expect('layer 3, head 2 · query “%s” looks most at %s' % (names[1], strongest(rows[1], names)))
    program.keys('Right')
    column = [row[1] for row in rows]
    expect('layer 3, head 2 · key “%s” is looked at most by %s' % (names[1],
                                                                  strongest(column, names)))
    program.keys('Up', 'Up', 'Right')
    expect('layer 3, head 2')
    program.keys('Escape')


def pieces_of_text():
    show('Text')
    choose(3, 2)
    names, rows = weights(3, 2)
    focus_picture()
    program.keys('Right', 'Right', 'Right')
    row = 'layer 3, head 2 · query “%s” looks most at %s' % (names[2], strongest(rows[2], names))
    expect(row)
    program.keys('Return', 'Right')
    expect('layer 3, head 2 · query “%s” → key “%s”: %.4f' % (names[2], names[3], rows[2][3]))
    program.keys('Escape')


def cells_of_a_comparison():
    show('Compare')
    for name in ('Layer', 'Head', 'Layer of B', 'Head of B'):
        program.set_value(program.find('spin button', name), 2)
    program.wait_title('Layer 2, head 2 ')
    names, rows = weights(2, 2)
    focus_picture()
    program.keys('Right', 'Right')
    weight = '%.4f' % rows[0][1]
    expect('query “%s” → key “%s” · A %s · B %s · A − B 0.0000' % (names[0], names[1], weight, weight))
    program.keys('Escape')
    show('Heatmap')


def changes_are_told():
    """A screen reader hears of another cell without asking."""
    show('Heatmap')
    focus_picture()
    heard = []

    def listen(event):
        heard.append(event.any_data if isinstance(event.any_data, str) else '')
    pyatspi.Registry.registerEventListener(listen, 'object:property-change:accessible-description')
    program.keys('Right', 'Right')
    deadline = driver.until('event', lambda: driver.GLib.MainContext.default().iteration(False) or heard)
    assert deadline
    pyatspi.Registry.deregisterEventListener(listen, 'object:property-change:accessible-description')
    program.keys('Escape')


with driver.Program('--text', TEXT) as program:
    program.wait_title('Layer 1, head 1 ')
    driver.xdotool('mousemove', '0', '0')  # where it points at nothing
    sys.exit(tap.run([
        ('controls of all views have names of their own', views),
        ('controls of popovers', popovers),
        ('controls of dialogs', dialogs),
        ('the cell of a heat map in words', cell_in_heatmap),
        ('the chosen head of grids', heads_of_grids),
        ('tokens beside lines', tokens_beside_lines),
        ('pieces of the text', pieces_of_text),
        ('cells of a comparison', cells_of_a_comparison),
        ('changes are told', changes_are_told),
    ]))
