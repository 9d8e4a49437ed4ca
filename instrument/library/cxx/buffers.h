/* The end of libcxx/src/std_stream.h: cin and cout on stdin's and stdout's own
 * buffers. libc++ goes through getc, ungetc and fwrite for each character,
 * 2,000 instructions for a number. Bytes are characters in every locale here,
 * so no codecvt has a say. The other side is in
 * instrument/library/src/stream.c. */
extern "C" {
unsigned char *__bout_lend(unsigned char *(*position)(void), int before,
                           unsigned char **end);
size_t __bout_put(FILE *file, const char *from, size_t size);
}

_LIBCPP_BEGIN_NAMESPACE_STD

template <> class _LIBCPP_HIDDEN __stdinbuf<char> : public basic_streambuf<char>
{
  public:
    __stdinbuf(FILE *file, mbstate_t *state)
    {
        (void)file;
        (void)state;
        __reader = this;
    }

  protected:
    int_type underflow() override
    {
        int before = EOF;
        unsigned char *end;

        if (gptr() && gptr() < egptr())
            return traits_type::to_int_type(*gptr());
        if (gptr() && gptr() > eback())
            before = static_cast<unsigned char>(gptr()[-1]);
        unsigned char *from = __bout_lend(__position, before, &end);
        if (!from) {
            setg(nullptr, nullptr, nullptr);
            return traits_type::eof();
        }
        char *first = reinterpret_cast<char *>(from);
        setg(first - (before != EOF), first, reinterpret_cast<char *>(end));
        return traits_type::to_int_type(*first);
    }

    /* Another character than the one that was read, or stdin has them. */
    int_type pbackfail(int_type c) override
    {
        if (!gptr())
            return ungetc(
                traits_type::eq_int_type(c, traits_type::eof()) ? __last : c,
                stdin);
        if (gptr() == eback())
            return traits_type::eof();
        gbump(-1);
        if (!traits_type::eq_int_type(c, traits_type::eof()))
            *gptr() = traits_type::to_char_type(c);
        return traits_type::not_eof(c);
    }

  private:
    static inline __stdinbuf *__reader; /* there is one cin */
    int __last = EOF; /* read last when stdin took them back */

    /* stdin takes its bytes back. */
    static unsigned char *__position()
    {
        char *at = __reader->gptr();

        if (at > __reader->eback())
            __reader->__last = static_cast<unsigned char>(at[-1]);
        __reader->setg(nullptr, nullptr, nullptr);
        return reinterpret_cast<unsigned char *>(at);
    }
};

template <>
inline streamsize __stdoutbuf<char>::xsputn(const char *from, streamsize size)
{
    return static_cast<streamsize>(
        __bout_put(__file_, from, static_cast<size_t>(size)));
}

template <>
inline __stdoutbuf<char>::int_type __stdoutbuf<char>::overflow(int_type c)
{
    char one = traits_type::to_char_type(c);

    if (!traits_type::eq_int_type(c, traits_type::eof()) &&
        __bout_put(__file_, &one, 1) != 1)
        return traits_type::eof();
    return traits_type::not_eof(c);
}

template <> inline int __stdoutbuf<char>::sync()
{
    return fflush(__file_) ? -1 : 0;
}

_LIBCPP_END_NAMESPACE_STD
