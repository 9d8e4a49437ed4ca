#include "runner/match/match.h"

const char *verdict_text(enum verdict verdict)
{
    static const char *const texts[] = {
#define VERDICT(name, text, sentence) [VERDICT_##name] = text,
#include "runner/verdict.def"
    };

    return texts[verdict];
}

const char *verdict_sentence(enum verdict verdict)
{
    static const char *const sentences[] = {
#define VERDICT(name, text, sentence) [VERDICT_##name] = sentence,
#include "runner/verdict.def"
    };

    return sentences[verdict];
}

const char *crash_text(int code)
{
    switch (code) {
#define CRASH(number, text) \
    case number:            \
        return text;
#include "runner/verdict.def"
    default:
        return "bad address"; /* a signal of no kind that the table names */
    }
}

const char *turn_status_text(enum turn_status status)
{
    static const char *const texts[] = {
#define TURN_STATUS(name, text) [TURN_STATUS_##name] = text,
#include "runner/verdict.def"
    };

    return texts[status];
}
