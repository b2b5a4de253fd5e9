# SPDX-License-Identifier: MIT
"""Everything in the tree that is not code: where it comes from, translations, desktop files."""
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import tap  # noqa: E402
import tree  # noqa: E402
import words  # noqa: E402

BUILD = sys.argv[1]
CODE = ('.c', '.h', '.ui', '.css', '.py', '.sh', '.build', '.md', '.po', '.supp')
LARGE = 12 << 20
# windows that are made of several files, by what the files' names have in common
WINDOWS = (('hs-export-', 'export dialog'), ('hs-models-', 'models dialog'))


def licences():
    """Each data file stands under a path that resources/LICENSES.md names in back quotes."""
    named = re.findall(r'`([^`\s]+)`', tree.read('resources/LICENSES.md'))
    faults = []
    for name in tree.files():
        if not name.startswith(('resources/', 'tests/')) or name.endswith(CODE) or name == 'tests/run':
            continue
        if not any(fnmatch.fnmatch(name, pattern.rstrip('/') + '*') for pattern in named):
            faults.append(name)
    tree.require_none(faults, 'files without a word in resources/LICENSES.md')
    stale = [pattern for pattern in named if pattern.startswith(('resources/', 'tests/', 'src/'))
             and not fnmatch.filter(tree.files(), pattern.rstrip('/') + '*')]
    tree.require_none(stale, 'paths in resources/LICENSES.md that do not exist')


def no_large_files():
    faults = ['%s: %d bytes' % (name, os.path.getsize(os.path.join(tree.ROOT, name)))
              for name in tree.files() if os.path.getsize(os.path.join(tree.ROOT, name)) > LARGE]
    tree.require_none(faults, 'files over %d bytes' % LARGE)


def need(tool):
    if not shutil.which(tool):
        raise tap.Skip('%s is not installed' % tool)


def potfiles():
    """Every file with a sentence for people is listed, and every listed file has one."""
    having, names = set(words.files_with_words()), set(words.listed('POTFILES'))
    assert not having - names, 'missing in POTFILES: %s' % ', '.join(sorted(having - names))
    assert not names - having, 'nothing to translate in: %s' % ', '.join(sorted(names - having))


def translation(language):
    need('msgfmt')
    path = os.path.join(words.PO, language + '.po')
    checked = subprocess.run(['msgfmt', '--check', '--output-file=/dev/null', path],
                             capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    with tempfile.TemporaryDirectory() as folder:
        pot = os.path.join(folder, 'headscope.pot')
        words.make_template(pot)
        merged = os.path.join(folder, 'merged.po')
        subprocess.run(['msgmerge', '--quiet', '--no-fuzzy-matching', '--output-file=' + merged,
                        path, pot], check=True)
        lacking = subprocess.run(['msgattrib', '--untranslated', '--no-wrap', merged],
                                 capture_output=True, text=True, check=True).stdout
        fuzzy = subprocess.run(['msgattrib', '--only-fuzzy', '--no-obsolete', '--no-wrap', path],
                               capture_output=True, text=True, check=True).stdout
        obsolete = subprocess.run(['msgattrib', '--only-obsolete', '--no-wrap', merged],
                                  capture_output=True, text=True, check=True).stdout
    missing = re.findall(r'^msgid "(.+)"$', lacking, re.MULTILINE)
    tree.require_none(missing, '%s: not translated' % language)
    tree.require_none(re.findall(r'^msgid "(.+)"$', fuzzy, re.MULTILINE), 'fuzzy')
    tree.require_none(re.findall(r'^#~ msgid "(.+)"$', obsolete, re.MULTILINE),
                      '%s: no longer in the program' % language)


def conversions():
    """A translation keeps the numbers of %-conversions and the mnemonic of its sentence."""
    faults = []
    for language in words.listed('LINGUAS'):
        text = tree.read('resources/po/%s.po' % language)
        joined = re.sub(r'"\n"', '', text)
        for source, target in re.findall(r'^msgid "(.+)"\n(?:msgid_plural .*\n)?'
                                         r'msgstr(?:\[0\])? "(.+)"$', joined, re.MULTILINE):
            if bool(re.search(r'(?<!\w)_\w|\w_\w', source)) and '_' not in target:
                faults.append('%s: no mnemonic in %s' % (language, target))
            if source.count('\\n') != target.count('\\n'):
                faults.append('%s: other line breaks in %s' % (language, target))
    tree.require_none(faults, 'translations')


def translated(language):
    """msgid to msgstr of one language's .po file, contexts left out."""
    text = re.sub(r'"\n"', '', tree.read('resources/po/%s.po' % language))
    return dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', text, re.MULTILINE))


def mnemonics():
    """No two labels of one window share an underlined letter, in any language."""
    windows = {}
    for name in tree.files('.ui'):
        window = next((title for part, title in WINDOWS if part in name), 'main window')
        alone = name.endswith('-preferences.ui') or (
            name.endswith('-dialog.ui') and window == 'main window')
        window = name if alone else window
        windows.setdefault(window, []).extend(
            re.findall(r'translatable="yes"[^>]*>([^<]*_[^<]*)</', tree.read(name)))
    faults = []
    for language in ['en'] + words.listed('LINGUAS'):
        catalogue = translated(language) if language != 'en' else {}
        for window, labels in windows.items():
            letters = {}
            for label in labels:
                shown = catalogue.get(label, label)
                letters.setdefault(shown[shown.index('_') + 1].lower(), []).append(shown)
            faults += ['%s, %s: %s' % (language, window, ' and '.join(same))
                       for same in letters.values() if len(same) > 1]
    assert any(windows.values())
    tree.require_none(faults, 'labels with the same mnemonic')


def bindings():
    """hs_children_bind_bindings() says why each names an object."""
    faults = []
    for name in tree.files('.ui'):
        text = tree.read(name)
        if '<template' in text:
            faults += ['%s: %s' % (name, each) for each in re.findall('<binding [^>]*>', text)
                       if ' object="bindings"' not in each]
    tree.require_none(faults, 'bindings that would outlive their panel')


def compiled_translations():
    for language in words.listed('LINGUAS'):
        path = os.path.join(BUILD, 'resources', 'po', language, 'LC_MESSAGES', 'headscope.mo')
        assert os.path.exists(path), '%s was not built' % path


def desktop_file():
    need('desktop-file-validate')
    path = os.path.join(BUILD, 'resources', 'io.github.headscope.Headscope.desktop')
    done = subprocess.run(['desktop-file-validate', path], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr


def metainfo():
    need('appstreamcli')
    path = os.path.join(BUILD, 'resources', 'io.github.headscope.Headscope.metainfo.xml')
    done = subprocess.run(['appstreamcli', 'validate', '--no-net', '--pedantic', path],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


sys.exit(tap.run([
    ('LICENSES.md names all data', licences),
    ('no large files', no_large_files),
    ('POTFILES is complete', potfiles),
    ('zh_TW is complete', lambda: translation('zh_TW')),
    ('zh_CN is complete', lambda: translation('zh_CN')),
    ('translations keep mnemonics and line breaks', conversions),
    ('mnemonics are unique in a window', mnemonics),
    ('bindings end with their panel', bindings),
    ('translations are where the build tree looks', compiled_translations),
    ('desktop file', desktop_file),
    ('metainfo file', metainfo),
]))
