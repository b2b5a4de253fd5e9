# SPDX-License-Identifier: MIT
"""Random input on the real windows: no warning, no crash, no long pause, nothing that grows.

  tests/gui-env.sh test-monkey.py BUILD [PREFIX] [--seconds N] [--seed N]    60 seconds without the option

The same seed gives the same steps; what the program makes of them depends on its speed as well. Where
the steps end the program in an orderly way (Quit in the menu), the next run must come up as it was left.
Warnings that are GTK 4.8's own are listed, with the reason, in watch-loop.c; they are counted here.

Windows stay on the screen, as a window manager would see to: no drag begins in a title bar, a window
that sticks out is moved and shrunk, a popover is closed before its window is given another size, and no
button is pressed that is scrolled away to beyond the screen. Half an hour of other seeds still gets a
popover beyond the screen now and then."""
import argparse
import collections
import ctypes
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import tap  # noqa: E402

PARSER = argparse.ArgumentParser()
PARSER.add_argument('build')
PARSER.add_argument('prefix', nargs='?')
PARSER.add_argument('--seconds', type=float, default=60)
PARSER.add_argument('--seed', type=int, default=4)
OPTIONS = PARSER.parse_args()

WATCH = os.path.join(os.path.abspath(OPTIONS.build), 'tests', 'e2e', 'watch-loop.so')
DROPPER = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'dropper.py')
SCREEN = 1280, 1000
TITLE_BAR = 72  # pixels from a window's upper edge, with a shadow
MOST_MS = 100  # of the main thread's CPU time between two waits for events
# The shipped model takes 24 MB each time that it is opened. One window has two at most, its A and B, and
# the picture that was copied last those it was made from: four, which half an hour of seed 12 came to; seeds
# 13 and 21 came to two and three. What was allocated besides grew by 14 MB in the first three minutes of
# seed 12 (letters, fonts, AT-SPI's messages, what can be undone) and by half a megabyte in each of the others.
# All weights of 512 tokens are 34 MB more while a copied picture or a B has them: 46 MB at most with seed 12,
# 23 with 13, 41 with 21.
MODEL_KB = 24 << 10
MOST_MODELS = 4
MOST_GROWTH_KB = 64 << 10
MOST_WINDOWS = 3
LOOK_AGAIN = 8  # seconds
SETTLE_EVERY = 60  # seconds of steps
PACE = 0.2  # seconds from one step to the next, at least: a fast machine gets no further than a slow one
MAIN, POPOVER = 'Headscope', 'headscope'  # titles of windows that show pictures, and of popovers
OF_A_DRAG = -99  # where GDK keeps the window, one pixel large, that stands for a drag until its end
CHOOSERS = re.compile('Save|Open|Choose|Export to|Add|Select|Where')  # how file choosers' titles begin
START_TEXT = 'The animal did not cross the street because it was too tired.'
TEXTS = [
    '', ' ', '\n\n', 'A.', '[MASK]', 'A cat [MASK] on the mat.', '第三層的第五個頭在看哪一個字？',
    '她说：“好的。”', 'שלום עולם', 'مرحبا بالعالم', 'e\u0301\u0323 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1f9\U0001f1fc',
    'a\u0001b', '\ufeff\u200b\u202eabc\u202c', 'word ' * 60, '貓' * 200,
    'The quick brown fox jumps over the lazy dog. ' * 60, 'x' * 3000, '_underscore_ <b>&amp; %s %n',
]
VIEWS = ['ctrl+1', 'ctrl+2', 'ctrl+3', 'ctrl+4', 'ctrl+5', 'ctrl+6', 'ctrl+7']
KEYS = VIEWS + [
    'alt+Right', 'alt+Left', 'alt+Up', 'alt+Down', 'Up', 'Down', 'Left', 'Right', 'Home', 'End',
    'Page_Up', 'Page_Down', 'ctrl+Home', 'ctrl+End', 'Tab', 'Tab', 'shift+Tab', 'Escape', 'Escape',
    'Return', 'space', 'BackSpace', 'Delete', 'ctrl+a', 'ctrl+z', 'ctrl+shift+z', 'ctrl+c', 'ctrl+v',
    'ctrl+x', 'ctrl+f', 'ctrl+g', 'ctrl+l', 'ctrl+plus', 'ctrl+minus', 'ctrl+0', 'F1', 'F10', 'ctrl+e',
    'ctrl+comma', 'ctrl+shift+c', 'ctrl+n', 'ctrl+w', 'ctrl+o', 'ctrl+s', 'ctrl+m', 'ctrl+shift+o',
    'Menu', 'shift+F10',
    'alt+l', 'alt+h', 'alt+w',
]
ROLES = ('push button', 'toggle button', 'menu item', 'check menu item', 'radio menu item')


class Monkey:
    def __init__(self, program, dice, files):
        self.program = program
        self.dice = dice
        self.files = files  # to be opened and dropped
        self.log = []
        self.counts = {}
        self.known = {}  # role: (when it was looked for, widgets); the walk takes most of a second
        self.pid = str(program.process.pid)
        self.title_bars = []  # (x, y, width) of windows as they were after the step before

    def note(self, *what):
        self.log.append('%.3f %s' % (time.monotonic() * 1e3, ' '.join(str(each) for each in what)))
        del self.log[:-200]  # sixty tries to close a window, and what came before

    def windows(self):
        """(X id, title) of the program's windows on the screen; an alert's title is empty."""
        found = subprocess.run(['xdotool', 'search', '--onlyvisible', '--pid', self.pid],
                               capture_output=True, text=True).stdout.split()
        named = [(window, subprocess.run(['xdotool', 'getwindowname', window], capture_output=True,
                                         text=True).stdout.strip()) for window in found]
        return [(window, title) for window, title in named
                if title != POPOVER or geometry(window).get('X') != OF_A_DRAG]

    def main_windows(self):
        return [window for window, title in self.windows() if title == MAIN]

    def do(self, *arguments):
        """One xdotool run; a window may go while it is worked on."""
        self.note('xdotool', *arguments)
        subprocess.run(['xdotool', *map(str, arguments)], capture_output=True)

    def somewhere(self):
        return self.dice.randrange(SCREEN[0]), self.dice.randrange(SCREEN[1])

    def outside_title_bars(self):
        while True:
            x, y = self.somewhere()
            if not any(left <= x < left + width and top <= y < top + TITLE_BAR
                       for left, top, width in self.title_bars):
                return x, y

    def widgets(self, *roles):
        when, found = self.known.get(roles, (0, []))
        if time.monotonic() - when > LOOK_AGAIN or not found:
            found = [each for top in self.program.root for each in driver.walk(top)
                     if each.getRoleName() in roles]
            self.known[roles] = time.monotonic(), found
        return found

    # The steps

    def keys(self):
        names = self.dice.choices(KEYS, k=self.dice.randint(1, 4))
        if 'ctrl+n' in names and len(self.main_windows()) >= MOST_WINDOWS:
            names = [name for name in names if name != 'ctrl+n']
        if names:
            self.do('key', *names)

    def letters(self):
        self.do('type', '--delay', 5, ''.join(self.dice.choices('abc de, [].12', k=12)))

    def click(self):
        x, y = self.somewhere()
        self.do('mousemove', x, y, 'click', '--repeat', self.dice.choice([1, 1, 1, 2, 3]),
                '--delay', 30, self.dice.choice([1, 1, 1, 1, 2, 3]))

    def hover(self):
        moves = []
        for _ in range(self.dice.randint(1, 8)):
            moves += ['mousemove', *self.somewhere()]
        self.do(*moves)

    def wheel(self):
        x, y = self.somewhere()
        step = ['click', '--repeat', self.dice.randint(1, 8), '--delay', 5,
                self.dice.choice([4, 5, 4, 5, 6, 7])]
        if self.dice.random() < 0.3:
            step = ['keydown', 'ctrl', *step, 'keyup', 'ctrl']
        self.do('mousemove', x, y, *step)

    def drag_to(self, x, y):
        to = self.somewhere()
        between = (x + to[0]) // 2, (y + to[1]) // 2
        self.do('mousemove', x, y, 'mousedown', 1, 'mousemove', *between, 'sleep', 0.02, 'mousemove',
                *to, 'sleep', 0.05, 'mouseup', 1)

    def drag(self):
        self.drag_to(*self.outside_title_bars())

    def drop(self):
        """Something of another program: a text, a file of it, a session, a model, what is no text."""
        x, y = self.files.drag_from()
        self.drag_to(x, y)

    def resize(self):
        windows = self.main_windows()
        if windows:
            size = self.dice.choice([(340, 300), (480, 360), (800, 600), SCREEN, (1180, 800),
                                     (self.dice.randint(300, 1280), self.dice.randint(300, 1000))])
            window = self.dice.choice(windows)
            self.do('windowfocus', window, 'key', 'Escape', 'windowsize', window, *size)

    def focus(self):
        windows = self.windows()
        if windows:
            window = self.dice.choice(windows)[0]
            self.do('windowraise', window, 'windowfocus', window)

    def text(self):
        fields = self.widgets('text')
        if fields:
            field, text = self.dice.choice(fields), self.dice.choice(TEXTS)
            self.note('text', field.name, repr(text[:30]))
            field.queryEditableText().setTextContents(text)

    def press(self):
        buttons = self.widgets(*ROLES)
        if buttons:
            button = self.dice.choice(buttons)
            self.note('press', button.getRoleName(), button.name)
            if button.name not in ('Quit', 'Close') and in_sight(button):
                button.queryAction().doAction(0)

    def spin(self):
        spins = self.widgets('spin button')
        if spins:
            spin, value = self.dice.choice(spins), self.dice.choice([0, 1, 2, 3, 5, 8, 1e9])
            self.note('spin', spin.name, value)
            spin.queryValue().currentValue = value

    def open(self):
        """A second start, which asks this run to open a window."""
        if len(self.main_windows()) < MOST_WINDOWS:
            what = self.dice.choice([['--new-window'], ['--text', self.dice.choice(TEXTS[3:8])],
                                     [self.files.session], [self.files.text], [self.files.folder]])
            self.note('open', *what)
            try:
                subprocess.run([driver.WINDOW, *what], env=self.files.env, cwd=self.files.place,
                               stdin=subprocess.DEVNULL, capture_output=True, timeout=30)
            except subprocess.TimeoutExpired:
                # this run was just ending, and the second start has opened a window of its own
                if self.program.process.poll() is None:
                    raise

    def step(self):
        steps = {self.keys: 30, self.letters: 6, self.click: 18, self.hover: 12, self.wheel: 10,
                 self.drag: 6, self.drop: 3, self.resize: 4, self.focus: 5, self.text: 5,
                 self.press: 8, self.spin: 5, self.open: 1}
        step = self.dice.choices(list(steps), list(steps.values()))[0]
        self.counts[step.__name__] = self.counts.get(step.__name__, 0) + 1
        try:
            step()
        except driver.GONE:
            pass  # what it was about to use has been closed
        self.put_right()

    def put_right(self):
        """File choosers, which reach the whole disk, are closed before the next step, and windows brought
        back to the screen. There are two at least, so that the last one is seldom closed."""
        windows = self.windows()
        for window, title in windows:
            if CHOOSERS.match(title):
                self.do('windowfocus', window, 'key', 'Escape')
        main = [window for window, title in windows if title == MAIN]
        self.title_bars = []
        for window in [window for window, title in windows if title != POPOVER]:
            place = geometry(window)
            if not place:
                continue
            width, height = place['WIDTH'], place['HEIGHT']
            if width > SCREEN[0] or height > SCREEN[1]:
                width, height = min(width, SCREEN[0]), min(height, SCREEN[1])
                self.do('windowsize', window, width, height)
            if (place['X'] < 0 or place['Y'] < 0 or place['X'] + width > SCREEN[0]
                    or place['Y'] + height > SCREEN[1]):
                self.do('windowmove', window, 0, 0)
                place.update(X=0, Y=0)
            self.title_bars.append((place['X'], place['Y'], width))
        if len(main) == 1:
            self.do('windowfocus', main[0], 'key', 'Escape', 'Escape', 'ctrl+n')


def in_sight(widget):
    """Whether the widget is not scrolled away to beyond the screen; windows stand in its corner."""
    box = widget.queryComponent().getExtents(driver.pyatspi.WINDOW_COORDS)
    return 0 <= box.x + box.width // 2 < SCREEN[0] and 0 <= box.y + box.height // 2 < SCREEN[1]


def keyboard():
    """Who has the keys: another program's grab, keys that are held down and the window with the focus."""
    x11 = ctypes.CDLL('libX11.so.6')
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    x11.XDefaultRootWindow.restype = ctypes.c_ulong
    root = ctypes.c_ulong(x11.XDefaultRootWindow(display))
    held = ctypes.create_string_buffer(32)
    x11.XQueryKeymap(display, held)
    grabbed = x11.XGrabKeyboard(display, root, 0, 1, 1, ctypes.c_ulong(0))
    x11.XCloseDisplay(display)
    focus = subprocess.run(['xdotool', 'getwindowfocus'], capture_output=True, text=True)
    return 'keyboard %s, keys held %s, focus %s' % (
        'free' if grabbed == 0 else 'grabbed by a program (%d)' % grabbed,
        [code for code in range(256) if held.raw[code // 8] >> code % 8 & 1], focus.stdout.strip())


def takes_keys(monkey, window):
    """Whether Ctrl+N in @window opens another one, as every window that is not modal does."""
    before = monkey.main_windows()
    monkey.do('windowfocus', window, 'key', 'Escape', 'ctrl+n')
    end = time.monotonic() + 3
    while time.monotonic() < end:
        if len(monkey.main_windows()) > len(before):
            return True
        time.sleep(0.1)
    return False


class Files:
    """What is opened and dropped, and the program it is dropped from."""

    def __init__(self, folder, env):
        self.place = os.path.join(folder, 'place')  # where file choosers begin
        os.mkdir(self.place)
        self.text = os.path.join(folder, 'a text.txt')
        self.session = os.path.join(folder, 'a screen.headscope')
        self.binary = os.path.join(folder, 'no text')
        self.folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..',
                                   'resources', 'demo-model')
        self.env = env
        with open(self.text, 'w', encoding='utf-8') as file:
            file.write('One text of a file.\n')
        with open(self.binary, 'wb') as file:
            file.write(b'\x00\xff' * 100)
        self.process = subprocess.Popen(
            ['/usr/bin/python3', '-B', DROPPER, self.text, self.session, self.folder, self.binary],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.window = driver.until('dropper', lambda: driver.xdotool(
            'search', '--onlyvisible', '--pid', str(self.process.pid)).split()[-1])

    def drag_from(self):
        driver.xdotool('windowmove', self.window, '0', str(SCREEN[1] - 60), 'windowraise', self.window)
        return 30, SCREEN[1] - 30

    def close(self):
        self.process.kill()
        self.process.wait()


def geometry(window):
    done = subprocess.run(['xdotool', 'getwindowgeometry', '--shell', window], capture_output=True,
                          text=True)
    return {name: int(value) for name, value in re.findall(r'(\w+)=(-?\d+)', done.stdout)}


class Rounds:
    """What watch-loop wrote."""

    def __init__(self, path, start_ms):
        self.longer, self.n, self.heap = [], 0, []
        with open(path, encoding='ascii') as file:
            for line in file:
                words = line.split()
                if words[0] == 'all':
                    self.n += int(words[1])
                elif words[0] == 'heap':
                    self.heap.append((float(words[1]), int(words[2]) >> 10, int(words[3])))
                elif float(words[0]) >= start_ms:
                    self.longer.append((float(words[1]), float(words[0])))
        self.longer.sort(reverse=True)


def wait_idle(program):
    """Until the program has used no CPU time for a while."""
    def used():
        with open('/proc/%d/stat' % program.process.pid, encoding='ascii') as file:
            fields = file.read().rsplit(')', 1)[1].split()
        return int(fields[11]) + int(fields[12])

    end = time.monotonic() + 20
    before = used()
    while time.monotonic() < end:
        time.sleep(0.25)
        now = used()
        if now - before <= 1:
            return
        before = now


def one_window(program, monkey):
    """Closes all windows but one and everything that stands over it."""
    for attempt in range(60):
        windows = monkey.windows()
        main = [window for window, title in windows if title == MAIN]
        others = [window for window, title in windows if title != MAIN]
        if len(main) == 1 and not others:
            break
        # a dialog's Escape comes too late when it has gone by itself; it harms no window
        for window in others:
            monkey.do('windowfocus', window, 'key', 'Escape')
        if not others and len(main) > 1:
            # one by one: the keys of a window that is going would close the last one
            monkey.do('windowfocus', main[0], 'key', 'Escape', 'ctrl+w')
            end = time.monotonic() + 2
            while main[0] in monkey.main_windows() and time.monotonic() < end:
                time.sleep(0.05)
        time.sleep(0.05 + 0.01 * attempt)
    program.id = main[-1]
    program.frame = driver.until('one frame', lambda: only_frame(program))


def only_frame(program):
    """The window as AT-SPI sees it, once those that were closed are gone there, too."""
    frames = [each for each in program.root if each.name == MAIN]
    return frames[0] if len(frames) == 1 else None


def settle(program, monkey):
    """One window, a short text, the plain view: what is allocated is compared in it."""
    one_window(program, monkey)
    driver.xdotool('windowsize', program.id, '1180', '800', 'windowmove', program.id, '0', '0')
    program.keys('Escape', 'Escape', 'ctrl+1', 'ctrl+0')
    # by its place: another language may have been chosen
    program.type(program.find('text'), START_TEXT)
    wait_idle(program)
    time.sleep(1.2)  # the state is written, the heap told
    return time.monotonic() * 1e3, program.memory_kb()


def tour(program, monkey):
    """Everything once, so that caches are full before anything is compared: fonts, icons, templates."""
    field = program.find('text')
    for number, text in enumerate(TEXTS):
        program.type(field, text)
        program.keys(VIEWS[number % len(VIEWS)], 'alt+Right')
        wait_idle(program)
    for keys in (['ctrl+e'], ['ctrl+comma'], ['F1'], ['ctrl+f'], ['F10'], ['alt+w'], ['ctrl+n']):
        program.keys(*keys)
        wait_idle(program)
        one_window(program, monkey)
    program.keys('ctrl+1')


def save_session(program, files):
    program.wait_title('Layer 1')
    program.keys('ctrl+s')
    chooser = program.window_named('Save session')
    program.type(program.find('text', 'Name:', under=chooser), files.session)
    program.press(driver.until('Save button', lambda: next(
        (each for each in program.all('push button', chooser) if 'Save' in each.name), None)))
    driver.until('session', lambda: os.path.exists(files.session))


class Run:
    """The program from one start to its end, and what it had before and after."""

    def __init__(self, dice, env, files, counts):
        self.program = driver.Program(*([] if files.env else ['--text', START_TEXT]), env=env,
                                      cwd=files.place)
        files.env = dict(os.environ, **{name: value for name, value in env.items()
                                        if name.startswith('XDG')})
        self.monkey = Monkey(self.program, dice, files)
        self.monkey.counts = counts
        self.files = files
        self.levels = []  # (when, resident kB) each time that one short text is all that is shown

    def prepare(self):
        one_window(self.program, self.monkey)
        settle(self.program, self.monkey)
        if not os.path.exists(self.files.session):
            save_session(self.program, self.files)
        tour(self.program, self.monkey)
        self.levels.append(settle(self.program, self.monkey))
        self.start = time.monotonic()

    def ended(self):
        return self.program.process.poll() is not None

    def steps(self, seconds):
        """(number of steps done, seconds they took)."""
        n, spent, start = 0, 0.0, time.monotonic()
        while not self.ended():
            if time.monotonic() - start >= min(SETTLE_EVERY, seconds - spent):
                spent += time.monotonic() - start
                self.levels.append(settle(self.program, self.monkey))
                if spent >= seconds:
                    break
                start = time.monotonic()
            begun = time.monotonic()
            self.monkey.step()
            n += 1
            time.sleep(max(begun + PACE - time.monotonic(), 0))
        else:
            spent += time.monotonic() - start  # it has been quit
        return n, spent

    def report(self, number):
        print('# seed %d, run %d' % (OPTIONS.seed, number))
        if self.program.process.poll() is None:
            self.program.process.send_signal(signal.SIGUSR2)  # watch-loop.c lists dialogs and popovers
            time.sleep(1)
        self.program.output.seek(0)
        said = [line for line in self.program.output.read().splitlines() if line.strip()]
        said = [line for line in said if '-DEBUG: ' not in line]
        for line in said[-150:] + self.monkey.log:
            print('# ' + line)
        print('# ' + keyboard())
        for window, title in self.monkey.windows():
            print('# window %s %r %s, %s' % (
                window, title, geometry(window),
                'takes keys' if takes_keys(self.monkey, window) else 'takes no keys'))
        print('# accessible: %s' % [(each.getRoleName(), each.name) for each in self.program.root])


def monkey():
    dice = random.Random(OPTIONS.seed)
    counts, output, levels = {}, '', []
    n_steps, seconds, number, start = 0, 0.0, 0, None
    with tempfile.TemporaryDirectory() as folder:
        watch = os.path.join(folder, 'rounds')
        env = {'LD_PRELOAD': WATCH, 'WATCH_LOOP': watch, 'G_DEBUG': '', 'HF_HUB_OFFLINE': '1',
               'XDG_STATE_HOME': os.path.join(folder, 'state')}
        files = Files(folder, None)
        try:
            while seconds < OPTIONS.seconds:
                number += 1
                run = Run(dice, env, files, counts)
                with run.program:
                    try:
                        run.prepare()
                        start = start or run.start
                        done, spent = run.steps(OPTIONS.seconds - seconds)
                        n_steps += done
                        seconds += max(spent, 1)
                        levels.append(run.levels)
                        if not run.ended():
                            status, said = run.program.terminate()
                        else:
                            status, said = run.program.ended()
                        output += said
                        assert status == 0, 'exit status %d' % status
                    except BaseException:
                        try:
                            run.report(number)
                        except driver.GONE:
                            pass  # it has ended
                        raise
        finally:
            files.close()
        rounds = Rounds(watch, start * 1e3)
    judge(rounds, levels, output, counts, n_steps, number)


def judge(rounds, levels, output, counts, n_steps, n_runs):
    over = [each for each in rounds.longer if each[0] > MOST_MS]
    print('# seed %d: %d steps in %.0f s and %d runs: %s' % (
        OPTIONS.seed, n_steps, OPTIONS.seconds, n_runs,
        ', '.join('%d %s' % (count, name) for name, count in sorted(counts.items()))))
    print('# %d rounds of the main loop, %d over %d ms of CPU time; the longest %s ms' % (
        rounds.n, len(over), MOST_MS, ', '.join('%.0f' % ms for ms, _ in rounds.longer[:8])))
    growths, most_models = [0], 0
    for run in levels:
        heaps = [[each for each in rounds.heap if each[0] <= moment][-1] for moment, _ in run]
        rest = [kb - n_models * MODEL_KB for _, kb, n_models in heaps]
        growths += [each - rest[0] for each in rest]
        most_models = max(most_models, *(n_models for _, _, n_models in heaps))
        print('# allocated: %s kB; resident: %s kB' % (
            ', '.join('%d (%d models)' % each[1:] for each in heaps),
            ', '.join(str(resident) for _, resident in run)))
    print('# at most %d models; %d kB more than at the start besides' % (most_models, max(growths)))
    known = collections.Counter(
        re.sub(r'0x[0-9a-f]+', '', each).strip()
        for each in re.findall(r'(?:WARNING|CRITICAL) \*\*: [0-9:.]+: (.*)', output))
    print('# %d warnings that are GTK\'s own' % sum(known.values()))
    for message, count in known.most_common():
        print('#   %d times: %s' % (count, message))
    if over:
        for line in output.splitlines()[-400:]:
            print('# ' + line)
    assert not over, '%d rounds took over %d ms' % (len(over), MOST_MS)
    assert most_models <= MOST_MODELS, '%d models are kept' % most_models
    assert max(growths) < MOST_GROWTH_KB, 'grew by %d kB' % max(growths)


sys.exit(tap.run([('%.0f seconds of random input' % OPTIONS.seconds, monkey)]))
