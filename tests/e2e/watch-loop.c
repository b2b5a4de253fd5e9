/* SPDX-License-Identifier: MIT */
/* Loaded into the window program by LD_PRELOAD: how much of the main thread's CPU time each round
 * of the main loop uses, between two waits for events.
 *
 * Written to the file WATCH_LOOP names, a line each: "WALL_MS CPU_MS" of every round that used at
 * least 5 ms, "heap WALL_MS BYTES BLOCKS" twice a second with what is allocated, in all and how
 * many blocks that only the weights of a model need, and "all N" with the number of rounds at the
 * end. A round that goes on beyond LIMIT_MS leaves its call stack on standard error, and so does a
 * fatal warning. SIGUSR2 lists there what may keep keys from windows: dialogs and popovers. */
#include <glib-object.h>

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_MS 100
#define WORTH_A_LINE_MS 5
#define STACK_DEPTH 128
#define HEAP_EVERY_MS 500

/* The shipped model's weights are 24 MB, a picture of the screen is 5. */
#define LARGE_BYTES (20 << 20)

/* A popover whose button a new layout moves beyond every monitor: gdk_x11_surface_layout_popup()
 * asks "no monitor" for its bounds and goes on with what was on the stack, so that sizes within the
 * popover may be negative just after. The layout may be that of a container of the program; it asks
 * only for the bounds of a monitor that is there. */
#define LOST_POPOVER "gdk_monitor_get_geometry: assertion 'GDK_IS_MONITOR (monitor)' failed"
#define LOST_FOR_MS 200

static int file = -1;
static timer_t timer;
static bool has_timer, running;
static double round_start_ms, heap_ms, lost_ms;
static unsigned long n_rounds;
static pid_t main_process;
static int n_large; /* atomic */
static volatile sig_atomic_t is_asked;

/* ---- the allocator, but for a count of large blocks ---- */

extern void *__libc_malloc (size_t n_bytes);
extern void *__libc_calloc (size_t n, size_t n_bytes);
extern void *__libc_realloc (void *block, size_t n_bytes);
extern void __libc_free (void *block);

static void
count (void *block, int step)
{
  if (block != NULL && malloc_usable_size (block) >= LARGE_BYTES)
    __atomic_add_fetch (&n_large, step, __ATOMIC_RELAXED);
}

void *
malloc (size_t n_bytes)
{
  void *block = __libc_malloc (n_bytes);

  count (block, 1);
  return block;
}

void *
calloc (size_t n, size_t n_bytes)
{
  void *block = __libc_calloc (n, n_bytes);

  count (block, 1);
  return block;
}

void *
realloc (void *block, size_t n_bytes)
{
  const bool was_large = block != NULL && malloc_usable_size (block) >= LARGE_BYTES;
  void *other = __libc_realloc (block, n_bytes);

  if (was_large && (other != NULL || n_bytes == 0))
    __atomic_sub_fetch (&n_large, 1, __ATOMIC_RELAXED);
  count (other, 1);
  return other;
}

void
free (void *block)
{
  count (block, -1);
  __libc_free (block);
}

/* ---- time ---- */

static double
get_ms (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void
print_stack (const char *title)
{
  void *stack[STACK_DEPTH];
  const int depth = backtrace (stack, STACK_DEPTH);

  if (write (STDERR_FILENO, title, strlen (title)) >= 0)
    backtrace_symbols_fd (stack, depth, STDERR_FILENO);
}

/* ---- windows and popovers ---- */

typedef struct {
  GTypeInstance *(*get_first_child) (GTypeInstance *widget);
  GTypeInstance *(*get_next_sibling) (GTypeInstance *widget);
  gboolean (*get_visible) (GTypeInstance *widget);
  gboolean (*get_mapped) (GTypeInstance *widget);
} Widgets;

static void
tell_widget (const Widgets *widgets, GTypeInstance *widget)
{
  gboolean modal = FALSE;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "modal") != NULL)
    g_object_get (widget, "modal", &modal, NULL);
  dprintf (STDERR_FILENO, "watch-loop: %s %p%s%s%s\n", g_type_name_from_instance (widget),
           (void *)widget, widgets->get_visible (widget) ? ", visible" : "",
           widgets->get_mapped (widget) ? ", mapped" : "", modal ? ", modal" : "");
}

/* Popovers that are seen, or should be, below @widget. */
static void
tell_popovers (const Widgets *widgets, GTypeInstance *widget)
{
  const GType popover = g_type_from_name ("GtkPopover");

  if (popover != 0 && g_type_is_a (G_TYPE_FROM_INSTANCE (widget), popover) &&
      (widgets->get_visible (widget) || widgets->get_mapped (widget)))
    tell_widget (widgets, widget);
  for (GTypeInstance *child = widgets->get_first_child (widget); child != NULL;
       child = widgets->get_next_sibling (child))
    tell_popovers (widgets, child);
}

static void
tell_windows (void)
{
  GList *(*list_toplevels) (void) =
      (GList * (*)(void)) dlsym (RTLD_DEFAULT, "gtk_window_list_toplevels");
  const Widgets widgets = {
      (GTypeInstance * (*)(GTypeInstance *)) dlsym (RTLD_DEFAULT, "gtk_widget_get_first_child"),
      (GTypeInstance * (*)(GTypeInstance *)) dlsym (RTLD_DEFAULT, "gtk_widget_get_next_sibling"),
      (gboolean (*) (GTypeInstance *))dlsym (RTLD_DEFAULT, "gtk_widget_get_visible"),
      (gboolean (*) (GTypeInstance *))dlsym (RTLD_DEFAULT, "gtk_widget_get_mapped")};
  GList *windows = list_toplevels != NULL ? list_toplevels () : NULL;

  for (GList *each = windows; each != NULL; each = each->next) {
    tell_widget (&widgets, each->data);
    tell_popovers (&widgets, each->data);
  }
  g_list_free (windows);
}

static void
ask_cb (int number)
{
  (void)number;
  is_asked = 1;
}

/* Runs on the main thread, in the middle of what takes so long. */
static void
limit_cb (int number)
{
  (void)number;
  print_stack ("watch-loop: still busy after 100 ms of CPU time, in\n");
}

static void
fatal_cb (int number)
{
  print_stack ("watch-loop: ends by a signal, in\n");
  signal (number, SIG_DFL);
  raise (number);
}

/* Whether nothing of the program is on the call stack but what started it: main() and its caller.
 */
static bool
is_without_us (void)
{
  void *stack[STACK_DEPTH];
  const int depth = backtrace (stack, STACK_DEPTH);
  Dl_info start, info;
  int n_ours = 0;

  if (depth == STACK_DEPTH || dladdr (stack[depth - 1], &start) == 0)
    return false;
  for (int i = 0; i < depth; i++)
    n_ours += dladdr (stack[i], &info) != 0 && info.dli_fbase == start.dli_fbase;
  return n_ours <= 2;
}

/* GTK 4.8's own, said in plain GTK programs as well, while only GTK handles an event. */
static bool
is_known (const char *message)
{
  static const char *const known[] = {
      /* a press that something else takes over, such as a drag of the title bar; GTK's own widget
       * factory says it of the same input */
      "Broken accounting of active state for widget",
      /* Return or an arrow in a popover whose focused button has become insensitive: then nothing
       * has the focus, and gtk_popover_activate_default() and gtk_popover_focus() do not ask */
      "gtk_widget_is_ancestor: assertion 'GTK_IS_WIDGET (widget)' failed",
      /* a tooltip's time comes when its window has just been hidden: gtk_tooltip_show_tooltip()
       * asks for the pointer over a surface that is no more, and for the widget that is there */
      "gdk_surface_get_device_position: assertion 'GDK_IS_SURFACE (surface)' failed",
      "_gtk_widget_find_at_coords: assertion 'GDK_IS_SURFACE (surface)' failed",
      /* a drag comes over a drop target that has not been told of the end of the one before */
      "gtk_drop_target_handle_crossing: runtime check failed",
      /* a text view's scroll bar comes in the middle of a layout: any scrolled text view whose text
       * and window change under a moving pointer says it now and then */
      "Trying to snapshot GtkGizmo",
      "Trying to snapshot GtkOverlay", /* where the text view and its hint lie in */
  };
  bool found = false;

  if (message != NULL && strstr (message, LOST_POPOVER) != NULL) {
    lost_ms = get_ms (CLOCK_MONOTONIC);
    return true;
  }
  if (message == NULL || !is_without_us ())
    return false;
  for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
    found = found || strstr (message, known[i]) != NULL;
  return found || (strstr (message, "gtk_widget_size_allocate(): attempt to allocate") != NULL &&
                   lost_ms > 0 && get_ms (CLOCK_MONOTONIC) < lost_ms + LOST_FOR_MS);
}

/* "Trying to snapshot GtkBox 0x… without a current allocation": within what it lies. */
static void
print_place (const char *message)
{
  typedef GTypeInstance *(*Parent) (GTypeInstance * widget);
  const Parent get_parent = (Parent)dlsym (RTLD_DEFAULT, "gtk_widget_get_parent");
  const char *pointer = strstr (message, " 0x");
  GTypeInstance *widget = NULL;

  if (strstr (message, "Trying to snapshot") == NULL || pointer == NULL || get_parent == NULL)
    return;
  widget = (GTypeInstance *)g_ascii_strtoull (pointer + 1, NULL, 16);
  for (; widget != NULL; widget = get_parent (widget))
    dprintf (STDERR_FILENO, "watch-loop: in %s\n", g_type_name_from_instance (widget));
}

/* Every warning ends the program, with its stack; only the known ones are merely printed. */
static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *message = NULL;

  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      message = fields[i].value;
  g_log_writer_standard_streams (level, fields, n_fields, data);
  if ((level & (G_LOG_LEVEL_WARNING | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)) != 0 &&
      !is_known (message)) {
    print_place (message != NULL ? message : "");
    abort ();
  }
  return G_LOG_WRITER_HANDLED;
}

static void
set_limit (long ms)
{
  const struct itimerspec when = {.it_value = {.tv_sec = 0, .tv_nsec = ms * 1000000}};

  if (has_timer)
    timer_settime (timer, 0, &when, NULL);
}

static void
end_round (void)
{
  const double used = get_ms (CLOCK_THREAD_CPUTIME_ID) - round_start_ms;

  n_rounds++;
  if (used >= WORTH_A_LINE_MS)
    dprintf (file, "%.3f %.3f\n", get_ms (CLOCK_MONOTONIC), used);
}

/* What lies in the allocator's own store is not counted: only what somebody has. */
static void
tell_heap (void)
{
  const double now = get_ms (CLOCK_MONOTONIC);
  struct mallinfo2 info;

  if (now < heap_ms + HEAP_EVERY_MS)
    return;
  heap_ms = now;
  info = mallinfo2 ();
  dprintf (file, "heap %.3f %zu %d\n", now, info.uordblks + info.hblkhd,
           __atomic_load_n (&n_large, __ATOMIC_RELAXED));
}

static gint
watch_poll (GPollFD *fds, guint n_fds, gint timeout)
{
  gint n;

  if (getpid () != main_process)
    return g_poll (fds, n_fds, timeout);
  set_limit (0);
  if (running)
    end_round ();
  tell_heap ();
  if (is_asked) {
    is_asked = 0;
    tell_windows ();
  }
  n = g_poll (fds, n_fds, timeout);
  running = true;
  round_start_ms = get_ms (CLOCK_THREAD_CPUTIME_ID);
  set_limit (LIMIT_MS);
  return n;
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *path = g_getenv ("WATCH_LOOP");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *name = program != NULL ? g_path_get_basename (program) : NULL;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  void *first[1];

  if (path == NULL || g_strcmp0 (name, "headscope") != 0)
    return;
  main_process = getpid ();
  file = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  backtrace (first, 1); /* loads what it needs now, not in a signal handler */
  signal (SIGPROF, limit_cb);
  g_log_set_writer_func (log_cb, NULL, NULL);
  signal (SIGUSR2, ask_cb);
  signal (SIGABRT, fatal_cb);
  signal (SIGSEGV, fatal_cb);
  event._sigev_un._tid = (pid_t)syscall (SYS_gettid);
  has_timer = timer_create (CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0;
  g_main_context_set_poll_func (NULL, watch_poll);
}

__attribute__ ((destructor)) static void
end (void)
{
  if (file >= 0 && getpid () == main_process)
    dprintf (file, "all %lu\n", n_rounds);
}
