# SPDX-License-Identifier: MIT
"""Python's own library for the cache of models, for the test that reads what it wrote and lets it
read what we wrote; installed into a folder of its own, kept in a cache."""
import os
import shutil
import subprocess
import sys
import tempfile

import minilm

PACKAGE = 'huggingface_hub==2.4.0'


def imports(python, folder):
    """Whether @python finds the library in @folder, and not some other one."""
    done = subprocess.run([python, '-c', 'import huggingface_hub as h; print(h.__file__)'],
                          env=dict(os.environ, PYTHONPATH=folder), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.startswith(folder + os.sep)


def install(python, folder):
    """Install into @folder; the reason as a string when that cannot be."""
    try:
        done = subprocess.run([python, '-m', 'pip', 'install', '--disable-pip-version-check', '--quiet',
                               '--target', folder, PACKAGE],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return 'pip install took over 300 s'
    if done.returncode == 0:
        return None
    return 'pip install: ' + (done.stderr.strip() or 'failed without a word').splitlines()[-1]


def provide():
    """((python, folder), None), or (None, reason) when the library cannot be had."""
    reason = 'no Python with pip found'
    os.makedirs(minilm.cache_folder(), exist_ok=True)
    for python in dict.fromkeys([shutil.which('python3'), '/usr/bin/python3', sys.executable]):
        if python is None or not os.path.exists(python):
            continue
        tag = '%s-%s' % (PACKAGE.replace('==', '-'), python.strip('/').replace('/', '-'))
        folder = os.path.join(os.path.realpath(minilm.cache_folder()), tag)
        if imports(python, folder):
            return (python, folder), None
        with tempfile.TemporaryDirectory(dir=minilm.cache_folder()) as work:
            fresh = os.path.join(work, 'packages')
            reason = install(python, fresh)
            if reason:
                continue
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(fresh, folder)
        if imports(python, folder):
            return (python, folder), None
        reason = '%s does not find what pip installed' % python
    return None, reason
