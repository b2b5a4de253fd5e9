# SPDX-License-Identifier: MIT
"""Drives the real window: AT-SPI for what widgets say and take, xdotool for keys and the pointer.

Runs inside tests/gui-env.sh with Debian's own Python, for which pyatspi is packaged. Nothing waits for a
fixed time: every wait asks again until a deadline."""
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import pyatspi  # noqa: E402
from gi.repository import GLib  # noqa: E402

BUILD = sys.argv[1] if len(sys.argv) > 1 else 'build'
WINDOW = os.path.join(os.path.abspath(BUILD), 'ui', 'headscope')
CLI = os.path.join(BUILD, 'src', 'cli', 'headscope-cli')
ASK_AGAIN = 0.02


PASTE = """
import gi, sys
gi.require_version('Gtk', '4.0')
from gi.repository import Gdk, GLib, Gtk
Gtk.init()
loop, clipboard = GLib.MainLoop(), Gdk.Display.get_default().get_clipboard()
def done(source, result):
    try:
        sys.stdout.write(source.read_text_finish(result) or '')
    except GLib.Error:
        pass  # nobody has copied a text yet
    loop.quit()
clipboard.read_text_async(None, done)
loop.run()
"""


GONE = (GLib.GError, LookupError, NotImplementedError)  # what AT-SPI says of widgets that are no more


class Missed(AssertionError):
    """Something did not happen before its deadline."""


def until(what, probe, limit=15.0):
    """The first true answer of probe(); objects may vanish while they are asked."""
    end = time.monotonic() + limit
    trouble = None
    while time.monotonic() < end:
        try:
            answer = probe()
            if answer:
                return answer
        except Exception as error:  # AT-SPI raises GLib.GError for what has gone
            trouble = error
        time.sleep(ASK_AGAIN)
    raise Missed('no %s within %.0f s%s' % (what, limit, ' (%s)' % trouble if trouble else ''))


def xdotool(*arguments):
    done = subprocess.run(['xdotool', *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise Missed('xdotool %s: %s' % (' '.join(arguments), done.stderr.strip()))
    return done.stdout.strip()


def cli(*arguments):
    """The command line's answer; it must succeed."""
    done = subprocess.run([CLI, *arguments], capture_output=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr.decode(errors='replace')
    return done.stdout


def walk(accessible):
    """An accessible object and all below it."""
    yield accessible
    for index in range(accessible.childCount):
        child = accessible.getChildAtIndex(index)
        if child is not None:
            yield from walk(child)


class Program:
    """One run of the window program, and what is on it."""

    def __init__(self, *arguments, env=None, unset=(), cwd=None):
        self.output = tempfile.TemporaryFile(mode='w+', encoding='utf-8', errors='replace')
        self.state = tempfile.TemporaryDirectory()  # nothing is left of the run before
        surroundings = dict(os.environ, G_DEBUG='fatal-criticals', XDG_STATE_HOME=self.state.name)
        surroundings.update(env or {})
        for name in unset:
            surroundings.pop(name, None)
        self.process = subprocess.Popen([WINDOW, *arguments], env=surroundings, cwd=cwd,
                                        stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=subprocess.STDOUT)
        try:
            self.root = until('window on the accessibility bus', self._find_self, 30)
            self.frame = until('main window', lambda: next(
                (child for child in self.root if child.getRoleName() == 'frame'), None))
            self.focus()
        except BaseException:
            self.process.kill()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def _find_self(self):
        if self.process.poll() is not None:
            self.output.seek(0)
            sys.exit('the program ended with status %d: %s'
                     % (self.process.returncode, self.output.read()))
        for application in pyatspi.Registry.getDesktop(0):
            if application is not None and application.get_process_id() == self.process.pid:
                return application
        return None

    # What is there

    def all(self, role, under=None):
        return [each for each in walk(under or self.frame) if each.getRoleName() == role]

    def find(self, role, name=None, under=None, limit=15.0):
        """The first widget of a role, with a name when given; waits for it."""
        return until('%s %s' % (role, name or ''), lambda: next(
            (each for each in self.all(role, under) if name is None or each.name == name), None),
            limit)

    def window_named(self, title):
        """A dialog; by name, because the file chooser's role is only 'filler' in GTK 4.8."""
        return until('window %s' % title,
                     lambda: next((each for each in self.root if each.name == title), None))

    def picture(self):
        """The picture in the middle; its name is its title, its description what it is of."""
        return until('picture', lambda: next(
            (each for each in self.all('image')
             if 'attention weights' in each.name or 'compared' in each.name), None))

    def wait_title(self, part, limit=15.0):
        """Waits until the picture's title holds @part, and until nothing is on its way any more."""
        try:
            until('title %r' % part, lambda: part in self.picture().name, limit)
        except Missed as missed:
            raise Missed('%s; it is %r' % (missed, self.picture().name))

    def words(self):
        """Every text on the window, one a line."""
        return '\n'.join(text_of(each) for each in walk(self.frame)
                         if each.getRoleName() in ('label', 'status bar', 'text') and
                         'Text' in pyatspi.listInterfaces(each))

    def wait_words(self, part, limit=15.0):
        try:
            until('text %r' % part, lambda: part in self.words(), limit)
        except Missed as missed:
            raise Missed('%s; on the window:\n%s' % (missed, self.words()))

    # What one does

    def type(self, widget, text):
        widget.queryEditableText().setTextContents(text)
        until('text %r' % text, lambda: text_of(widget) == text)

    def set_value(self, widget, value):
        widget.queryValue().currentValue = value
        until('value %g' % value, lambda: widget.queryValue().currentValue == value)

    def press(self, widget):
        if not widget.queryAction().doAction(0):
            raise Missed('%s %r takes no press' % (widget.getRoleName(), widget.name))

    def focus(self):
        """Gives keys to one of the windows; which one is left to the X server."""
        self.id = until('X window', lambda: xdotool(
            'search', '--onlyvisible', '--pid', str(self.process.pid)).split()[-1])
        xdotool('windowfocus', '--sync', self.id)

    def keys(self, *names):
        xdotool('windowfocus', '--sync', self.id)
        xdotool('key', '--clearmodifiers', *names)

    def place(self, widget):
        """(x, y, width, height) on the screen; there is no window manager, so windows stand still."""
        box = widget.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
        lines = xdotool('getwindowgeometry', '--shell', self.id).splitlines()
        geometry = dict(line.split('=') for line in lines if '=' in line)
        return int(geometry['X']) + box.x, int(geometry['Y']) + box.y, box.width, box.height

    def point(self, widget, across=0.5, down=0.5, click=0):
        """Move the pointer to a part of a widget, and click so many times."""
        x, y, width, height = self.place(widget)
        xdotool('mousemove', '--sync', str(int(x + across * width)), str(int(y + down * height)))
        if click:
            xdotool('click', '--repeat', str(click), '--delay', '60', '1')

    def clipboard(self):
        """The text another program gets when it pastes."""
        done = subprocess.run(['/usr/bin/python3', '-c', PASTE], capture_output=True, text=True,
                              timeout=5)
        assert done.returncode == 0, done.stderr
        return done.stdout

    # What it looks like and costs

    def pixels(self, widget=None):
        """What is on the screen, as the bytes of an image without a header."""
        command = ['import', '-window', 'root']
        if widget is not None:
            x, y, width, height = self.place(widget)
            command += ['-crop', '%dx%d+%d+%d' % (width, height, x, y)]
        done = subprocess.run([*command, '-depth', '8', 'rgb:-'], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def memory_kb(self):
        """Resident memory without file pages, which come and go with the file cache."""
        with open('/proc/%d/status' % self.process.pid, encoding='ascii') as file:
            return next(int(line.split()[1]) for line in file if line.startswith('RssAnon'))

    # How it ends

    def ended(self, limit=10.0):
        """(exit status, everything printed) once the program has gone by itself."""
        try:
            status = self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise Missed('the program still runs after %.0f s' % limit) from None
        self.output.seek(0)
        return status, self.output.read()

    def terminate(self):
        self.process.send_signal(signal.SIGTERM)
        return self.ended()


def text_of(widget):
    """GTK 4.8 answers nothing to "up to the end", so the count is asked first."""
    text = widget.queryText()
    return text.getText(0, text.characterCount)
