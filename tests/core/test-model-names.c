/* SPDX-License-Identifier: MIT */
/* The names published files give their tensors, made from one good file by renaming. */
#include "file.h"
#include "model-private.h"
#include "safetensors.h"
#include "test-util.h"

#include "attn/error.h"
#include "attn/run.h"

#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

/* Returns: (transfer full) (nullable): another name for a tensor, or two with a bar between to
 * store it twice; NULL leaves it out. */
typedef char *(*RenameFunc) (const char *name);

static void
append_entry (GString *header, const AttnTensorInfo *info, const char *name, size_t begin)
{
  g_string_append_printf (header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[",
                          header->len > 1 ? "," : "", name, info->dtype_name);
  for (size_t i = 0; i < info->n_dims; i++)
    g_string_append_printf (header, "%s%zu", i > 0 ? "," : "", info->shape[i]);
  g_string_append_printf (header, "],\"data_offsets\":[%zu,%zu]}", begin, begin + info->n_bytes);
}

static void
write_weights (const char *folder, const GString *header, const GByteArray *data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  g_autoptr (GByteArray) file = g_byte_array_new ();
  guint64 length = GUINT64_TO_LE (header->len);
  g_byte_array_append (file, (const guint8 *)&length, sizeof length);
  g_byte_array_append (file, (const guint8 *)header->str, (guint)header->len);
  g_byte_array_append (file, data->data, data->len);
  g_file_set_contents (path, (const char *)file->data, file->len, &error);
  g_assert_no_error (error);
}

static void
copy_config (const char *from, const char *to)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *source = g_build_filename (from, "config.json", NULL);
  g_autofree char *target = g_build_filename (to, "config.json", NULL);
  gsize size;
  g_autofree char *content = test_read_file (source, &size);
  g_file_set_contents (target, content, (gssize)size, &error);
  g_assert_no_error (error);
}

typedef struct {
  GString *header;
  GByteArray *data;
} NewFile;

static void
append_tensor (NewFile *file, int fd, const AttnStoredTensor *tensor, const char *name)
{
  g_autoptr (GError) error = NULL;
  guint begin = file->data->len;
  append_entry (file->header, &tensor->info, name, begin);
  g_byte_array_set_size (file->data, begin + (guint)tensor->info.n_bytes);
  attn_file_read_at (fd, tensor->offset, file->data->data + begin, tensor->info.n_bytes, name,
                     &error);
  g_assert_no_error (error);
}

static void
append_renamed (NewFile *file, const char *path, RenameFunc rename_tensor)
{
  g_autoptr (GError) error = NULL;
  AttnTensorTable source;
  guint64 n_bytes;
  int fd = attn_file_open (path, &n_bytes, &error);
  g_assert_no_error (error);
  attn_safetensors_read (fd, n_bytes, path, &source, &error);
  g_assert_no_error (error);
  for (size_t i = 0; i < source.n_tensors; i++) {
    g_autofree char *name = rename_tensor (source.tensors[i].info.name);
    g_auto (GStrv) names = g_strsplit (name != NULL ? name : "", "|", -1);
    for (size_t n = 0; names[n] != NULL; n++)
      append_tensor (file, fd, &source.tensors[i], names[n]);
  }
  attn_tensor_table_clear (&source);
  close (fd);
}

/* Copies config and weights of a golden model into a new folder, tensor by tensor. */
static char *
dup_renamed_model (const char *model, RenameFunc rename_tensor)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *below = g_build_filename ("golden/models", model, NULL);
  g_autofree char *from = test_data_path (below);
  g_autofree char *path = g_build_filename (from, "model.safetensors", NULL);
  char *to = g_dir_make_tmp ("headscope-names-XXXXXX", &error);
  g_assert_no_error (error);
  g_autoptr (GString) header = g_string_new ("{");
  g_autoptr (GByteArray) data = g_byte_array_new ();
  NewFile file = {header, data};
  append_renamed (&file, path, rename_tensor);
  g_string_append_c (header, '}');
  write_weights (to, header, data);
  copy_config (from, to);
  return to;
}

static void
remove_folder (char *folder)
{
  static const char *const names[] = {"model.safetensors", "config.json"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (folder, names[i], NULL);
    g_remove (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

static AttnModel *
load_renamed (const char *model, RenameFunc rename_tensor, GError **error)
{
  char *folder = dup_renamed_model (model, rename_tensor);
  AttnModel *loaded = attn_model_load_weights (folder, NULL, NULL, NULL, error);
  remove_folder (folder);
  return loaded;
}

static char *
keep (const char *name)
{
  return g_strdup (name);
}

static void
assert_same_weights (const char *model, RenameFunc rename_tensor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) original = load_renamed (model, keep, &error);
  g_assert_no_error (error);
  g_autoptr (AttnModel) renamed = load_renamed (model, rename_tensor, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (original->weights.block.data, original->weights.block.n_bytes,
                   renamed->weights.block.data, renamed->weights.block.n_bytes);
  g_assert_cmpuint (attn_model_get_n_warnings (renamed), ==, 0);
}

static char *
spell_as_before (const char *name)
{
  GString *spelled = g_string_new (name);
  g_string_replace (spelled, "LayerNorm.weight", "LayerNorm.gamma", 0);
  g_string_replace (spelled, "LayerNorm.bias", "LayerNorm.beta", 0);
  return g_string_free (spelled, FALSE);
}

static char *
add_bert (const char *name)
{
  return g_strconcat ("bert.", name, NULL);
}

static char *
add_module (const char *name)
{
  return g_strconcat ("module.", name, NULL);
}

static char *
add_module_to_old (const char *name)
{
  g_autofree char *spelled = spell_as_before (name);
  return add_module (spelled);
}

static char *
drop_bert (const char *name)
{
  return g_strdup (g_str_has_prefix (name, "bert.") ? name + strlen ("bert.") : name);
}

static void
test_spellings (void)
{
  assert_same_weights ("bert", spell_as_before);
  assert_same_weights ("bert", add_bert);
  assert_same_weights ("bert", add_module);
  assert_same_weights ("bert-mlm", spell_as_before);
  assert_same_weights ("bert-mlm", add_module);
  assert_same_weights ("bert-mlm", add_module_to_old);
  assert_same_weights ("bert-mlm", drop_bert);
  assert_same_weights ("bert-relu", add_module_to_old);
}

/* Saved from the bare model: no name of it on the body's tensors; heads never had it. */
static char *
drop_base (const char *name)
{
  static const char *const bases[] = {"roberta.", "distilbert.", "albert.", "electra.",
                                      "mpnet.",   "deberta.",    "model.",  "transformer."};
  for (size_t i = 0; i < G_N_ELEMENTS (bases); i++)
    if (g_str_has_prefix (name, bases[i]) && !g_str_has_prefix (name, "transformer.layer."))
      return g_strdup (name + strlen (bases[i]));
  return g_strdup (name);
}

/* What published files hold besides: buffers and other heads. */
static char *
store_buffers (const char *name)
{
  if (g_str_has_suffix (name, "word_embeddings.weight"))
    return g_strconcat (name, "|embeddings.position_ids", NULL);
  if (g_str_has_suffix (name, "h.0.ln_1.weight"))
    return g_strconcat (name, "|h.0.attn.bias", NULL);
  if (g_str_has_suffix (name, "h.1.ln_1.weight"))
    return g_strconcat (name, "|transformer.h.1.attn.masked_bias", NULL);
  if (g_str_has_suffix (name, "final_norm.weight"))
    return g_strconcat (name, "|classifier.weight", NULL);
  return g_strdup (name);
}

/* The same of the other families, each with its own base. */
static void
test_families (gconstpointer model)
{
  assert_same_weights (model, drop_base);
  assert_same_weights (model, add_module);
  assert_same_weights (model, spell_as_before);
  assert_same_weights (model, add_module_to_old);
  assert_same_weights (model, store_buffers);
}

/* A classifier on GPT-2 has all that an LM head needs, but nobody trained it to guess. */
static void
test_classifier_without_mark (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = dup_renamed_model ("gpt2", keep);
  g_autofree char *path = g_build_filename (folder, "config.json", NULL);
  g_autoptr (GString) config = g_string_new (NULL);
  g_autofree char *text = test_read_file (path, NULL);
  g_string_assign (config, text);
  g_assert_cmpuint (
      g_string_replace (config, "GPT2LMHeadModel", "GPT2ForSequenceClassification", 0), ==, 1);
  g_file_set_contents (path, config->str, -1, &error);
  g_assert_no_error (error);
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (attn_model_has_lm_head (model));
  remove_folder (folder);
}

static char *
drop_conv (const char *name)
{
  return strstr (name, "h.1.attn.c_attn.weight") != NULL ? NULL : g_strdup (name);
}

static char *
swap_conv (const char *name)
{
  if (strstr (name, "h.1.mlp.c_fc.weight") != NULL)
    return g_strdup ("h.1.mlp.c_proj.weight");
  return strstr (name, "h.1.mlp.c_proj.weight") != NULL ? g_strdup ("h.1.mlp.c_fc.weight")
                                                        : g_strdup (name);
}

/* Sentences speak in the family's own keys, and of the shapes its files have. */
static void
test_family_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (load_renamed ("gpt2", drop_conv, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "h.1.attn.c_attn.weight"));
  g_assert_nonnull (strstr (error->message, "n_layer is 2"));
  g_clear_error (&error);
  g_assert_null (load_renamed ("gpt2", swap_conv, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  g_assert_nonnull (strstr (error->message, "[128, 32], wanted [32, 128] by n_inner and n_embd"));
}

static char *
drop_norm (const char *name)
{
  return strstr (name, "layer.2.output.LayerNorm.weight") != NULL ? NULL : g_strdup (name);
}

static void
test_missing_norm (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (load_renamed ("bert", drop_norm, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "tensor encoder.layer.2.output.LayerNorm.weight"));
  g_assert_nonnull (strstr (error->message, "is missing, also under its older spellings; "));
  g_assert_nonnull (strstr (error->message, "model.safetensors"));
}

static char *
drop_head (const char *name)
{
  return strstr (name, "cls.") != NULL ? NULL : g_strdup (name);
}

static void
test_without_head (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_renamed ("bert-mlm", drop_head, &error);
  g_assert_no_error (error);
  g_assert_false (attn_model_has_lm_head (model));
  g_assert_cmpuint (attn_model_get_n_warnings (model), ==, 0);
}

static char *
drop_decoder_bias (const char *name)
{
  bool is_bias = g_str_has_suffix (name, "predictions.bias");
  return is_bias || g_str_has_suffix (name, "decoder.bias") ? NULL : g_strdup (name);
}

static void
test_half_a_head (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (load_renamed ("bert-mlm", drop_decoder_bias, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "cls.predictions.bias"));
  g_assert_nonnull (strstr (error->message, "cls.predictions.decoder.bias"));
}

static char *
drop_decoder (const char *name)
{
  return g_str_has_suffix (name, "decoder.weight") ? NULL : g_strdup (name);
}

/* bert-relu says tie_word_embeddings false: nothing could stand for its decoder. */
static void
test_untied_without_decoder (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_renamed ("bert-relu", drop_decoder, &error);
  g_assert_no_error (error);
  g_assert_false (attn_model_has_lm_head (model));
  g_assert_cmpuint (attn_model_get_n_warnings (model), ==, 1);
  g_assert_nonnull (strstr (attn_model_peek_warning (model, 0), "cls.predictions.decoder.weight"));
}

static void
test_own_decoder (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) own = load_renamed ("bert-relu", keep, &error);
  g_assert_no_error (error);
  g_assert_true (own->weights.decoder != own->weights.words);
  g_autoptr (AttnModel) tied = load_renamed ("bert-mlm", keep, &error);
  g_assert_no_error (error);
  g_assert_true (tied->weights.decoder == tied->weights.words);
}

static char *
store_words_twice (const char *name)
{
  bool is_words = g_str_has_suffix (name, "word_embeddings.weight");
  return g_strconcat (name, is_words ? "|cls.predictions.decoder.weight" : NULL, NULL);
}

static void
test_copied_decoder (void)
{
  assert_same_weights ("bert-mlm", store_words_twice);
}

/* The last layer of "bert" twice: config.json asks for three of the four. */
static char *
store_layer_twice (const char *name)
{
  const char *number = strstr (name, "layer.2.");
  if (number == NULL)
    return g_strdup (name);
  return g_strdup_printf ("%s|%.*slayer.3.%s", name, (int)(number - name), name,
                          number + strlen ("layer.2."));
}

static void
test_more_layers (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = load_renamed ("bert", store_layer_twice, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_model_get_n_warnings (model), ==, 1);
  const char *warning = attn_model_peek_warning (model, 0);
  g_assert_nonnull (strstr (warning, "model.safetensors: tensor encoder.layer.3."));
  g_assert_nonnull (strstr (warning, "num_hidden_layers is 3"));
}

static void
assert_warning (const char *model, RenameFunc rename_tensor, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) loaded = load_renamed (model, rename_tensor, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_model_get_n_warnings (loaded), ==, words != NULL);
  if (words != NULL)
    g_assert_nonnull (strstr (attn_model_peek_warning (loaded, 0), words));
}

/* As a fine-tuning that was not merged leaves them. */
static char *
store_adapters (const char *name)
{
  const char *query = strstr (name, ".query.weight");
  return query == NULL
             ? g_strdup (name)
             : g_strdup_printf ("%s|%.*s.query.lora_A.weight", name, (int)(query - name), name);
}

static char *
store_distances (const char *name)
{
  const char *query = strstr (name, "layer.1.attention.self.query.weight");
  return query == NULL ? g_strdup (name)
                       : g_strdup_printf ("%s|bert.encoder.layer.1.attention.self."
                                          "distance_embedding.weight",
                                          name);
}

/* What stands within a layer and is not used would have changed the maps. */
static void
test_unused_parts (void)
{
  assert_warning ("bert-mlm", store_adapters,
                  "tensor bert.encoder.layer.0.attention.self.query.lora_A.weight and 2 more: "
                  "parts of layers that are not used");
  assert_warning ("bert", store_distances,
                  "tensor bert.encoder.layer.1.attention.self.distance_embedding.weight: parts");
}

static char *
drop_pooler (const char *name)
{
  return strstr (name, "pooler.") != NULL ? NULL : g_strdup (name);
}

/* A bare model has one, which is told when it has not; one with a masked-LM head has none. */
static void
test_missing_pooler (void)
{
  assert_warning ("bert", drop_pooler, "tensor pooler.dense.weight is missing, which a BertModel");
  assert_warning ("bert", keep, NULL);
  assert_warning ("bert-mlm", drop_pooler, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model-names/spellings", test_spellings);
  static const char *const families[] = {
      "roberta-mlm", "distilbert-mlm", "albert-mlm", "electra-discriminator",
      "mpnet",       "deberta-v2",     "modernbert", "gpt2"};
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++) {
    g_autofree char *path = g_strdup_printf ("/model-names/families/%s", families[i]);
    g_test_add_data_func (path, families[i], test_families);
  }
  g_test_add_func ("/model-names/classifier", test_classifier_without_mark);
  g_test_add_func ("/model-names/family-errors", test_family_errors);
  g_test_add_func ("/model-names/missing-norm", test_missing_norm);
  g_test_add_func ("/model-names/without-head", test_without_head);
  g_test_add_func ("/model-names/half-a-head", test_half_a_head);
  g_test_add_func ("/model-names/untied-without-decoder", test_untied_without_decoder);
  g_test_add_func ("/model-names/own-decoder", test_own_decoder);
  g_test_add_func ("/model-names/copied-decoder", test_copied_decoder);
  g_test_add_func ("/model-names/more-layers", test_more_layers);
  g_test_add_func ("/model-names/unused-parts", test_unused_parts);
  g_test_add_func ("/model-names/missing-pooler", test_missing_pooler);
  return g_test_run ();
}
