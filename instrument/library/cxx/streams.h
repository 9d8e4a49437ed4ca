
/* The end of <iostream>: opens cin, cout and the others before any constructor
 * of the program. libc++'s own way is a constructor of the library, which would
 * cost each program 17,000 instructions, those without streams too. */
#ifndef _BOUT_STREAMS
#define _BOUT_STREAMS
namespace std
{
[[gnu::constructor(101)]] static inline void __open_streams()
{
    ios_base::Init init;
}
} // namespace std
#endif
