/* windows: x86_64-windows, a target for tests alone (tests/targets/windows).
 *
 * One charged module is to count the same under another calling convention and
 * object format, too. `bout build` knows no such target: `bout-meter link`
 * generates COFF code for it, with --whole only, since there is no linker
 * script to place precompiled code by. What a script would say is constants in
 * the code instead; hidden memory, which no register is free to point at (GS is
 * Windows' own, and nobody keeps FS), lies at a fixed address. It is not hidden
 * then: equality is shown, not secrecy.
 */
#pragma once

#define WINDOWS_TARGET "x86_64-windows"

/* The hidden page, then all that follows it in the memfd (bot/page.h): below
 * 2 GiB, above all data, and where a process has nothing yet. */
#define WINDOWS_HIDDEN_ADDRESS 0x70000000
#define WINDOWS_HIDDEN_END 0x7b000000
