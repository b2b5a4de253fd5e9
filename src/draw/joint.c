/* SPDX-License-Identifier: MIT */
/* Numbers for the tokens of A and B together, from their alignment. */
#include "joint.h"

/* Between two pairs first A's tokens, then B's. */
static void
set_order (AttnDrawJointSide *side)
{
  size_t n_pairs = attn_alignment_get_n (side->alignment);
  size_t a = 0, b = 0, n_alone = 0, n = 0;

  for (size_t pair = 0; pair <= n_pairs; pair++) {
    size_t end_a = side->n_a, end_b = side->n_b;
    if (pair < n_pairs)
      attn_alignment_get (side->alignment, pair, &end_a, &end_b);
    while (a < end_a)
      side->order[n++] = a++;
    for (; b < end_b; b++) {
      side->order[n++] = side->n_a + n_alone;
      side->alone[n_alone++] = b;
    }
    if (pair < n_pairs)
      side->order[n++] = a;
    a++;
    b++;
  }
  for (size_t i = 0; i < side->n; i++)
    side->place[side->order[i]] = i;
}

static bool
side_init (AttnDrawJointSide *side, AttnMaps *a, AttnMaps *b, AttnSide which, GError **error)
{
  side->alignment = attn_alignment_new (a, b, which, error);
  if (side->alignment == NULL)
    return false;
  side->n_a = attn_maps_get_n (a, which);
  side->n_b = attn_maps_get_n (b, which);
  side->n = side->n_a + attn_alignment_get_n_alone (side->alignment, true);
  side->alone = g_new (size_t, side->n - side->n_a);
  side->order = g_new (size_t, side->n);
  side->place = g_new (size_t, side->n);
  set_order (side);
  return true;
}

AttnDrawJoint *
attn_draw_joint_new (AttnMaps *a, AttnMaps *b, GError **error)
{
  g_autoptr (AttnDrawJoint) joint = g_new0 (AttnDrawJoint, 1);

  joint->maps[0] = attn_maps_ref (a);
  joint->maps[1] = attn_maps_ref (b);
  for (int side = 0; side < 2; side++)
    if (!side_init (&joint->sides[side], a, b, (AttnSide)side, error))
      return NULL;
  return g_steal_pointer (&joint);
}

void
attn_draw_joint_free (AttnDrawJoint *joint)
{
  if (joint == NULL)
    return;
  for (int side = 0; side < 2; side++) {
    attn_alignment_unref (joint->sides[side].alignment);
    g_free (joint->sides[side].alone);
    g_free (joint->sides[side].order);
    g_free (joint->sides[side].place);
  }
  attn_maps_unref (joint->maps[0]);
  attn_maps_unref (joint->maps[1]);
  attn_maps_unref (joint->source_b);
  g_free (joint);
}

size_t
attn_draw_joint_get_n_pairs (const AttnDrawJoint *joint)
{
  return attn_alignment_get_n (joint->sides[ATTN_SIDE_QUERY].alignment) *
         attn_alignment_get_n (joint->sides[ATTN_SIDE_KEY].alignment);
}

/* The place of B's token @index among those without a partner. */
static size_t
find_alone (const AttnDrawJointSide *side, size_t index)
{
  size_t first = 0, end = side->n - side->n_a;

  while (end - first > 1) {
    size_t middle = (first + end) / 2;
    if (side->alone[middle] <= index)
      first = middle;
    else
      end = middle;
  }
  return first;
}

size_t
attn_draw_joint_get (const AttnDrawJoint *joint, size_t panel, AttnSide which, size_t index)
{
  const AttnDrawJointSide *side = &joint->sides[which];
  size_t pair = index, a = index, b = index;

  if (panel == 0)
    return index;
  if (panel == 1)
    pair = attn_alignment_find (side->alignment, true, index);
  if (pair == G_MAXSIZE)
    return side->n_a + find_alone (side, index);
  attn_alignment_get (side->alignment, pair, &a, &b);
  return a;
}

size_t
attn_draw_joint_find (const AttnDrawJoint *joint, size_t panel, AttnSide which, size_t token)
{
  const AttnDrawJointSide *side = &joint->sides[which];
  size_t a = token, b = 0;

  if (token >= side->n)
    return G_MAXSIZE;
  if (panel == 0)
    return token < side->n_a ? token : G_MAXSIZE;
  if (token >= side->n_a)
    return panel == 1 ? side->alone[token - side->n_a] : G_MAXSIZE;
  size_t pair = attn_alignment_find (side->alignment, false, token);
  if (pair == G_MAXSIZE || panel == 2)
    return pair;
  attn_alignment_get (side->alignment, pair, &a, &b);
  return b;
}
