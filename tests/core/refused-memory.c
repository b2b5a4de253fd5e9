/* SPDX-License-Identifier: MIT */
/* For tests that ask for more memory than there is: the address sanitizer would end the program
 * where malloc() returns NULL. */

#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "allocator_may_return_null=1";
}
#else
typedef int RefusedMemory; /* a source file may not be empty */
#endif
