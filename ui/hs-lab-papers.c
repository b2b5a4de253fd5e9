/* SPDX-License-Identifier: MIT */
/* Two tables. Every number stands in the paper it is told of. */
#include "hs-lab-papers.h"

#include <glib.h>
#include <glib/gi18n.h>

static const HsLabPaper about_heads[] = {
    {"Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, Aidan N. Gomez, "
     "Łukasz Kaiser, Illia Polosukhin",
     "Attention Is All You Need", "NeurIPS 2017", "arXiv:1706.03762",
     "https://arxiv.org/abs/1706.03762",
     N_ ("The first Transformer, for translation. With d_model 512 and the same cost, table 3 (A) "
         "tries 1, 4, 8, 16 and 32 heads, of widths 512, 128, 64, 32 and 16: 24.9, 25.5, 25.8, "
         "25.8 and 25.4 BLEU from English to German. One head was 0.9 below the best, and 32 were "
         "0.4 below it."),
     N_ ("One task, one size of model, measured on newstest2013, and no spread between trainings "
         "is given: 8 and 16 heads are not told apart."),
     ATTN_N_FINDINGS},
    {"Paul Michel, Omer Levy, Graham Neubig", "Are Sixteen Heads Really Better than One?",
     "NeurIPS 2019", "arXiv:1905.10650", "https://arxiv.org/abs/1905.10650",
     N_ ("They switched heads of trained models off. In a translation model with 6 layers of 16 "
         "heads, only 8 of the encoder’s 96 heads changed the score measurably when one was "
         "missing, and 4 of these for the better. BERT fine-tuned on MultiNLI did as well without "
         "about 40 % of its heads, the translation model without about 20 %; many layers managed "
         "with a single head."),
     N_ ("Layers were cut down to one head one at a time, with the best head found by trying. "
         "Heads that look from one text to the other could be spared least. That heads can go "
         "after training does not say that training can do without them."),
     ATTN_FINDING_SPARE},
    {"Elena Voita, David Talbot, Fedor Moiseev, Rico Sennrich, Ivan Titov",
     "Analyzing Multi-Head Self-Attention: Specialized Heads Do the Heavy Lifting, the Rest Can Be "
     "Pruned",
     "ACL 2019", "arXiv:1905.09418", "https://arxiv.org/abs/1905.09418",
     N_ ("In the encoder of a translation model, the heads that mattered most had roles that can "
         "be named: looking at the next or the previous word, following a relation such as verb "
         "and object, looking at the rarest word of the sentence. From English to Russian, 38 of "
         "48 encoder heads could be closed for 0.15 BLEU, and those with roles were closed last."),
     N_ ("One architecture and one kind of task. Heads were closed while training went on, and "
         "the same small models trained from nothing did worse: heads that can go later may have "
         "helped while learning."),
     ATTN_FINDING_ROLES},
    {"Kevin Clark, Urvashi Khandelwal, Omer Levy, Christopher D. Manning",
     "What Does BERT Look At? An Analysis of BERT’s Attention", "BlackboxNLP at ACL 2019",
     "arXiv:1906.04341", "https://arxiv.org/abs/1906.04341",
     N_ ("Single heads of BERT-base follow single relations that nobody taught them. In head 8-10 "
         "direct objects look at their verb (right in 86.8 % of cases), in head 8-11 determiners "
         "at their noun (94.3 %), in head 5-4 mentions at what they refer back to (65 %). Heads of "
         "a layer tend to look alike. In layers 6 to 10 more than half of the attention goes to "
         "[SEP], which they take for a way of doing nothing."),
     N_ ("No head knows all of grammar: the best one is right for a share of 34.5 %, word by word. "
         "It is one "
         "model and English, judged by the strongest weight; that a head follows a relation does "
         "not show that the model’s answer depends on it."),
     ATTN_FINDING_RELATIONS},
    {"Olga Kovaleva, Alexey Romanov, Anna Rogers, Anna Rumshisky",
     "Revealing the Dark Secrets of BERT", "EMNLP-IJCNLP 2019", "arXiv:1908.08593",
     "https://arxiv.org/abs/1908.08593",
     N_ ("Maps of BERT-base come in five kinds: vertical (at [CLS] and [SEP]), diagonal (at "
         "neighbours), both, blocks (within one of two sentences), and mixed. Only the mixed, "
         "which "
         "are 32 to 61 %, by task, may hold more of the language. Equal weights in "
         "the place of one head’s raised the score of some tasks, at most by 1.2 points; for a "
         "whole layer, once by 3.2."),
     N_ ("The kinds were learned from about 400 maps that people had sorted. Which heads can be "
         "spared differs from task to task, and those with the largest gains are the small ones, "
         "where chance counts more."),
     ATTN_FINDING_KINDS},
};

static const HsLabPaper about_explaining[] = {
    {"Sarthak Jain, Byron C. Wallace", "Attention is not Explanation", "NAACL-HLT 2019",
     "arXiv:1902.10186", "https://arxiv.org/abs/1902.10186",
     N_ ("In recurrent networks with an attention layer, weights often agreed poorly with "
         "gradients and with what leaving a word out does; and quite other weights could be found "
         "with which the network predicts nearly the same. So weights alone, they conclude, do "
         "not tell why."),
     N_ ("The other weights were put into a network that was not trained with them. Transformers "
         "were not looked at."),
     ATTN_FINDING_WEIGHTS},
    {"Sarah Wiegreffe, Yuval Pinter", "Attention is not not Explanation", "EMNLP-IJCNLP 2019",
     "arXiv:1908.04626", "https://arxiv.org/abs/1908.04626",
     N_ ("It depends on what one calls an explanation, they answer, and the whole model has to be "
         "tested. They offer four tests: equal weights as a baseline, how much weights differ "
         "between random seeds, what a simpler network makes of the weights, and models trained "
         "to look elsewhere. Other weights could be found, but served the simpler network worse: "
         "that attention explains nothing is not shown."),
     N_ ("Recurrent networks again. For some data equal weights did as well, and there attention "
         "has little to explain."),
     ATTN_N_FINDINGS},
    {"Adrien Bibal, Rémi Cardon, David Alfter, Rodrigo Wilkens, Xiaoou Wang, Thomas François, "
     "Patrick Watrin",
     "Is Attention Explanation? An Introduction to the Debate", "ACL 2022",
     "ACL Anthology 2022.acl-long.269", "https://aclanthology.org/2022.acl-long.269/",
     N_ ("An overview of the debate: works from several fields, which took little notice of each "
         "other, are set against one another, with the questions that stay open."),
     N_ ("It measures nothing anew."), ATTN_N_FINDINGS},
};

const HsLabPaper *
hs_lab_papers_peek_heads (size_t *n)
{
  *n = G_N_ELEMENTS (about_heads);
  return about_heads;
}

const HsLabPaper *
hs_lab_papers_peek_debate (size_t *n)
{
  *n = G_N_ELEMENTS (about_explaining);
  return about_explaining;
}
