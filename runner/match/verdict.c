#include "runner/match/match.h"

const char *verdict_text(enum verdict verdict)
{
    static const char *const texts[] = {
#define VERDICT(name, text, sentence) [VERDICT_##name] = (text),
#include "runner/verdict.def"
    };

    return texts[verdict];
}

const char *verdict_sentence(enum verdict verdict)
{
    static const char *const sentences[] = {
#define VERDICT(name, text, sentence) [VERDICT_##name] = (sentence),
#include "runner/verdict.def"
    };

    return sentences[verdict];
}

const char *crash_text(int code)
{
    static const struct {
        int code;
        const char *text;
    } crashes[] = {
#define CRASH(number, text) {number, text},
#include "runner/verdict.def"
    };

    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if (crashes[i].code == code)
            return crashes[i].text;
    return "bad address"; /* a signal of no kind that the table names */
}

const char *turn_status_text(enum turn_status status)
{
    static const char *const texts[] = {
#define TURN_STATUS(name, text) [TURN_STATUS_##name] = (text),
#include "runner/verdict.def"
    };

    return texts[status];
}
