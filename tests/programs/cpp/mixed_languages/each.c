int c_state;

int for_each(const int *v, int count, int (*call)(int, void *), void *context)
{
    for (int i = 0; i < count; i++) {
        c_state = i;
        int result = call(v[i], context);
        if (result)
            return result;
    }
    return 0;
}
