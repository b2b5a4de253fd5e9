# SPDX-License-Identifier: MIT
"""A person takes the picture out: through the real save dialog, as an image, as a command line."""
import os
import resource
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

TEXT = 'The old man saw the boy, 老人看見了男孩。'
program = None
folder = None


def button(beginning, under):
    return driver.until('button %s' % beginning, lambda: next(
        (each for each in program.all('push button', under)
         if each.name.replace('_', '').startswith(beginning)), None))


def popups():
    return len(driver.xdotool('search', '--onlyvisible', '--pid', str(program.process.pid)).split())


def choose(key, place):
    """In the dialog: opens the list with this mnemonic and takes the entry at a place in it."""
    identity = driver.until('dialog on the screen', lambda: driver.xdotool(
        'search', '--onlyvisible', '--name', '^Export$').split()[-1])
    driver.xdotool('windowfocus', '--sync', identity)
    before = popups()
    driver.xdotool('key', '--clearmodifiers', 'alt+' + key)
    driver.until('list of alt+%s' % key, lambda: popups() > before)
    driver.xdotool('key', '--clearmodifiers', 'Home', *['Down'] * place, 'Return')
    driver.until('end of the list of alt+%s' % key, lambda: popups() == before)


def open_dialog(place):
    """The export dialog with the format that stands at a place in its list."""
    program.keys('ctrl+e')
    dialog = program.window_named('Export')
    choose('f', place)
    return dialog


def gone(title):
    driver.until('end of %s' % title,
                 lambda: all(each.name != title for each in program.root))


def save_as(dialog, path):
    program.press(button('Save', dialog))
    chooser = program.window_named('Save picture')
    program.type(program.find('text', 'Name:', under=chooser), path)
    program.press(button('Save', chooser))


def copied_command(downs, kind):
    """The words of the command line, once the clipboard holds the one for this picture."""
    dialog = open_dialog(downs)
    program.press(button('Copy as command', dialog))
    parts = ['--view %s ' % kind, '--format %s ' % ('png', 'svg', 'pdf')[downs]]
    line = driver.until('command in the clipboard', lambda: next(
        (text for text in [program.clipboard()] if all(part in text for part in parts)), None))
    words = shlex.split(line)
    if any(each.name == 'Export' for each in program.root):
        program.press(button('Cancel', dialog))
        gone('Export')
    return words


def exported(downs, name, kind='heatmap'):
    """The file exists, and the copied command writes the same bytes elsewhere."""
    command = copied_command(downs, kind)
    assert command[:2] == ['headscope-cli', 'render'], command
    path = os.path.join(folder, name)
    save_as(open_dialog(downs), path)
    gone('Export')
    program.wait_words(path)
    again = os.path.join(folder, 'again')
    command[0] = driver.CLI
    command[command.index('-o') + 1] = again
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    with open(path, 'rb') as one, open(again, 'rb') as two:
        first, second = one.read(), two.read()
    assert len(first) > 2000, '%d bytes' % len(first)
    assert first == second, 'the command wrote other bytes than the window (%d, %d): %s' % (
        len(second), len(first), shlex.join(command))
    return first


def png():
    assert exported(0, '我的圖 1.png').startswith(b'\x89PNG\r\n')


def svg():
    assert b'<svg' in exported(1, 'it\'s one.svg')[:200]


def pdf():
    assert exported(2, 'head.pdf').startswith(b'%PDF-')
    text = subprocess.run(['pdftotext', os.path.join(folder, 'head.pdf'), '-'],
                          capture_output=True, text=True, check=True).stdout
    assert 'Layer 3, head 4' in text and '老' in text, text


def all_heads():
    program.keys('ctrl+2')
    program.wait_title('all heads')
    assert exported(0, 'heads.png', 'heads').startswith(b'\x89PNG\r\n')
    program.keys('ctrl+1')
    program.wait_title('head 4')


def saved_session():
    """Ctrl+S, then headscope-cli on that file, writes the bytes of the window's export."""
    path = os.path.join(folder, 'my screen.headscope')
    program.keys('ctrl+s')
    chooser = program.window_named('Save session')
    program.type(program.find('text', 'Name:', under=chooser), path)
    program.press(button('Save', chooser))
    program.wait_words(path)
    for place, ending in enumerate(('png', 'svg', 'pdf')):
        window = os.path.join(folder, 'window.' + ending)
        save_as(open_dialog(place), window)
        gone('Export')
        program.wait_words(window)
        again = os.path.join(folder, 'session.' + ending)
        done = subprocess.run([driver.CLI, 'render', '--session', path, '-o', again],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0 and not done.stderr, done.stderr
        with open(window, 'rb') as one, open(again, 'rb') as two:
            assert one.read() == two.read(), '%s: other bytes by the session' % ending
    return path


def opened_session():
    """The same screen again after another one was chosen."""
    path = os.path.join(folder, 'my screen.headscope')
    program.set_value(program.find('spin button', 'Layer'), 1)
    program.keys('ctrl+2')
    program.wait_title('all heads')
    program.keys('ctrl+o')
    chooser = program.window_named('Open session')
    driver.xdotool('windowfocus', '--sync', driver.until('chooser on the screen', lambda: (
        driver.xdotool('search', '--onlyvisible', '--name', '^Open session$').split() or [None])[-1]))
    driver.xdotool('type', '--clearmodifiers', path)
    driver.xdotool('key', 'Return')
    gone('Open session')
    program.wait_title('Layer 3, head 4')
    assert chooser is not None


def paper():
    """All layers for A4: pages and their size as poppler sees them, equal to the command line."""
    dialog = open_dialog(2)
    choose('w', 1)
    choose('p', 1)
    path = os.path.join(folder, 'sheet.pdf')
    save_as(dialog, path)
    gone('Export')
    program.wait_words(path)
    info = subprocess.run(['pdfinfo', path], capture_output=True, text=True, check=True).stdout
    assert '(A4)' in info and 'Pages:           1' in info, info
    assert 'SHA-256' in info, info
    again = os.path.join(folder, 'again.pdf')
    done = subprocess.run([driver.CLI, 'render', '--text', TEXT, '--view', 'layers', '--range', 'model',
                           '--max-tokens', '512', '--page', 'a4', '-o', again],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert os.path.getsize(again) > 2000
    dialog = open_dialog(0)
    choose('w', 0)
    program.press(button('Cancel', dialog))
    gone('Export')


def numbers():
    """CSV of the shown head, to the digit what the command line writes."""
    path = os.path.join(folder, 'head.csv')
    dialog = open_dialog(0)
    choose('w', 2)
    program.press(button('Save', dialog))
    chooser = program.window_named('Save numbers')
    program.type(program.find('text', 'Name:', under=chooser), path)
    program.press(button('Save', chooser))
    gone('Export')
    program.wait_words(path)
    again = os.path.join(folder, 'again.csv')
    subprocess.run([driver.CLI, 'attention', '--text', TEXT, '--layer', '3', '--head', '4',
                    '--format', 'csv', '-o', again], check=True, stdin=subprocess.DEVNULL)
    with open(path, 'rb') as one, open(again, 'rb') as two:
        assert one.read() == two.read(), 'other numbers than the command line'


def bad_place():
    """What cannot be written is said in words, and the dialog stays for another try."""
    place = os.path.join(folder, 'a folder')
    os.mkdir(place)
    dialog = open_dialog(0)
    save_as(dialog, os.path.join(place, 'picture.png'))
    gone('Export')
    dialog = open_dialog(0)
    program.press(button('Save', dialog))
    chooser = program.window_named('Save picture')
    os.rename(place, place + ' that moved')
    name = program.find('text', 'Name:', under=chooser)
    program.type(name, os.path.join(place, 'picture.png'))
    program.press(button('Save', chooser))
    driver.until('sentence about the failure', lambda: any(
        place in driver.text_of(each) for each in driver.walk(program.root)
        if each.getRoleName() in ('alert', 'label')))
    for title in ('Save picture', 'Export'):
        window = next((each for each in program.root if each.name == title), None)
        if window is not None:
            program.press(button('Cancel', window))
            gone(title)


def sentences(dialog):
    return '\n'.join(driver.text_of(each) for each in driver.walk(dialog)
                     if each.getRoleName() in ('alert', 'label'))


def full_disk():
    """No file may grow beyond 2,000 bytes: it is said, nothing is left, and another try succeeds."""
    path = os.path.join(folder, 'full.png')
    usual = resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (2000, usual[1]))
    try:
        dialog = open_dialog(0)
        save_as(dialog, path)
        driver.until('sentence about the failure', lambda: path in sentences(dialog))
        assert 'File too large' in sentences(dialog), sentences(dialog)
        left = [name for name in os.listdir(folder) if name.startswith(('full', '.full'))]
        assert not left, left
    finally:
        resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, usual)
    save_as(dialog, path)
    gone('Export')
    program.wait_words(path)
    assert os.path.getsize(path) > 2000


def copied_image():
    program.keys('ctrl+shift+c')
    program.wait_words('The picture is in the clipboard')


with tempfile.TemporaryDirectory() as folder, driver.Program('--text', TEXT) as program:
    program.set_value(program.find('spin button', 'Layer'), 3)
    program.set_value(program.find('spin button', 'Head'), 4)
    program.wait_title('Layer 3, head 4')
    status = tap.run([
        ('PNG: saved by the dialog, equal to the command line', png),
        ('SVG: saved by the dialog, equal to the command line', svg),
        ('PDF: saved by the dialog, equal to the command line', pdf),
        ('all heads: equal to the command line', all_heads),
        ('a session gives the bytes of the export', saved_session),
        ('a session opens the same screen', opened_session),
        ('all layers on paper', paper),
        ('numbers: equal to the command line', numbers),
        ('a place that cannot be written to', bad_place),
        ('a full disk', full_disk),
        ('copied as an image', copied_image),
    ])
sys.exit(status)
