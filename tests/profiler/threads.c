/* 32 threads profile 1,000 frames each, while another turns profiling on and
 * off; with a tiny buffer (blocks run out) and a large one. Built under the
 * thread sanitizer by test_threads.sh. Prints how many records of blocks were
 * written for the large one, and what was lost. */
#include "profiler/profile.h"
#include "profiler/record.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define THREADS 32
#define FRAMES 1000

static char memory[64 << 20];
static unsigned long long blocks;

static void write_records(void *data, uint64_t size)
{
    const char *at = data;

    for (; size; size -= sizeof(struct record), at += sizeof(struct record)) {
        struct record record;
        memcpy(&record, at, sizeof record);
        if (record.kind == RECORD_BLOCK &&
            strcmp(record.text, "profile_io") != 0)
            blocks++;
    }
}

static void *work(void *data)
{
    for (int frame = 0; frame < FRAMES; frame++) {
        profile_begin_block("a frame of a thread");
        profile_trylock("nothing");
        profile_begin_block("a part of it");
        profile_update_block();
        profile_lock("nothing");
        profile_end_block();
        profile_log("a message that is longer than a record has room for");
        profile_unlock("nothing");
        profile_end_block();
        profile_end_frame((uint64_t)frame);
    }
    return data;
}

static uint64_t run(uint64_t size, int toggles)
{
    pthread_t thread[THREADS];

    profile_initialize("threads", memory, size);
    profile_output(write_records);
    profile_output_wait(1);
    profile_enable(1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < toggles; i++) {
        usleep(1000);
        profile_enable(i % 2);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return profile_shutdown();
}

int main(void)
{
    run(30000, 0);
    run(1 << 20, 30);
    blocks = 0;
    uint64_t lost = run(sizeof memory, 0);
    printf("%llu %llu\n", blocks, (unsigned long long)lost);
    return 0;
}
