/* SPDX-License-Identifier: MIT */
/* Pickles written instruction by instruction: what they are read as, and what is refused. */
#include "model-folder.h"
#include "pickle.h"
#include "torch-writer.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

typedef struct {
  AttnArena arena;
  AttnPickle pickle;
} Reading;

static AttnPickleValue *
read_bytes (Reading *reading, const void *bytes, size_t n, GError **error)
{
  *reading = (Reading){.arena.limit = 1 << 20};
  reading->pickle = (AttnPickle){
      .path = "a.bin", .part = "data.pkl", .bytes = bytes, .n = n, .arena = &reading->arena};
  return attn_pickle_read (&reading->pickle, error);
}

#define READ(reading, literal, error) read_bytes (reading, literal, sizeof (literal) - 1, error)

static AttnPickleValue *
read_good (Reading *reading, const void *bytes, size_t n)
{
  g_autoptr (GError) error = NULL;
  AttnPickleValue *value = read_bytes (reading, bytes, n, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (reading->pickle.at, ==, n);
  return value;
}

static void
test_numbers (void)
{
  static const struct {
    const char *code;
    size_t n;
    gint64 number;
  } rows[] = {
      {"K\xff.", 3, 255},
      {"M\x01\xff.", 4, 65281},
      {"J\xff\xff\xff\xff.", 6, -1},
      {"J\0\0\0\x80.", 6, G_MININT32},
      {"\x8a\0.", 3, 0},
      {"\x8a\1\x80.", 4, -128},
      {"\x8a\2\xff\0.", 5, 255},
      {"\x8a\5\0\0\0\0\1.", 8, G_GINT64_CONSTANT (1) << 32},
      {"\x8a\x08\0\0\0\0\0\0\0\x80.", 11, G_MININT64},
      {"\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", 11, G_MAXINT64},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (rows); i++) {
    Reading reading;
    const AttnPickleValue *value = read_good (&reading, rows[i].code, rows[i].n);
    g_assert_cmpint (value->kind, ==, ATTN_PICKLE_INT);
    g_assert_cmpint (value->integer, ==, rows[i].number);
    attn_arena_clear (&reading.arena);
  }
  Reading reading;
  const AttnPickleValue *real = read_good (&reading, "G\x3f\xf8\0\0\0\0\0\0.", 10);
  g_assert_cmpint (real->kind, ==, ATTN_PICKLE_FLOAT);
  g_assert_true (fabs (real->number - 1.5) <= 0); /* 1.5 has an exact form */
  attn_arena_clear (&reading.arena);
  const AttnPickleValue *big = read_good (&reading,
                                          "\x8a\x09"
                                          "123456789.",
                                          12);
  g_assert_cmpint (big->kind, ==, ATTN_PICKLE_BIG);
  g_assert_cmpmem (big->text, big->n, "123456789", 9);
  attn_arena_clear (&reading.arena);
}

static void
test_containers (void)
{
  Reading reading;
  /* {"a": (1, 2), "b": [3, [None], True]}, with a memo of every kind */
  static const char bytes[] = "\x80\2}q\0(X\1\0\0\0aq\1K\1K\2\x86r\2\0\0\0U\1b](K\3]NaK\0\x88"
                              "0" /* POP of True */
                              "\x88"
                              "eu.";
  GError *error = NULL;
  const AttnPickleValue *dict = READ (&reading, bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpint (dict->kind, ==, ATTN_PICKLE_DICT);
  g_assert_cmpuint (dict->n, ==, 4);
  const AttnPickleValue *a = attn_pickle_dict_find (dict, "a");
  const AttnPickleValue *b = attn_pickle_dict_find (dict, "b");
  g_assert_cmpint (a->kind, ==, ATTN_PICKLE_TUPLE);
  g_assert_cmpuint (a->n, ==, 2);
  g_assert_cmpint (a->items[1]->integer, ==, 2);
  g_assert_cmpint (b->kind, ==, ATTN_PICKLE_LIST);
  g_assert_cmpuint (b->n, ==, 4);
  g_assert_cmpint (b->items[1]->kind, ==, ATTN_PICKLE_LIST);
  g_assert_cmpint (b->items[1]->items[0]->kind, ==, ATTN_PICKLE_NONE);
  g_assert_cmpint (b->items[3]->kind, ==, ATTN_PICKLE_BOOL);
  g_assert_null (attn_pickle_dict_find (dict, "c"));
  attn_arena_clear (&reading.arena);
}

/* One value fetched from the memo twice is one value; the last of two equal keys counts. */
static void
test_memo (void)
{
  Reading reading;
  static const char bytes[] = "\x80\4\x95\0\0\0\0\0\0\0\0}\x8c\1k\x94K\7\x94s\x8c\1kh\1sj\0\0\0\0"
                              "0"
                              ".";
  GError *error = NULL;
  const AttnPickleValue *dict = READ (&reading, bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (dict->n, ==, 4);
  g_assert_true (dict->items[1] == dict->items[3]);
  g_assert_true (attn_pickle_dict_find (dict, "k") == dict->items[3]);
  attn_arena_clear (&reading.arena);
}

/* The protocol-4 way of naming, a parameter, a tensor with attributes, a state: one tensor. */
static void
test_tensors (void)
{
  const TestTensor plain = {"t", "FloatStorage", "0", 6, 1, 2, {2, 2}, {2, 1}};
  for (int way = 0; way < 4; way++) {
    g_autoptr (GByteArray) bytes = g_byte_array_new ();
    pickle_bytes (bytes, "\x80\2", 2);
    if (way == 1) {
      pickle_bytes (bytes, "\x8c\x0ctorch._utils\x8c\x12_rebuild_parameter\x93(", 36);
      pickle_tensor (bytes, &plain, FALSE);
      pickle_bytes (bytes, "\x88}t\x81", 4);
    } else if (way == 2) {
      pickle_global (bytes, "torch._tensor", "_rebuild_from_type_v2");
      pickle_code (bytes, '(');
      pickle_global (bytes, "torch._utils", "_rebuild_parameter");
      pickle_global (bytes, "torch.nn.parameter", "Parameter");
      pickle_code (bytes, '(');
      pickle_tensor (bytes, &plain, FALSE);
      pickle_bytes (bytes, "\x88}t}tR", 6);
    } else {
      pickle_tensor (bytes, &plain, way == 3);
      pickle_bytes (bytes, "}b", 2);
    }
    pickle_code (bytes, '.');
    Reading reading;
    const AttnPickleValue *value = read_good (&reading, bytes->data, bytes->len);
    g_assert_cmpint (value->kind, ==, ATTN_PICKLE_TENSOR);
    const AttnPickleTensor *tensor = value->tensor;
    g_assert_true (attn_pickle_value_is_text (tensor->storage->key, "0"));
    g_assert_cmpint (tensor->storage->n_elements->integer, ==, 6);
    g_assert_cmpstr (attn_pickle_global_peek_numbers (tensor->storage->type)->dtype_name, ==,
                     "F32");
    g_assert_cmpint (tensor->offset->integer, ==, 1);
    g_assert_cmpuint (tensor->sizes->n, ==, 2);
    g_assert_cmpint (tensor->strides->items[0]->integer, ==, 2);
    attn_arena_clear (&reading.arena);
  }
}

/* What Python 2 wrote: OrderedDict of a list of pairs. */
static void
test_python_2 (void)
{
  Reading reading;
  static const char bytes[] = "\x80\2ccollections\nOrderedDict\n](]U\1aaK\1a(U\1bK\2lteR.";
  g_autoptr (GError) error = NULL;
  g_assert_null (READ (&reading, bytes, &error)); /* LIST is no instruction that tensors need */
  attn_arena_clear (&reading.arena);
  static const char good[] = "\x80\2ccollections\nOrderedDict\n](](U\1aK\1eU\1bK\2\x86"
                             "e\x85R.";
  const AttnPickleValue *dict = read_good (&reading, good, sizeof good - 1);
  g_assert_cmpint (dict->kind, ==, ATTN_PICKLE_DICT);
  g_assert_cmpint (attn_pickle_dict_find (dict, "a")->integer, ==, 1);
  g_assert_cmpint (attn_pickle_dict_find (dict, "b")->integer, ==, 2);
  attn_arena_clear (&reading.arena);
}

#define STORAGE "(X\7\0\0\0storagectorch\nFloatStorage\nU\0010U\3cpuK\4"
#define REBUILD "ctorch._utils\n_rebuild_tensor_v2\n"
#define ROW(bytes, code, name) \
  { \
    bytes, sizeof (bytes) - 1, ATTN_ERROR_##code, name \
  }
static const struct {
  const char *bytes;
  size_t n;
  AttnError code;
  const char *name;
} refusals[] = {
    /* names that are no part of a tensor, however they are asked for */
    ROW ("cos\nsystem\n(X\1\0\0\0atR.", UNSUPPORTED, "os.system"),
    ROW ("\x80\4\x8c\2os\x8c\6system\x93.", UNSUPPORTED, "os.system"),
    ROW ("(ios\nsystem\n.", UNSUPPORTED, "os.system"),
    ROW ("c__builtin__\neval\n.", UNSUPPORTED, "__builtin__.eval"),
    ROW ("ctorch._utils\n_rebuild_tensor_v2 \n.", UNSUPPORTED, "_rebuild_tensor_v2 "),
    ROW ("ctorch\nload\n.", UNSUPPORTED, "torch.load"),
    ROW ("cnumpy.core.multiarray\nscalar\n.", UNSUPPORTED, "numpy.core.multiarray.scalar"),
    ROW ("c\n\n.", UNSUPPORTED, "asks for ."),
    ROW ("ctorch\nFloatStorage\n)R.", UNSUPPORTED, "torch.FloatStorage"),
    ROW ("(icollections\nOrderedDict\n.", UNSUPPORTED, "INST"),
    /* instructions */
    ROW ("\xff.", UNSUPPORTED, "0xFF"),
    ROW ("I1\n.", UNSUPPORTED, "0x49"),
    ROW ("(d.", UNSUPPORTED, "0x64"),
    ROW ("\x82\1.", UNSUPPORTED, "0x82"),
    ROW ("\x80\5N.", UNSUPPORTED, "protocol 5"),
    ROW ("\x80\1N.", UNSUPPORTED, "protocol 1"),
    /* ends */
    ROW ("", FORMAT, "too early"),
    ROW ("N", FORMAT, "too early"),
    ROW ("M\1", FORMAT, "too early"),
    ROW ("cos\nsystem", FORMAT, "too early"),
    ROW ("X\4\0\0\0abc", FORMAT, "too early"),
    ROW ("X\xff\xff\xff\xff"
         "abc",
         TOO_LARGE,
         "4294967295"),
    ROW (".", FORMAT, "0 values"),
    ROW ("NN.", FORMAT, "2 values"),
    ROW ("N(.", FORMAT, "1 marks"),
    /* the stack */
    ROW ("R.", FORMAT, "no value"),
    ROW ("NR.", FORMAT, "no value"),
    ROW ("0.", FORMAT, "no value"),
    ROW ("N(0.", FORMAT, "no value"),
    ROW ("Q.", FORMAT, "no value"),
    ROW ("q\0.", FORMAT, "no value"),
    ROW ("N\x86.", FORMAT, "no value"),
    ROW ("NN\x87.", FORMAT, "no value"),
    ROW ("Nt.", FORMAT, "no mark"),
    ROW ("}(K\1u.", FORMAT, "dictionary"),
    ROW ("](NNu.", FORMAT, "dictionary"),
    ROW ("(NNu.", FORMAT, "no value"),
    ROW ("]NNs.", FORMAT, "dictionary"),
    ROW ("}Na.", FORMAT, "list"),
    ROW ("}(NNe.", FORMAT, "list"),
    ROW (")Na.", FORMAT, "list"),
    ROW ("NNb.", FORMAT, "state"),
    ROW ("h\0.", FORMAT, "memo entry 0"),
    ROW ("Nr\xff\xff\xff\xff.", TOO_LARGE, "4294967295"),
    ROW ("Nr\x40\x42\x0f\0.", TOO_LARGE, "1000000"),
    ROW ("NN\x93.", FORMAT, "name"),
    ROW ("S'abc\n.", FORMAT, "quotes"),
    /* arguments */
    ROW ("N)R.", FORMAT, "name"),
    ROW ("ccollections\nOrderedDict\nNR.", FORMAT, "tuple"),
    ROW ("ccollections\nOrderedDict\nN\x85R.", FORMAT, "pairs"),
    ROW ("ccollections\nOrderedDict\n]Na\x85R.", FORMAT, "pairs"),
    ROW ("ctorch\nSize\n)R.", FORMAT, "torch.Size"),
    ROW (REBUILD ")R.", FORMAT, "storage"),
    ROW (REBUILD "(NK\0))t"
                 "R.",
         FORMAT,
         "storage"),
    ROW (REBUILD "(" STORAGE "tQN))tR.", FORMAT, "storage"),
    ROW (REBUILD "(" STORAGE "tQK\0N)tR.", FORMAT, "storage"),
    ROW ("ctorch._utils\n_rebuild_parameter\nN\x85R.", FORMAT, "parameter"),
    ROW ("ctorch._tensor\n_rebuild_from_type_v2\n(NN)}tR.", FORMAT, "function"),
    ROW ("NQ.", FORMAT, "storage"),
    ROW ("(X\7\0\0\0storageNNNNtQ.", FORMAT, "storage"),
    ROW (STORAGE "K\1tQ.", UNSUPPORTED, "view"),
    ROW ("(X\7\0\0\0storagectorch\nSize\nU\0010U\3cpuK\4tQ.", UNSUPPORTED, "type"),
};

static void
test_refusals (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (refusals); i++) {
    Reading reading;
    g_autoptr (GError) error = NULL;
    g_test_message ("refusal %zu, %s", i, refusals[i].name);
    /* a copy of exact size, so that the address sanitizer sees a step too far */
    g_autofree char *copy = g_memdup2 (refusals[i].bytes, refusals[i].n);
    g_assert_null (read_bytes (&reading, copy, refusals[i].n, &error));
    g_assert_error (error, ATTN_ERROR, (int)refusals[i].code);
    test_sentence_check (error->message,
                         (const char *[]){"a.bin: data.pkl: at byte ", refusals[i].name, NULL});
    g_assert_cmpint (reading.pickle.is_cut, ==, strstr (error->message, "too early") != NULL);
    attn_arena_clear (&reading.arena);
  }
}

static void
assert_bounded (const char *piece, size_t n_piece, size_t n_times, AttnError code, const char *name)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  for (size_t i = 0; i < n_times; i++)
    pickle_bytes (bytes, piece, n_piece);
  pickle_code (bytes, '.');
  Reading reading;
  g_autoptr (GError) error = NULL;
  g_assert_null (read_bytes (&reading, bytes->data, bytes->len, &error));
  g_assert_error (error, ATTN_ERROR, (int)code);
  test_sentence_check (error->message, (const char *[]){name, NULL});
  g_assert_cmpuint (reading.arena.n_bytes, <=, reading.arena.limit);
  attn_arena_clear (&reading.arena);
}

/* Long pickles that mean nothing: stopped by a limit, not by the end of memory or of the stack. */
static void
test_limits (void)
{
  assert_bounded (")", 1, 200000, ATTN_ERROR_TOO_LARGE, "more values");
  assert_bounded ("(", 1, 200000, ATTN_ERROR_FORMAT, "nested");
  assert_bounded (")\x85", 2, 200000, ATTN_ERROR_TOO_LARGE, "more values");
  g_autoptr (GByteArray) deep = g_byte_array_new ();
  pickle_code (deep, ')');
  for (int i = 0; i < 64; i++)
    pickle_code (deep, 0x85);
  pickle_code (deep, '.');
  Reading reading;
  g_assert_cmpint (read_good (&reading, deep->data, deep->len)->depth, ==, 64);
  attn_arena_clear (&reading.arena);
  deep->data[deep->len - 1] = 0x85;
  pickle_code (deep, '.');
  g_autoptr (GError) error = NULL;
  g_assert_null (read_bytes (&reading, deep->data, deep->len, &error));
  test_sentence_check (error->message, (const char *[]){"64 levels", NULL});
  attn_arena_clear (&reading.arena);
  /* one value a million times: the stack's own limit */
  g_clear_error (&error);
  g_autoptr (GByteArray) copies = g_byte_array_new ();
  pickle_bytes (copies, "Nq\0", 3);
  for (int i = 0; i < 1000000; i++)
    pickle_bytes (copies, "h\0", 2);
  g_assert_null (read_bytes (&reading, copies->data, copies->len, &error));
  test_sentence_check (error->message, (const char *[]){"at once", NULL});
  attn_arena_clear (&reading.arena);
}

/* A list that is put into itself has no end to walk to; nothing here walks. */
static void
test_cycle (void)
{
  Reading reading;
  const AttnPickleValue *list = read_good (&reading, "]q\0h\0a.", 7);
  g_assert_true (list->items[0] == list);
  attn_arena_clear (&reading.arena);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pickle/numbers", test_numbers);
  g_test_add_func ("/pickle/containers", test_containers);
  g_test_add_func ("/pickle/memo", test_memo);
  g_test_add_func ("/pickle/tensors", test_tensors);
  g_test_add_func ("/pickle/python-2", test_python_2);
  g_test_add_func ("/pickle/refusals", test_refusals);
  g_test_add_func ("/pickle/limits", test_limits);
  g_test_add_func ("/pickle/cycle", test_cycle);
  return g_test_run ();
}
