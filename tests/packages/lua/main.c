/* Runs the Lua scripts of standard input, each in a fresh state: a line
 * `--8<-- NAME` begins one. Prints what they print and how each ended. */
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[1 << 20];

/* The clock stands: what a script prints does not depend on it. */
static int os_clock(lua_State *lua)
{
    lua_pushnumber(lua, 0);
    return 1;
}

static int os_setlocale(lua_State *lua)
{
    lua_pushnil(lua);
    return 1;
}

static int io_write(lua_State *lua)
{
    for (int i = 1; i <= lua_gettop(lua); i++)
        fputs(luaL_checkstring(lua, i), stdout);
    return 0;
}

/* rand() is the machine's own. */
static const char prelude[] =
    "local state = 1 "
    "function math.random(low, high) "
    "  state = state * 16807 % 2147483647 "
    "  if not low then return state / 2147483647 end "
    "  if not high then low, high = 1, low end "
    "  return low + state % (high - low + 1) "
    "end "
    "function math.randomseed() end";

static const luaL_Reg os_functions[] = {{"clock", os_clock},
                                        {"time", os_clock},
                                        {"setlocale", os_setlocale},
                                        {NULL, NULL}};
static const luaL_Reg io_functions[] = {{"write", io_write}, {NULL, NULL}};
static const luaL_Reg libraries[] = {
    {"", luaopen_base},        {"table", luaopen_table},
    {"string", luaopen_string}, {"math", luaopen_math},
    {"debug", luaopen_debug},  {NULL, NULL}};

static lua_State *open_state(void)
{
    lua_State *lua = luaL_newstate();

    if (!lua)
        abort();
    for (const luaL_Reg *one = libraries; one->func; one++) {
        lua_pushcfunction(lua, one->func);
        lua_pushstring(lua, one->name);
        lua_call(lua, 1, 0);
    }
    luaL_register(lua, "os", os_functions);
    luaL_register(lua, "io", io_functions);
    if (luaL_dostring(lua, prelude))
        abort();
    lua_settop(lua, 0);
    return lua;
}

static void run(const char *name, const char *script, size_t size)
{
    lua_State *lua = open_state();
    char chunk[100];

    snprintf(chunk, sizeof(chunk), "@%s.lua", name);
    if (luaL_loadbuffer(lua, script, size, chunk) || lua_pcall(lua, 0, 0, 0))
        printf("%s: %s\n", name, lua_tostring(lua, -1));
    else
        printf("%s: ok\n", name);
    lua_close(lua);
}

int main(void)
{
    size_t size = fread(text, 1, sizeof(text) - 1, stdin);
    char *at = text;

    text[size] = '\0';
    while (strncmp(at, "--8<-- ", 7) == 0) {
        char *script = strchr(at, '\n') + 1;
        char *end = strstr(script, "--8<-- ");

        script[-1] = '\0';
        run(at + 7, script, end ? (size_t)(end - script) : strlen(script));
        at = end ? end : script + strlen(script);
    }
}
