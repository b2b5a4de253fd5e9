#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes tests/data/sentencepiece: small SentencePiece models, and what transformers makes of texts with them.

    tests/tools/make-sentencepiece-files.py OUTPUT_FOLDER

Needs sentencepiece, transformers, tokenizers and protobuf (written with 0.2.3, 5.24.0, 0.23.3, 7.36.2). The models are
trained on the sentences below; `cases.jsonl` has text, ids and the spans of the tokens in UTF-8 bytes.
"""
import io
import json
import os
import sys

import sentencepiece
from transformers import AutoTokenizer

SENTENCES = [
    "The quick brown fox jumps over the lazy dog.", "She walked along the bank of the river (slowly).",
    "Don't stop: 12 of 34 were there, weren't they?", "Das M\u00e4dchen l\u00e4uft \u00fcber die Stra\u00dfe.",
    "\u4eca\u5929\u5929\u6c14\u5f88\u597d", "\u4ed6\u4eec\u5728\u6cb3\u8fb9\u8d70", "The dog and the fox walked together.",
    "A river, a bank, a fox: they jump and run.", "running jumping walking talking", "the the the of of and and",
] * 3

TEXTS = [
    "", " ", "The fox walked.", "the  quick\tbrown\nfox ", "Don't stop (now)!", "M\u00e4dchen STRA\u00dfE u\u0308ber",
    "\u4eca\u5929\u5929\u6c14 \U0001f600\U0001f600 x", "``quoted'' text", "\uff26\uff4f\uff58 \u2460 \ufb01ne",
    "<s> typed </s> [CLS] [SEP] [MASK] <mask> a<mask> b <pad>", "\u2581under\u2581score", "a\u00a0b\u3000c", "(a)(b)",
    "\u200bzero\u200bwidth\u00ad", "caf\u00e9 cafe\u0301 n\u0303", "x" * 40, "qzqz \u00ff\u00fe", "one\r\ntwo\u2028three",
]

# What a map of characters makes of some: full width, a circled digit, a ligature, a capital, and two blanks.
RULES = {"\uff26": "F", "\uff4f": "o", "\uff58": "x", "\u2460": "1", "\ufb01": "fi", "\u00a0": " ", "\u3000": " ", "\u00c4": "A"}

FOLDERS = {
    "xlm-roberta": ("sentencepiece.bpe.model", {"tokenizer_class": "XLMRobertaTokenizer"}, ["<unk>", "<s>", "</s>"], {}),
    "camembert": ("sentencepiece.bpe.model", {"tokenizer_class": "CamembertTokenizer"}, ["<unk>", "<s>", "</s>"], {}),
    "albert": ("spiece.model", {"tokenizer_class": "AlbertTokenizer"}, ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"],
               {"user_defined_symbols": ["(", ")", "-"]}),
    "albert-cased": ("spiece.model", {"tokenizer_class": "AlbertTokenizer", "do_lower_case": False, "keep_accents": True,
                                      "add_prefix_space": False}, ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"], {}),
    "deberta-v2": ("spm.model", {"tokenizer_class": "DebertaV2Tokenizer"}, ["[PAD]", "[CLS]", "[SEP]", "[UNK]"], {}),
    "deberta-v2-punct": ("spm.model", {"tokenizer_class": "DebertaV2Tokenizer", "split_by_punct": True,
                                       "do_lower_case": True}, ["[PAD]", "[CLS]", "[SEP]", "[UNK]"], {}),
}


def train(folder, specials, extra, rules_path):
    """specials in the order of their ids"""
    ids = {"unk_id": -1, "bos_id": -1, "eos_id": -1, "pad_id": -1}
    pieces = {}
    control = []
    for index, piece in enumerate(specials):
        name = "unk" if piece in ("<unk>", "[UNK]") else "pad" if piece in ("<pad>", "[PAD]") else None
        name = name or {"<s>": "bos", "[CLS]": "bos", "</s>": "eos", "[SEP]": "eos"}.get(piece)
        if name:
            ids[name + "_id"] = index
            pieces[name + "_piece"] = piece
        else:
            control.append(piece)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES), model_writer=model, vocab_size=150, model_type="unigram", hard_vocab_limit=False,
        normalization_rule_tsv=rules_path, control_symbols=control, minloglevel=2, num_threads=1, **ids, **pieces, **extra)
    return model.getvalue()


def byte_spans(text, spans):
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return [[starts[begin], starts[end]] for begin, end in spans]


def main():
    root = sys.argv[1]
    os.makedirs(root, exist_ok=True)
    rules_path = os.path.join(root, "rules.tsv")
    with open(rules_path, "w", encoding="ascii") as file:
        for key, value in RULES.items():
            file.write(" ".join(f"{ord(c):X}" for c in key) + "\t" + " ".join(f"{ord(c):X}" for c in value) + "\n")
    for name, (model_name, config, specials, extra) in FOLDERS.items():
        folder = os.path.join(root, name)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, model_name), "wb") as file:
            file.write(train(folder, specials, extra, rules_path))
        with open(os.path.join(folder, "tokenizer_config.json"), "w", encoding="ascii") as file:
            json.dump(config, file)
        tokenizer = AutoTokenizer.from_pretrained(folder)
        with open(os.path.join(folder, "cases.jsonl"), "w", encoding="ascii") as file:
            for text, pair in [(text, None) for text in TEXTS] + [("The fox", "(a) <mask>")]:
                out = tokenizer(text, pair, return_offsets_mapping=True)
                spans = [span if i is None or i == 0 else span for span, i in zip(out["offset_mapping"], out.sequence_ids())]
                spans = [byte_spans(pair if i == 1 else text, [span])[0] if i is not None else [0, 0]
                         for span, i in zip(spans, out.sequence_ids())]
                case = {"text": text, "ids": out["input_ids"], "spans": spans}
                if pair is not None:
                    case["pair"] = pair
                file.write(json.dumps(case) + "\n")
        print(name, len(tokenizer), tokenizer.mask_token_id)
    os.remove(rules_path)


main()
