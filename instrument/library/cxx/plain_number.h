/* For <locale>: decimal integers of the classic locale, read and written at
 * once and not by way of scanf and printf. What is read, failures and stored
 * values are those of num_get and num_put. */
#ifndef _BOUT_PLAIN_NUMBER
#define _BOUT_PLAIN_NUMBER

#include <__type_traits/make_unsigned.h>
#include <ios>
#include <iterator>
#include <limits>
#include <streambuf>

_LIBCPP_BEGIN_NAMESPACE_STD

/* False: not read here, nothing touched. */
template <class _Iterator, class _Integral>
_LIBCPP_HIDE_FROM_ABI bool __plain_get(_Iterator &, const _Iterator &,
                                       ios_base &, ios_base::iostate &,
                                       _Integral &)
{
    return false;
}

template <class _Integral>
_LIBCPP_HIDE_FROM_ABI bool
__plain_get(istreambuf_iterator<char> &__at, istreambuf_iterator<char> __end,
            ios_base &__stream, ios_base::iostate &__err, _Integral &__value)
{
    typedef numeric_limits<_Integral> __limits;
    bool __negative = false;
    bool __over = false;
    bool __any = false;
    unsigned long long __sum = 0;

    if ((__stream.flags() & ios_base::basefield) != ios_base::dec ||
        !__stream.__is_classic())
        return false;
    if (__at != __end && (*__at == '-' || *__at == '+')) {
        __negative = *__at == '-';
        ++__at;
    }
    for (; __at != __end; ++__at) {
        unsigned __digit = static_cast<unsigned>(*__at) - '0';

        if (__digit > 9)
            break;
        __any = true;
        __over |= __builtin_mul_overflow(__sum, 10, &__sum);
        __over |= __builtin_add_overflow(__sum, __digit, &__sum);
    }
    unsigned long long __most =
        static_cast<unsigned long long>(__limits::max()) +
        (__limits::is_signed && __negative);
    if (!__any) {
        __err = ios_base::failbit;
        __value = 0;
    } else if (__over || __sum > __most) {
        __err = ios_base::failbit;
        __value = __limits::is_signed && __negative ? __limits::min()
                                                    : __limits::max();
    } else {
        __value = static_cast<_Integral>(__negative ? 0 - __sum : __sum);
    }
    if (__at == __end)
        __err |= ios_base::eofbit;
    return true;
}

inline _LIBCPP_HIDE_FROM_ABI bool __is_plain_put(const ios_base &__stream)
{
    return !(__stream.flags() &
             (ios_base::oct | ios_base::hex | ios_base::showpos)) &&
           __stream.__is_classic();
}

/* Writes the number in front of `__end`; its first character. */
template <class _Integral>
_LIBCPP_HIDE_FROM_ABI char *__plain_digits(char *__end, _Integral __value)
{
    typedef typename make_unsigned<_Integral>::type __unsigned;
    __unsigned __rest = static_cast<__unsigned>(__value);
    bool __negative = __value < 0;

    if (__negative)
        __rest = 0 - __rest;
    do {
        *--__end = static_cast<char>('0' + __rest % 10);
        __rest /= 10;
    } while (__rest);
    if (__negative)
        *--__end = '-';
    return __end;
}

_LIBCPP_END_NAMESPACE_STD

#endif
