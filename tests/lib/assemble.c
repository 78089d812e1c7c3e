/* assemble RECIPE TRACE - writes a text recipe (recipe.h) as a trace file. */
#include <stdio.h>
#include <stdlib.h>

#include "recipe.h"

int main(int argc, char **argv)
{
    char message[700];
    struct error err = {0};
    char *text = argc == 3 ? recipe_read_file(argv[1]) : NULL;
    if (text == NULL) {
        fprintf(stderr, argc == 3 ? "assemble: cannot read %s\n" : "usage: assemble RECIPE TRACE\n", argv[1]);
        return 2;
    }
    bool done = recipe_write(text, argv[2], &err);
    free(text);
    if (!done)
        fprintf(stderr, "assemble: %s\n", error_text(&err, message, sizeof message));
    return done ? 0 : 1;
}
