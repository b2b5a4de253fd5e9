# SPDX-License-Identifier: MIT
"""Random input on the real window: no warning, no crash, no long pause, no leak.

  tests/gui-env.sh monkey.py BUILD [PREFIX] [--seconds N] [--seed N]      60 seconds without the option

Run by hand: a seed may also close the last window, or open a menu of a window that is off the screen.
The same seed gives the same steps; what the program makes of them depends on its speed as well."""
import argparse
import os
import random
import re
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
PARSER.add_argument('--seed', type=int, default=1)
OPTIONS = PARSER.parse_args()

WATCH = os.path.join(os.path.abspath(OPTIONS.build), 'tests', 'e2e', 'watch-loop.so')
MOST_MS = 100  # of the main thread's CPU time between two waits for events
MOST_GROWTH_KB = 40 << 10
MOST_WINDOWS = 3
LOOK_AGAIN = 8  # seconds
CHOOSERS = '^(Save|Open|Choose|Export to|Add|Select)'  # titles of file choosers
START_TEXT = 'The animal did not cross the street because it was too tired.'
TEXTS = [
    '', ' ', '\n\n', 'A.', '[MASK]', 'A cat [MASK] on the mat.', '第三層的第五個頭在看哪一個字？',
    '她说：“好的。”', 'שלום עולם', 'مرحبا بالعالم', 'e\u0301\u0323 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1f9\U0001f1fc',
    'a\u0000b'.replace('\u0000', '\u0001'), '\ufeff\u200b\u202eabc\u202c', 'word ' * 60, '貓' * 200,
    'The quick brown fox jumps over the lazy dog. ' * 60, 'x' * 3000, '_underscore_ <b>&amp; %s %n',
]
KEYS = [
    'ctrl+1', 'ctrl+2', 'ctrl+3', 'ctrl+4', 'ctrl+5', 'ctrl+6', 'alt+Right', 'alt+Left', 'alt+Up',
    'alt+Down', 'Up', 'Down', 'Left', 'Right', 'Home', 'End', 'Page_Up', 'Page_Down', 'ctrl+Home',
    'ctrl+End', 'Tab', 'Tab', 'shift+Tab', 'Escape', 'Escape', 'Return', 'space', 'BackSpace',
    'Delete', 'ctrl+a', 'ctrl+z', 'ctrl+shift+z', 'ctrl+c', 'ctrl+v', 'ctrl+x', 'ctrl+f', 'ctrl+l',
    'ctrl+plus', 'ctrl+minus', 'ctrl+0', 'F1', 'F10', 'ctrl+e', 'ctrl+comma', 'ctrl+shift+c',
    'ctrl+n', 'ctrl+w', 'ctrl+question', 'Menu', 'shift+F10', 'ctrl+shift+e', 'alt+l', 'alt+h',
]


class Monkey:
    def __init__(self, program, seed):
        self.program = program
        self.dice = random.Random(seed)
        self.log = []
        self.counts = {}
        self.known = {}  # role: (when it was looked for, widgets); the walk takes most of a second

    def note(self, *what):
        self.log.append('%.3f %s' % (time.monotonic() * 1e3, ' '.join(str(each) for each in what)))
        del self.log[:-25]

    def windows(self, *conditions):
        """X ids of the program's windows on the screen."""
        return driver.subprocess.run(['xdotool', 'search', '--onlyvisible', '--all', '--pid',
                                      str(self.program.process.pid), *conditions],
                                     capture_output=True, text=True).stdout.split()

    def do(self, *arguments):
        """One xdotool run; a window may go while it is worked on."""
        self.note('xdotool', *arguments)
        driver.subprocess.run(['xdotool', *map(str, arguments)], capture_output=True)

    def somewhere(self):
        return self.dice.randrange(1280), self.dice.randrange(1000)

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
        if 'ctrl+w' in names and len(self.windows('--name', '^Headscope$')) < 2:
            names = [name for name in names if name != 'ctrl+w']
        if 'ctrl+n' in names and len(self.windows()) >= MOST_WINDOWS:
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

    def drag(self):
        x, y = self.somewhere()
        to = self.somewhere()
        between = (x + to[0]) // 2, (y + to[1]) // 2
        self.do('mousemove', x, y, 'mousedown', 1, 'mousemove', *between, 'mousemove', *to,
                'mouseup', 1)

    def resize(self):
        windows = self.windows()
        if windows:
            size = self.dice.choice([(340, 300), (480, 360), (800, 600), (1280, 1000), (1180, 800),
                                     (self.dice.randint(300, 1280), self.dice.randint(300, 1000))])
            self.do('windowsize', self.dice.choice(windows), *size)

    def focus(self):
        windows = self.windows()
        if windows:
            window = self.dice.choice(windows)
            self.do('windowraise', window, 'windowfocus', window)

    def text(self):
        fields = self.widgets('text')
        if fields:
            field, text = self.dice.choice(fields), self.dice.choice(TEXTS)
            self.note('text', field.name, repr(text[:30]))
            field.queryEditableText().setTextContents(text)

    def press(self):
        buttons = self.widgets('push button', 'toggle button', 'menu item', 'check menu item',
                               'radio menu item')
        if buttons:
            button = self.dice.choice(buttons)
            self.note('press', button.getRoleName(), button.name)
            if button.name not in ('Quit', 'Close'):
                button.queryAction().doAction(0)

    def spin(self):
        spins = self.widgets('spin button')
        if spins:
            spin, value = self.dice.choice(spins), self.dice.choice([0, 1, 2, 3, 5, 8, 1e9])
            self.note('spin', spin.name, value)
            spin.queryValue().currentValue = value

    def step(self):
        steps = {self.keys: 30, self.letters: 6, self.click: 18, self.hover: 12, self.wheel: 10,
                 self.drag: 6, self.resize: 4, self.focus: 5, self.text: 5, self.press: 8,
                 self.spin: 5}
        step = self.dice.choices(list(steps), list(steps.values()))[0]
        self.counts[step.__name__] = self.counts.get(step.__name__, 0) + 1
        try:
            step()
        except driver.GONE:
            pass  # what it was about to use has been closed
        self.leave_choosers()

    def leave_choosers(self):
        """A file chooser reaches the whole disk: it is closed before the next step."""
        for window in self.windows('--name', CHOOSERS):
            self.do('windowfocus', window, 'key', 'Escape')


def rounds(path, start_ms):
    """(CPU milliseconds of the longer rounds since @start_ms, number of all rounds)."""
    longer, n = [], 0
    with open(path, encoding='ascii') as file:
        for line in file:
            first, second = line.split()
            if first == 'all':
                n = int(second)
            elif float(first) >= start_ms:
                longer.append((float(second), float(first)))
    return sorted(longer, reverse=True), n


def settle(program):
    """One window, a short text, the plain view: what memory is compared in."""
    for _ in range(20):
        driver.xdotool('key', 'Escape')
        found = driver.xdotool('search', '--onlyvisible', '--pid', str(program.process.pid))
        if len(found.split()) == 1:
            break
        program.focus()
        driver.xdotool('key', 'ctrl+w')
        time.sleep(0.3)
    program.focus()
    program.frame = next(each for each in program.root if each.getRoleName() == 'frame')
    driver.xdotool('windowsize', program.id, '1180', '800')
    program.keys('Escape', 'Escape', 'ctrl+1', 'ctrl+0')
    program.type(program.find('text', 'Text'), START_TEXT)
    time.sleep(1.5)
    return program.memory_kb()


def monkey():
    with tempfile.TemporaryDirectory() as folder:
        watch = os.path.join(folder, 'rounds')
        env = {'LD_PRELOAD': WATCH, 'WATCH_LOOP': watch, 'G_DEBUG': ''}  # the library decides
        with driver.Program('--text', START_TEXT, env=env) as program:
            program.wait_title('Layer 1')
            monkey = Monkey(program, OPTIONS.seed)
            start = time.monotonic()
            n_steps, before = 0, None
            try:
                while time.monotonic() - start < OPTIONS.seconds:
                    monkey.step()
                    n_steps += 1
                    time.sleep(monkey.dice.choice([0, 0, 0.01, 0.05]))
                    if before is None and time.monotonic() - start > OPTIONS.seconds / 4:
                        before = settle(program)
                    assert program.process.poll() is None, 'the program ended'
                after = settle(program)
                status, output = program.terminate()
            except BaseException:
                program.output.seek(0)
                print('# seed %d, step %d' % (OPTIONS.seed, n_steps))
                said = [line for line in program.output.read().splitlines() if line.strip()]
                for line in said[-70:] + monkey.log:
                    print('# ' + line)
                raise
        longer, n = rounds(watch, start * 1e3)
    over = [each for each in longer if each[0] > MOST_MS]
    print('# seed %d: %d steps in %.0f s: %s' % (
        OPTIONS.seed, n_steps, OPTIONS.seconds,
        ', '.join('%d %s' % (count, name) for name, count in sorted(monkey.counts.items()))))
    print('# %d rounds of the main loop, %d over %d ms of CPU time; the longest %s ms' % (
        n, len(over), MOST_MS, ', '.join('%.0f' % ms for ms, _ in longer[:5])))
    print('# %d kB before, %d kB after' % (before, after))
    if over or status != 0:
        for line in output.splitlines()[-400:]:
            print('# ' + line)
    assert status == 0, 'exit status %d' % status
    known = re.findall(r'WARNING.*: (.*)', output)
    print('# %d warnings that are GTK\'s own%s' % (len(known), ': ' + known[0] if known else ''))
    assert not over, '%d rounds took over %d ms' % (len(over), MOST_MS)
    assert after - before < MOST_GROWTH_KB, 'grew by %d kB' % (after - before)


sys.exit(tap.run([('%.0f seconds of random input' % OPTIONS.seconds, monkey)]))
