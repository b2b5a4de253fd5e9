# SPDX-License-Identifier: MIT
"""A model by its name from a hub on the loopback, by keys alone: asked for, downloaded, looked at; then from
what is on this computer, without any hub; failures leave the window as it was. The real cache and the
network are never touched."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import driver  # noqa: E402
import pyatspi  # noqa: E402
import tap  # noqa: E402

HUB = os.path.join(driver.BUILD, 'tests', 'hub', 'fake-hub')
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data')
MODEL = os.path.join(DATA, 'golden', 'models', 'bert')
NAME = 'tiny/bert'
TEXT = 'Beijing is old.'
place = tempfile.TemporaryDirectory()
program = None


class Hub:
    """The fake hub, and the surroundings in which programs find it and an empty cache."""

    def __init__(self, *rules):
        arguments = [word for rule in rules for word in ('--rule', rule)]
        self.process = subprocess.Popen([HUB, *arguments, '%s=%s' % (NAME, MODEL)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith('http://127.0.0.1:'), self.url

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)

    def env(self, home):
        return surroundings(home, HF_ENDPOINT=self.url)


def surroundings(home, **more):
    nothing = dict.fromkeys(('http_proxy', 'https_proxy', 'all_proxy', 'HTTP_PROXY', 'HTTPS_PROXY',
                             'ALL_PROXY', 'HF_HUB_CACHE', 'HF_TOKEN', 'HF_HUB_OFFLINE'), '')
    return {**nothing, 'no_proxy': '*', 'HF_HOME': home, 'HF_ENDPOINT': 'http://127.0.0.1:9', **more}


def dialog():
    return program.window_named('Models')


def focused():
    return next((each for each in driver.walk(dialog())
                 if each.getState().contains(pyatspi.STATE_FOCUSED)), None)


def tab_to(part):
    """Tab until a widget whose name holds @part has the keys."""
    for _ in range(30):
        widget = driver.until('focus', focused)
        if part in widget.name:
            return
        before = widget
        program.keys('Tab')
        driver.until('another focus', lambda: focused() not in (None, before))
    raise driver.Missed('Tab never comes to %r' % part)


def words_of_dialog():
    return '\n'.join(driver.text_of(each) for each in driver.walk(dialog())
                     if 'Text' in pyatspi.listInterfaces(each))


def wait_words(part):
    try:
        driver.until('text %r' % part, lambda: part in words_of_dialog())
    except driver.Missed as missed:
        raise driver.Missed('%s; in the dialog:\n%s' % (missed, words_of_dialog()))


def open_dialog():
    program.keys('ctrl+m')
    dialog()
    program.focus()


def look_up(name):
    program.type(program.find('text', 'Name of a model on the Hub', under=dialog()), name)
    tab_to('Look up')
    program.keys('space')


def fetch_by_keys():
    global program
    home = os.path.join(place.name, 'keys')
    with Hub() as hub, driver.Program('--text', TEXT, env=hub.env(home)) as program:
        program.wait_title('Layer 1, head 1')
        open_dialog()
        tab_to('Get a model')
        program.keys('space')
        wait_words(hub.url)
        assert not os.path.exists(os.path.join(home, 'hub'))
        look_up(NAME)
        wait_words('3 layers × 4 heads')
        tab_to('Download: ' + NAME)
        program.keys('space')
        wait_words('Downloaded and checked')
        tab_to('Open: ' + NAME)
        program.keys('space')
        program.focus()
        driver.until('picture of the model', lambda: NAME in program.picture().get_description())
    assert os.path.exists(os.path.join(home, 'hub', 'models--tiny--bert', 'refs', 'main'))


def opened_without_hub():
    global program
    home = os.path.join(place.name, 'keys')  # what the case before has downloaded
    with driver.Program('--text', TEXT, env=surroundings(home, HF_HUB_OFFLINE='1')) as program:
        program.wait_title('Layer 1, head 1')
        open_dialog()
        wait_words('3 layers × 4 heads')
        program.find('push button', 'Open', under=dialog())
        driver.xdotool('type', 'tiny')  # the filter has the keys
        driver.until('filtered list', lambda: 'Built-in' not in words_of_dialog())
        program.keys('Return')
        driver.until('row with the keys', lambda: focused() and NAME in focused().name)
        program.keys('Return')
        program.focus()
        driver.until('picture of the model', lambda: NAME in program.picture().get_description())


def resumes_after_restart():
    global program
    home = os.path.join(place.name, 'restart')
    config = os.path.join(place.name, 'config')
    kept = dict(GSETTINGS_BACKEND='keyfile', XDG_CONFIG_HOME=config)
    with Hub('GET *model.safetensors drip=400') as hub:
        with driver.Program('--text', TEXT, env=dict(hub.env(home), **kept)) as program:
            program.wait_title('Layer 1, head 1')
            open_dialog()
            tab_to('Get a model')
            program.keys('space')
            look_up(NAME)
            tab_to('Download: ' + NAME)
            program.keys('space')
            wait_words('/s')
            # leaving asks first, and goes on where that is not meant
            for answer in ('Go on downloading', 'Quit'):
                program.keys('ctrl+q')
                asked = program.window_named('Quit')
                program.press(program.find('push button', answer, under=asked))
                driver.until('no question', lambda: program.process.poll() is not None or
                             all(each.name != 'Quit' for each in program.root))
                if answer != 'Quit':
                    program.focus()
            status, output = program.ended()
            assert status == 0, output
    with Hub() as hub, driver.Program('--text', TEXT, env=dict(hub.env(home), **kept)) as program:
        program.wait_title('Layer 1, head 1')
        open_dialog()
        tab_to('Get a model')
        program.keys('space')
        tab_to('Resume: ' + NAME)
        program.keys('space')
        wait_words('Downloaded and checked')


def failure_leaves_all():
    global program
    home = os.path.join(place.name, 'failure')
    with Hub('* * status=403') as hub, driver.Program('--text', TEXT, env=hub.env(home)) as program:
        program.wait_title('Layer 1, head 1')
        open_dialog()
        tab_to('Get a model')
        program.keys('space')
        look_up('nobody/nothing')
        tab_to('Try again: nobody/nothing')
        assert 'nobody/nothing' in words_of_dialog()
        program.keys('Escape')
        program.focus()
        program.wait_title('Layer 1, head 1')
        assert NAME not in program.picture().get_description()


sys.exit(tap.run([
    ('by its name, with keys alone, to a picture', fetch_by_keys),
    ('from this computer, without any hub', opened_without_hub),
    ('a download goes on after another start', resumes_after_restart),
    ('a failure leaves all as it was', failure_leaves_all),
]))
