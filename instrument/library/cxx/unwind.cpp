/* Raising and choosing for the checked returns of bout-meter (lower_unwind.c),
 * on libc++abi's exception objects and type matching, both used unchanged.
 *
 * Source: Itanium C++ ABI, Exception Handling, level II. */
#include "cxa_exception.h"
#include "private_typeinfo.h"

#include <exception>
#include <stdint.h>

using namespace __cxxabiv1;

/* One row of a landing pad's table. */
struct clause {
    const std::type_info *type; /* null: anything */
    int32_t number;             /* > 0 catches; 0 is part of a filter; < 0 ends
                                   a filter that let nothing through */
};

extern "C" {

/* The exception on its way, or null; the C library's start looks at it too. */
extern void *__bout_exception;
/* What to do with one that left main: set with the first that is raised, so
 * that a program which raises none does not carry the means. */
extern void (*__bout_uncaught)(void);

static void uncaught(void)
{
    void *exception = __bout_exception;

    __bout_exception = nullptr;
    __cxa_begin_catch(exception);
    std::terminate();
}

_Unwind_Reason_Code _Unwind_RaiseException(_Unwind_Exception *exception)
{
    __bout_uncaught = uncaught;
    __bout_exception = exception;
    return _URC_NO_REASON;
}

void _Unwind_DeleteException(_Unwind_Exception *exception)
{
    if (exception->exception_cleanup)
        exception->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, exception);
}

static bool catches(const std::type_info *type, __cxa_exception *header,
                    void *thrown)
{
    auto *wanted = static_cast<const __shim_type_info *>(type);
    auto *have = static_cast<const __shim_type_info *>(header->exceptionType);

    if (type && !wanted->can_catch(have, thrown))
        return false;
    header->adjustedPtr = thrown;
    return true;
}

/* The number of the first clause that takes `raised`, 0 if none does. */
int32_t __bout_select(void *raised, const clause *table, uint32_t count)
{
    auto *exception = static_cast<_Unwind_Exception *>(raised);
    auto *header = reinterpret_cast<__cxa_exception *>(exception + 1) - 1;
    void *thrown = header + 1;

    if (__getExceptionClass(exception) == kOurDependentExceptionClass)
        thrown = reinterpret_cast<__cxa_dependent_exception *>(header)
                     ->primaryException;
    for (uint32_t i = 0; i < count; i++) {
        bool filter = table[i].number == 0;

        if (table[i].number < 0)
            return table[i].number;
        if (!catches(table[i].type, header, thrown))
            continue;
        if (!filter)
            return table[i].number;
        while (table[i].number == 0)
            i++; /* allowed by the filter: on behind its end */
    }
    return 0;
}

}
