#include <inttypes.h>
#include <stdio.h>

#include "cli.h"
#include "present.h"
#include "progress.h"

int command_check(int argc, char **argv)
{
    const struct option_row options[] = {{0}};
    const struct usage usage = {
        .synopsis = "check TRACE...",
        .about = "Reads every block of a trace and says whether it is whole. Exit status 1 if anything is damaged or missing.",
        .options = options,
    };
    int operands, status = options_parse(argc, argv, &usage, &operands);
    if (status >= 0)
        return status;
    if (operands < 1) {
        say("check: expected a TRACE: see cugantt check --help");
        return EXIT_BAD_USAGE;
    }
    status = EXIT_DONE;
    for (int i = 1; i <= operands; i++) {
        struct error err;
        progress_begin("checking");
        struct model *model = model_load(argv[i], &err);
        progress_end();
        if (model == NULL) {
            status = fail(&err);
            continue;
        }
        bool whole = model->warning_count == 0 && model->loss.dropped == 0 && model->loss.invalid == 0 &&
                     model->loss.samples == 0;
        printf("%s: %s, %" PRIu64 " operations, %" PRIu64 " calls\n", argv[i], whole ? "whole" : "not whole",
               model->operation_count, model->call_count);
        present_loss(model);
        status = whole ? status : EXIT_BAD_INPUT;
        model_destroy(model);
    }
    return status;
}
