#include "rival.h"

#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cupti_library.h"

#if defined(__x86_64__)
enum { IS_CALL = R_X86_64_JUMP_SLOT, IS_ADDRESS = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__)
enum { IS_CALL = R_AARCH64_JUMP_SLOT, IS_ADDRESS = R_AARCH64_GLOB_DAT };
#else
enum { IS_CALL = -1, IS_ADDRESS = -1 };
#endif

typedef CUptiResult CUPTIAPI register_callbacks(CUpti_BuffersCallbackRequestFunc, CUpti_BuffersCallbackCompleteFunc);

static void (*tell)(void);
static _Atomic(uintptr_t) original; /* what was in the table: CUPTI's own, or the stub that finds it */
static unsigned long long seen;     /* libraries loaded so far */

static CUptiResult CUPTIAPI registers(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete)
{
    register_callbacks *next = (register_callbacks *)atomic_load(&original);
    tell();
    return next(request, complete);
}

/* A loaded library's tables, from its dynamic section. */
struct tables {
    uintptr_t base;
    const char *strings;
    const ElfW(Sym) *symbols;
    const ElfW(Rela) *calls, *others;
    size_t calls_bytes, others_bytes;
};

/* The loader has added the base to addresses in most libraries, not in all. */
static const void *address(uintptr_t base, uintptr_t value)
{
    return (const void *)(value < base ? base + value : value);
}

static struct tables tables_of(uintptr_t base, const ElfW(Dyn) *dynamic)
{
    struct tables t = {.base = base};
    for (const ElfW(Dyn) *d = dynamic; d->d_tag != DT_NULL; d++) {
        switch (d->d_tag) {
        case DT_STRTAB: t.strings = address(base, d->d_un.d_ptr); break;
        case DT_SYMTAB: t.symbols = address(base, d->d_un.d_ptr); break;
        case DT_JMPREL: t.calls = address(base, d->d_un.d_ptr); break;
        case DT_PLTRELSZ: t.calls_bytes = d->d_un.d_val; break;
        case DT_RELA: t.others = address(base, d->d_un.d_ptr); break;
        case DT_RELASZ: t.others_bytes = d->d_un.d_val; break;
        default: break;
        }
    }
    return t;
}

static bool needs_cupti(const struct tables *t, const ElfW(Dyn) *dynamic)
{
    for (const ElfW(Dyn) *d = dynamic; t->strings != NULL && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && strncmp(t->strings + d->d_un.d_val, "libcupti", 8) == 0)
            return true;
    return false;
}

static uintptr_t *entry_find(const struct tables *t, const ElfW(Rela) *relocations, size_t bytes)
{
    for (size_t i = 0; relocations != NULL && i < bytes / sizeof *relocations; i++) {
        const ElfW(Rela) *r = &relocations[i];
        int type = (int)ELF64_R_TYPE(r->r_info);
        if ((type == IS_CALL || type == IS_ADDRESS) &&
            strcmp(t->strings + t->symbols[ELF64_R_SYM(r->r_info)].st_name, "cuptiActivityRegisterCallbacks") == 0)
            return (uintptr_t *)(t->base + r->r_offset);
    }
    return NULL;
}

/* Tables are often read-only once the loader is done with them. */
static void entry_replace(uintptr_t *entry, bool read_only)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *start = (void *)((uintptr_t)entry & ~(page - 1));
    if (read_only && mprotect(start, page, PROT_READ | PROT_WRITE) != 0)
        return;
    atomic_store(&original, *entry);
    __atomic_store_n(entry, (uintptr_t)registers, __ATOMIC_SEQ_CST);
    if (read_only)
        mprotect(start, page, PROT_READ);
}

static bool is_read_only(const struct dl_phdr_info *library, const uintptr_t *entry)
{
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &library->dlpi_phdr[i];
        uintptr_t begin = library->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_GNU_RELRO && (uintptr_t)entry >= begin && (uintptr_t)entry < begin + p->p_memsz)
            return true;
    }
    return false;
}

static int library_look(struct dl_phdr_info *library, size_t size, void *unused)
{
    const ElfW(Dyn) *dynamic = NULL;
    (void)size, (void)unused;
    for (int i = 0; i < library->dlpi_phnum; i++)
        if (library->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
    if (dynamic == NULL)
        return 0;
    struct tables t = tables_of(library->dlpi_addr, dynamic);
    if (!needs_cupti(&t, dynamic) || t.symbols == NULL)
        return 0;
    uintptr_t *entry = entry_find(&t, t.calls, t.calls_bytes);
    if (entry == NULL)
        entry = entry_find(&t, t.others, t.others_bytes);
    if (entry == NULL)
        return 0;
    entry_replace(entry, is_read_only(library, entry));
    return 1; /* one is watched: there is one place for what was in the table */
}

static int library_count(struct dl_phdr_info *library, size_t size, void *count)
{
    (void)size;
    *(unsigned long long *)count = library->dlpi_adds;
    return 1;
}

void rival_watch(void (*came)(void))
{
    unsigned long long loaded = 0;
    dl_iterate_phdr(library_count, &loaded);
    if (IS_CALL < 0 || atomic_load(&original) != 0 || loaded == seen)
        return;
    seen = loaded;
    tell = came;
    dl_iterate_phdr(library_look, NULL);
}
