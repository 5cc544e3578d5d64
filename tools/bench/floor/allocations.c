// Loaded before a program, counts its calls of the allocator.
//
//   cc -O2 -shared -fPIC -o allocations.so allocations.c -ldl
//   LD_PRELOAD=./allocations.so PROGRAM
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long count;

long allocation_count(void) { return atomic_load(&count); }

void *malloc(size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  atomic_fetch_add(&count, 1);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  atomic_fetch_add(&count, 1);
  *result = __libc_memalign(alignment, size);
  return *result == NULL;
}
