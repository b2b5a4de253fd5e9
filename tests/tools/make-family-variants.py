#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tiny models of the kinds the published ones do not show: other switches of config.json.

Usage: make-family-variants.py FOLDER   (needs torch, transformers 5 and safetensors)

Writes FOLDER/NAME/ for each: config.json and model.safetensors with random weights, and what the
library computes with them, in eager mode and single precision: reference.json and
reference.safetensors, in the form of tests/data/golden/models."""
import copy
import json
import os
import sys

import numpy as np
import torch
import transformers as hf
from safetensors.numpy import save_file

V, D, A, L, F, P = 53, 16, 2, 2, 24, 40
# least tolerances; a model that is more sensitive gets five times its own difference between single
# and double precision
TOLERANCE = {'attentions': 2e-5, 'hidden_states': 5e-5, 'logits': 2e-4}

BERT = dict(vocab_size=V, hidden_size=D, num_attention_heads=A, num_hidden_layers=L,
            intermediate_size=F, max_position_embeddings=P)
GPT2 = dict(vocab_size=V, n_embd=D, n_head=A, n_layer=L, n_positions=P, bos_token_id=0, eos_token_id=0)
DEBERTA = dict(BERT, relative_attention=True, position_buckets=8, max_relative_positions=-1,
               pos_att_type=['p2c', 'c2p'], norm_rel_ebd='layer_norm', share_att_key=True,
               position_biased_input=False)
MODERN = dict(BERT, pad_token_id=0, bos_token_id=1, cls_token_id=1, eos_token_id=2, sep_token_id=2,
              local_attention=6)


def drop(config, *keys):
    return {key: value for key, value in config.items() if key not in keys}


# name: class, settings, edits of the written config.json (None deletes a key)
VARIANTS = {
    'bert-tanh-gelu': (hf.BertForMaskedLM, dict(BERT, hidden_act='gelu_pytorch_tanh', layer_norm_eps=1e-3), {}),
    'roberta-pad-3': (hf.RobertaForMaskedLM, dict(BERT, pad_token_id=3, type_vocab_size=1), {}),
    'camembert-relu': (hf.CamembertForMaskedLM, dict(BERT, hidden_act='relu', pad_token_id=1, type_vocab_size=1), {}),
    'xlm-roberta-untied': (hf.XLMRobertaForMaskedLM, dict(BERT, tie_word_embeddings=False, pad_token_id=1), {}),
    'distilbert-relu': (hf.DistilBertForMaskedLM, dict(vocab_size=V, dim=D, n_heads=A, n_layers=L, hidden_dim=F, max_position_embeddings=P, activation='relu', sinusoidal_pos_embds=True), {}),
    'distilbert-old-keys': (hf.DistilBertModel, dict(vocab_size=V, dim=D, n_heads=A, n_layers=L, hidden_dim=F, max_position_embeddings=P),
                            {'dim': None, 'hidden_size': D, 'n_heads': None, 'num_attention_heads': A, 'n_layers': None, 'num_hidden_layers': L}),
    'albert-groups': (hf.AlbertForMaskedLM, dict(BERT, num_hidden_layers=5, embedding_size=8, num_hidden_groups=2, inner_group_num=2), {}),
    'albert-as-wide': (hf.AlbertModel, dict(BERT, embedding_size=D, hidden_act='gelu'), {}),
    'electra-generator': (hf.ElectraForMaskedLM, dict(BERT, embedding_size=8, hidden_act='relu'), {}),
    'electra-as-wide': (hf.ElectraForMaskedLM, dict(BERT, embedding_size=D, tie_word_embeddings=False), {}),
    'mpnet-more-buckets': (hf.MPNetForMaskedLM, dict(BERT, relative_attention_num_buckets=40, hidden_act='relu', num_hidden_layers=1, max_position_embeddings=240), {}),
    'deberta-own-projections': (hf.DebertaV2ForMaskedLM, dict(DEBERTA, share_att_key=False, type_vocab_size=2, legacy=True), {'pos_att_type': 'p2c|c2p'}),
    'deberta-convolution': (hf.DebertaV2ForMaskedLM, dict(DEBERTA, conv_kernel_size=3, conv_act='tanh', num_hidden_layers=3, legacy=True), {}),
    'deberta-wide-convolution': (hf.DebertaV2Model, dict(DEBERTA, conv_kernel_size=5, num_hidden_layers=1), {}),
    'deberta-c2p': (hf.DebertaV2Model, dict(DEBERTA, pos_att_type=['c2p'], norm_rel_ebd='none', share_att_key=False), {}),
    'deberta-p2c': (hf.DebertaV2Model, dict(DEBERTA, pos_att_type=['p2c'], position_buckets=-1, max_relative_positions=6, position_biased_input=True), {}),
    'deberta-no-types-of-terms': (hf.DebertaV2Model, dict(DEBERTA, pos_att_type=[]), {}),
    'deberta-narrow': (hf.DebertaV2ForMaskedLM, dict(DEBERTA, embedding_size=8, relative_attention=False, position_biased_input=True, legacy=True), {}),
    'modernbert-biases': (hf.ModernBertForMaskedLM, dict(MODERN, attention_bias=True, mlp_bias=True, norm_bias=True, classifier_bias=True, decoder_bias=False, classifier_activation='relu', hidden_activation='silu'), {}),
    'modernbert-old-keys': (hf.ModernBertForMaskedLM, dict(MODERN, num_hidden_layers=5, rope_parameters={'full_attention': {'rope_type': 'default', 'rope_theta': 500.0}, 'sliding_attention': {'rope_type': 'default', 'rope_theta': 30.0}}, layer_types=['full_attention', 'sliding_attention', 'full_attention', 'sliding_attention', 'full_attention']),
                            {'layer_types': None, 'rope_parameters': None, 'global_attn_every_n_layers': 2, 'global_rope_theta': 500.0, 'local_rope_theta': 30.0}),
    'modernbert-classifier': (hf.ModernBertForSequenceClassification, dict(MODERN, num_labels=3), {}),
    'gpt2-scales': (hf.GPT2LMHeadModel, dict(GPT2, scale_attn_weights=False, scale_attn_by_inverse_layer_idx=True, n_inner=F, activation_function='relu'), {}),
    'gpt2-untied': (hf.GPT2LMHeadModel, dict(GPT2, tie_word_embeddings=False, reorder_and_upcast_attn=True), {}),
    'gpt2-bare': (hf.GPT2Model, dict(GPT2, layer_norm_epsilon=1e-3), {}),
}


def make_weights(model, generator):
    """Spread wide enough that whatever is left out shows."""
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            noise = torch.empty(parameter.shape).normal_(generator=generator)
            if parameter.dim() > 1:
                parameter.copy_(noise * (0.7 if 'embed' in name or 'wte' in name or 'wpe' in name else 0.35))
            elif name.endswith('weight'):
                parameter.copy_(1 + 0.4 * noise)
            else:
                parameter.copy_(0.4 * noise)
    model.tie_weights()


def make_ids(n, generator, config):
    ids = torch.randint(5, V, (n,), generator=generator)
    pad = getattr(config, 'pad_token_id', None)
    if pad is not None and n > 6 and config.model_type in ('roberta', 'xlm-roberta', 'camembert', 'mpnet'):
        ids[4] = pad  # in the midst: it takes no position
    return ids


def run(model, ids, types):
    arguments = {'input_ids': ids[None]}
    if types is not None:
        arguments['token_type_ids'] = types[None]
    with torch.no_grad():
        out = model(**arguments, output_attentions=True, output_hidden_states=True)
    arrays = {'attentions': torch.cat(out.attentions).numpy(),
              'hidden_states': torch.cat(out.hidden_states).numpy()}
    if 'logits' in out and out.logits.shape[-1] == V:
        arrays['logits'] = out.logits[0].numpy()
    return arrays


def write(folder, name, cls, settings, edits):
    generator = torch.Generator().manual_seed(sum(map(ord, name)))
    config = cls.config_class(**settings)
    config._attn_implementation = 'eager'
    model = cls(config).eval().float()
    make_weights(model, generator)
    path = os.path.join(folder, name)
    model.save_pretrained(path)
    written = json.load(open(os.path.join(path, 'config.json')))
    for key, value in edits.items():
        written.pop(key, None)
        if value is not None:
            written[key] = value
    json.dump(written, open(os.path.join(path, 'config.json'), 'w'), indent=1)

    cases, tensors, tolerance = [], {}, dict(TOLERANCE)
    exact = copy.deepcopy(model).double()
    for module in exact.modules():
        if hasattr(module, 'reorder_and_upcast_attn'):
            module.reorder_and_upcast_attn = False  # wants single precision
    n_types = getattr(config, 'type_vocab_size', 0)
    lengths = [1, 9, 30]
    if config.model_type == 'mpnet':
        lengths.append(150)  # beyond the last bucket's border
    for number, n in enumerate(lengths):
        ids = make_ids(n, generator, config)
        types = (torch.arange(n) >= n // 2).long() if n_types > 1 else None
        arrays, exact_arrays = run(model, ids, types), run(exact, ids, types)
        case = {'case': number, 'input_ids': ids.tolist()}
        if types is not None:
            case['token_type_ids'] = types.tolist()
        cases.append(case)
        for key, array in arrays.items():
            tensors['case%d.%s' % (number, key)] = array
            distance = float(np.abs(array - exact_arrays[key]).max())
            tolerance[key] = max(tolerance[key], 5 * distance)
    save_file({key: np.ascontiguousarray(value) for key, value in tensors.items()},
              os.path.join(path, 'reference.safetensors'))
    json.dump({'transformers': hf.__version__, 'tolerance_abs': tolerance, 'cases': cases},
              open(os.path.join(path, 'reference.json'), 'w'))


def main():
    for name, (cls, settings, edits) in VARIANTS.items():
        write(sys.argv[1], name, cls, settings, edits)


main()
