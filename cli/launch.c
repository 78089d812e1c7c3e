#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "recording.h"
#include "report.h"
#include "tracer/pattern.h"
#include "tracer/settings.h"

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static volatile sig_atomic_t child;

/* What a terminal sends (^C, ^\, hang-up) goes to the whole foreground group, so the program has it already: only what
 * a process sent to us alone is passed on. The kernel's own signals have no sender. */
static void forward(int number, siginfo_t *info, void *context)
{
    (void)context;
    int kept = errno;
    if (child > 0 && info->si_code != SI_KERNEL)
        kill((pid_t)child, number);
    errno = kept;
}

static void forward_install(void)
{
    struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < COUNT(forwarded); i++) {
        struct sigaction before;
        /* one that was ignored when we were started (nohup) stays ignored, for us and for the program */
        if (sigaction(forwarded[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(forwarded[i], &action, NULL);
    }
}

/* The program may change its directory before it uses CUDA: the name is made absolute now. */
static bool output_absolute(const char *output, char *ret_pattern, size_t size)
{
    char directory[PATH_MAX], quoted[2 * PATH_MAX];
    char expanded[PATH_MAX];
    struct error err;
    if (!pattern_expand(output, expanded, sizeof expanded, &err)) {
        say("%s", err.what);
        return false;
    }
    if (output[0] == '/')
        return snprintf(ret_pattern, size, "%s", output) < (int)size;
    if (getcwd(directory, sizeof directory) == NULL || !pattern_quote(directory, quoted, sizeof quoted)) {
        say("the current directory has no usable name");
        return false;
    }
    return snprintf(ret_pattern, size, "%s/%s", quoted, output) < (int)size;
}

/* A file for the notes; the traced processes find it by name. */
static bool notes_create(char *ret_path, size_t size)
{
    const char *directory = getenv("TMPDIR");
    snprintf(ret_path, size, "%s/cugantt-XXXXXX", directory != NULL && directory[0] == '/' ? directory : "/tmp");
    int fd = mkstemp(ret_path);
    if (fd < 0) {
        say("%s: cannot create: %s", ret_path, strerror(errno));
        return false;
    }
    close(fd);
    return true;
}

/* Other profilers are loaded the same way, and only one can be. */
static void say_in_place_of_other(const char *tracer)
{
    const char *other = getenv("CUDA_INJECTION64_PATH");
    if (other != NULL && *other != '\0' && strcmp(other, tracer) != 0)
        say("%s was to be loaded into programs that use CUDA: cugantt's tracer is loaded in its place", other);
}

static void environment_set(const struct launch *launch, const char *tracer, const char *pattern, const char *notes)
{
    say_in_place_of_other(tracer);
    recording_environment(launch->recording, tracer);
    setenv(SETTING_OUTPUT, pattern, 1);
    setenv(SETTING_NOTE, notes, 1);
}

/* In the child. Only if the program cannot be run does the parent hear of it, and then why. A recorder that is killed
 * takes the program along, as if the signal that cannot be passed on had been. */
static void program_run(const struct launch *launch, int failure, pid_t recorder)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != recorder)
        _exit(126); /* killed before that */
    execvp(launch->file ? launch->file : launch->argv[0], launch->argv);
    int why = errno;
    if (write(failure, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

/* Waits for the program and returns its wait status. */
static int program_wait(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static void die_of(int number)
{
    struct rlimit no_core = {0, 0}; /* the program has left its own */
    sigset_t only;
    setrlimit(RLIMIT_CORE, &no_core);
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

/* Forks with all signals blocked, so that none is lost before the program is known. */
static pid_t program_fork(const struct launch *launch, int failure)
{
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    pid_t recorder = getpid(), pid = fork();
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, &old, NULL);
        program_run(launch, failure, recorder);
    }
    child = pid;
    forward_install();
    sigprocmask(SIG_SETMASK, &old, NULL);
    return pid;
}

/* Returns the process, or -1 with errno if the program could not be run. */
static pid_t program_start(const struct launch *launch)
{
    int failure[2], why = 0;
    if (pipe2(failure, O_CLOEXEC) != 0)
        return -1;
    pid_t pid = program_fork(launch, failure[1]);
    if (pid < 0)
        why = errno;
    close(failure[1]);
    ssize_t length;
    while ((length = read(failure[0], &why, sizeof why)) < 0 && errno == EINTR)
        continue;
    close(failure[0]);
    if (pid > 0 && why != 0) {
        program_wait(pid);
        pid = -1;
    }
    errno = why;
    return pid;
}

/* As shells have it: 127 if there is no such program, 126 if it cannot be run. */
static int fail_start(const char *program)
{
    int status = errno == ENOENT || errno == ENOTDIR ? 127 : 126;
    say("%s: cannot run: %s", program, strerror(errno));
    return status;
}

int launch(const struct launch *launch)
{
    const char *tracer = find_piece("libcugantt-tracer.so");
    char pattern[3 * PATH_MAX], notes[PATH_MAX];
    if (tracer == NULL) {
        say("cannot record: the tracer was not built (a build with a CUDA toolkit has it)");
        return EXIT_BAD_INPUT;
    }
    if (!output_absolute(launch->output, pattern, sizeof pattern))
        return EXIT_BAD_USAGE;
    if (!notes_create(notes, sizeof notes))
        return EXIT_BAD_INPUT;
    environment_set(launch, tracer, pattern, notes);
    pid_t pid = program_start(launch);
    int status = pid < 0 ? fail_start(launch->argv[0]) : program_wait(pid);
    child = 0;
    if (pid > 0)
        report_notes(notes, launch->speaks ? NULL : launch->argv[0]);
    unlink(notes);
    if (pid < 0)
        return status;
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    die_of(WTERMSIG(status));
    return 128 + WTERMSIG(status); /* the first process of a container does not die of signals */
}
