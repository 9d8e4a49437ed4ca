/* expect: crash bad function pointer | crash bad address | crash null pointer
 * An object whose table of virtual functions is the bot's own data. */
#include <cstdint>
#include <cstdio>
#include <cstring>

struct shape {
    virtual int area(int)
    {
        return 1;
    }
    virtual ~shape() = default;
};

int main()
{
    static std::uintptr_t table[8] = {0x400010, 0x400020, 7, 0x40000010};
    shape *volatile made = new shape;
    std::uintptr_t *volatile fake = table;

    std::memcpy(static_cast<void *>(made), (const void *)&fake, sizeof fake);
    std::printf("came back %d\n", made->area(3));
}
