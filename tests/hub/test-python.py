# SPDX-License-Identifier: MIT
"""One cache for two: Python's own library and this program read what the other downloaded, from the
tests' hub. Skipped, with the reason, where the library is not there: tests/run provides it in
HEADSCOPE_HUB_PYTHON (a Python) and HEADSCOPE_HUB_PACKAGES (the folder it is installed in)."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
sys.dont_write_bytecode = True
import tap  # noqa: E402

CLI, FAKE_HUB = sys.argv[1:3]
PYTHON = os.environ.get('HEADSCOPE_HUB_PYTHON')
PACKAGES = os.environ.get('HEADSCOPE_HUB_PACKAGES')
DEMO = os.path.join(os.environ['HEADSCOPE_DATA_DIR'], 'demo-model')
NAME = 'some/demo'

# Prints what the library makes of the cache, as JSON.
LOOK = '''
import json, sys
from huggingface_hub import scan_cache_dir, snapshot_download, try_to_load_from_cache
seen = scan_cache_dir()
print(json.dumps({
    "warnings": [str(w) for w in seen.warnings],
    "incomplete": len(seen.incomplete_files),
    "repos": {r.repo_id: {"size": r.size_on_disk, "files": r.nb_files,
                          "revisions": {v.commit_hash: sorted(v.refs) for v in r.revisions}}
              for r in seen.repos},
    "config": try_to_load_from_cache(sys.argv[1], "config.json"),
    "folder": snapshot_download(sys.argv[1], local_files_only=True),
}))
'''
DOWNLOAD = '''
import sys
from huggingface_hub import snapshot_download
print(snapshot_download(sys.argv[1], revision=sys.argv[2] if len(sys.argv) > 2 else None))
'''


class Hub:
    """The tests' hub with the shipped model, and an empty cache."""

    def __init__(self):
        if not PYTHON or not PACKAGES:
            raise tap.Skip('HEADSCOPE_HUB_PYTHON and HEADSCOPE_HUB_PACKAGES name no '
                           'huggingface_hub')
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix='headscope-python-'))
        self.other = os.path.join(self.folder, 'next')
        shutil.copytree(DEMO, self.other)
        with open(os.path.join(self.other, 'vocab.txt'), 'a', encoding='utf-8') as file:
            file.write('anotherword\n')
        self.hub = subprocess.Popen([FAKE_HUB, '%s=%s' % (NAME, DEMO),
                                     '%s@next=%s' % (NAME, self.other)],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.cache = os.path.join(self.folder, 'home', 'hub')
        self.env = dict(os.environ, HF_ENDPOINT=self.hub.stdout.readline().strip(),
                        HF_HOME=os.path.join(self.folder, 'home'), HF_HUB_DISABLE_TELEMETRY='1',
                        HF_HUB_DISABLE_UPDATE_CHECK='1', HF_HUB_DISABLE_PROGRESS_BARS='1')
        for name in ('HF_HUB_CACHE', 'HUGGINGFACE_HUB_CACHE', 'HF_TOKEN', 'HF_HUB_OFFLINE',
                     'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'):
            self.env.pop(name, None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hub.stdin.close()
        self.hub.wait(timeout=30)
        self.hub.stdout.close()
        shutil.rmtree(self.folder)

    def run(self, command, env=None):
        done = subprocess.run(command, env=env or self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, '%s: %s' % (' '.join(command[:4]), done.stderr)
        return done.stdout

    def python(self, program, *arguments):
        return self.run([PYTHON, '-c', program, *arguments], dict(self.env, PYTHONPATH=PACKAGES))

    def ours(self, *arguments):
        return json.loads(self.run([CLI, *arguments]))

    def look(self):
        return json.loads(self.python(LOOK, NAME))

    def cached(self):
        """What our list has of the model: commit -> entry."""
        models = self.ours('models')['models']
        return {m['commit']: m for m in models if m['name'] == NAME}


def same(found, wanted):
    assert found == wanted, 'found %r, wanted %r' % (found, wanted)


def check_both(hub):
    """Both sides see the same, and all is well."""
    seen, models = hub.look(), hub.cached()
    same(seen['warnings'], [])
    same(seen['incomplete'], 0)
    same(list(seen['repos']), [NAME])
    revisions = seen['repos'][NAME]['revisions']
    same(revisions, {commit: sorted(m['refs']) for commit, m in models.items()})
    for model in models.values():
        same((model['state'], model['reason'], model['layers'], model['heads']), ('usable', None, 4, 8))
    main = next(m for m in models.values() if 'main' in m['refs'])
    same(seen['folder'], main['folder'])
    same(seen['config'], os.path.join(main['folder'], 'config.json'))
    same(hub.ours('verify', '--all')['problems'], [])
    same(hub.ours('info', '--model', 'demo')['parameters'],
         hub.ours('info', '--model', NAME)['parameters'])
    if len(models) == 1:
        same(seen['repos'][NAME]['size'], main['bytes'])
    return models


def we_read_theirs():
    with Hub() as hub:
        folder = hub.python(DOWNLOAD, NAME).strip()
        models = check_both(hub)
        same([m['folder'] for m in models.values()], [folder])
        same(hub.ours('verify', NAME)['files'], len(os.listdir(DEMO)))


def they_read_ours():
    """What we fetched is Python's: it finds it without a network, and with one it downloads only what
    we had no use for."""
    with Hub() as hub:
        fetched = hub.ours('fetch', NAME)
        same(fetched['received'], fetched['bytes'])
        models = check_both(hub)
        same([m['folder'] for m in models.values()], [fetched['folder']])
        weights = os.path.realpath(os.path.join(fetched['folder'], 'model.safetensors'))
        before = os.stat(weights)
        same(hub.python(DOWNLOAD, NAME).strip(), fetched['folder'])
        after = os.stat(weights)
        same((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns))
        assert os.path.exists(os.path.join(fetched['folder'], 'MODEL_CARD.md'))
        check_both(hub)
        hub.ours('fetch', NAME + '@next')
        same(sorted(sum((m['refs'] for m in check_both(hub).values()), [])), ['main', 'next'])


def ours_after_theirs():
    """What Python downloaded we need not, also where it was interrupted."""
    with Hub() as hub:
        folder = hub.python(DOWNLOAD, NAME).strip()
        same(hub.ours('fetch', NAME)['received'], 0)
        weights = os.path.realpath(os.path.join(folder, 'model.safetensors'))
        size = os.path.getsize(weights)
        os.rename(weights, weights + '.0123abcd.incomplete')
        again = hub.ours('fetch', NAME)
        same(again['received'], size)
        assert os.path.exists(weights + '.0123abcd.incomplete')  # not ours to touch
        os.remove(weights + '.0123abcd.incomplete')
        check_both(hub)


def each_goes_on_with_the_others():
    """What one has is not downloaded again by the other, and the revisions stand side by side."""
    with Hub() as hub:
        hub.run([CLI, 'fetch', NAME])
        hub.python(DOWNLOAD, NAME)
        same(len(check_both(hub)), 1)
        hub.python(DOWNLOAD, NAME, 'next')
        same(len(check_both(hub)), 2)
        hub.run([CLI, 'fetch', NAME + '@next'])
        same(len(check_both(hub)), 2)


def removed_by_us():
    with Hub() as hub:
        hub.python(DOWNLOAD, NAME)
        hub.python(DOWNLOAD, NAME, 'next')
        both = check_both(hub)
        blobs = os.path.join(hub.cache, 'models--some--demo', 'blobs')
        n_before = len(os.listdir(blobs))
        removed = hub.ours('remove', NAME + '@next', '--yes')
        same((removed['revisions'], removed['whole']), (1, False))
        same(len(os.listdir(blobs)), n_before - 1)  # the longer vocabulary
        left = check_both(hub)
        same(set(both) - set(left), {c for c, m in both.items() if 'next' in m['refs']})
        same(hub.ours('remove', NAME, '--yes')['whole'], True)
        same(hub.cached(), {})
        same(json.loads(hub.python('import json\nfrom huggingface_hub import scan_cache_dir\n'
                                   'seen = scan_cache_dir()\n'
                                   'print(json.dumps([len(seen.repos), len(seen.warnings)]))')),
             [0, 0])


sys.exit(tap.run([
    ('what Python downloaded is listed, whole and opens', we_read_theirs),
    ('what was fetched here is listed, whole and found by Python', they_read_ours),
    ('what Python downloaded is not fetched again', ours_after_theirs),
    ('each goes on with what the other has', each_goes_on_with_the_others),
    ('Python takes what was removed for gone', removed_by_us),
]))
