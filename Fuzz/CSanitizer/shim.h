// What AddressSanitizer offers to those who watch the heap; Swift's toolchain has no module for it.
#include <stddef.h>

int __sanitizer_install_malloc_and_free_hooks(
    void (*_Nonnull allocated)(const volatile void *_Nullable, size_t),
    void (*_Nonnull freed)(const volatile void *_Nullable));
size_t __sanitizer_get_allocated_size(const volatile void *_Nullable);
