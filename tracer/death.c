#include "death.h"

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static const int fatal[] = {
    SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGABRT, SIGBUS,  SIGFPE,  SIGSEGV,
    SIGUSR1, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS,
};

static void (*last_words)(void);
static pid_t owner;

/* All signals are blocked here. This one is sent again with all that is known of it, stays pending until we return, and
 * then kills at the instruction that it interrupted. */
static void die(int number, siginfo_t *info, void *context)
{
    const struct sigaction by_default = {.sa_handler = SIG_DFL};
    pid_t process = getpid();
    (void)context;
    if (process == owner) /* not in a forked child, which may share our memory */
        last_words();
    sigaction(number, &by_default, NULL);
    if (syscall(SYS_rt_tgsigqueueinfo, process, (pid_t)syscall(SYS_gettid), number, info) != 0)
        raise(number);
}

void death_watch(void (*callback)(void))
{
    /* Programs that have an alternate stack have it so that handlers run when the other one has overflowed. */
    struct sigaction ours = {.sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART}, before;
    last_words = callback;
    owner = getpid();
    if (owner == 1) /* the kernel protects it from signals that it has no handler for */
        return;
    sigfillset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(fatal[i], &ours, NULL);
}
