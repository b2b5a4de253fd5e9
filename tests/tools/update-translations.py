#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Brings POTFILES and the .po files up to date with the sentences in the sources.

New sentences come in untranslated, old ones go; translating them is done by hand afterwards."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
import words  # noqa: E402

with open(os.path.join(words.PO, 'POTFILES'), 'w', encoding='utf-8') as file:
    file.write('# Files with sentences for people; tests/tools/update-translations.py writes this list.\n')
    file.writelines(name + '\n' for name in words.files_with_words())

with tempfile.TemporaryDirectory() as folder:
    template = os.path.join(folder, 'headscope.pot')
    words.make_template(template)
    for language in words.listed('LINGUAS'):
        path = os.path.join(words.PO, language + '.po')
        merged = os.path.join(folder, language + '.po')
        subprocess.run(['msgmerge', '--quiet', '--no-fuzzy-matching', '--no-location', '--no-wrap',
                        '--output-file=' + merged, path, template], check=True)
        subprocess.run(['msgattrib', '--no-obsolete', '--no-location', '--no-wrap',
                        '--output-file=' + path, merged], check=True)
        with open(path, encoding='utf-8') as file:
            lines = [line for line in file if not line.startswith('"POT-Creation-Date')]
        with open(path, 'w', encoding='utf-8') as file:
            file.writelines(lines)
        print(language, end=': ', flush=True)
        subprocess.run(['msgfmt', '--statistics', '--output-file=/dev/null', path], check=True)
