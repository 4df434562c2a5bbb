/* A load generator: a few keep-alive connections, one thread, requests from a file in turn.
 *
 * usage: load HOST PORT CONNECTIONS SECONDS REQUESTS
 *
 * REQUESTS holds requests one after the other, each with a line "LENGTH\n" in front. Prints one line of JSON: answers a
 * second, median and 99th percentile in microseconds, answers that were not 2xx, bytes. Written in C so that the
 * generator costs far less than the server that it shares the machine with.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BUFFER (4 << 20)
#define BUCKETS 2000000 /* microseconds; slower answers count as the last */

typedef struct { const char *text; size_t size; } Request;
typedef struct { int fd; char *in; size_t have, need, sent; const Request *now; uint64_t start; } Line;

static Request *requests;
static size_t count, next_request;
static uint32_t *histogram;
static uint64_t answers, wrong, octets;
static struct sockaddr_in address;

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void stop(const char *why) { perror(why); exit(1); }

static void read_requests(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) stop(path);
    size_t size, room = 0;
    char newline;
    while (fscanf(file, "%zu%c", &size, &newline) == 2) {
        if (count == room) requests = realloc(requests, (room = room ? room * 2 : 64) * sizeof *requests);
        char *text = malloc(size);
        if (fread(text, 1, size, file) != size) stop("a request is cut short");
        requests[count++] = (Request){text, size};
    }
    fclose(file);
    if (!count) { fprintf(stderr, "%s holds no request\n", path); exit(1); }
}

static void connect_line(Line *line) {
    line->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (line->fd < 0 || connect(line->fd, (struct sockaddr *)&address, sizeof address)) stop("connect");
    int one = 1;
    setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(line->fd, F_SETFL, O_NONBLOCK);
}

static void send_next(Line *line) {
    line->now = &requests[next_request++ % count];
    line->sent = line->have = line->need = 0;
    line->start = now();
}

static void push(Line *line) {
    while (line->sent < line->now->size) {
        ssize_t n = write(line->fd, line->now->text + line->sent, line->now->size - line->sent);
        if (n < 0) { if (errno == EAGAIN) return; stop("write"); }
        line->sent += n;
    }
}

/* Returns 1 when an answer is whole. */
static int pull(Line *line) {
    for (;;) {
        ssize_t n = read(line->fd, line->in + line->have, BUFFER - 1 - line->have);
        if (n < 0) { if (errno == EAGAIN) break; stop("read"); }
        if (n == 0) { fprintf(stderr, "the server closed a connection\n"); exit(1); }
        line->have += n;
        if (line->have >= BUFFER - 1) { fprintf(stderr, "an answer is too large\n"); exit(1); }
    }
    if (!line->need) {
        line->in[line->have] = 0;
        char *end = strstr(line->in, "\r\n\r\n");
        if (!end) return 0;
        char *length = strcasestr(line->in, "\r\ncontent-length:");
        line->need = (size_t)(end + 4 - line->in) + (length && length < end ? strtoul(length + 17, NULL, 10) : 0);
    }
    return line->have >= line->need;
}

int main(int argc, char **argv) {
    if (argc != 6) { fprintf(stderr, "usage: load HOST PORT CONNECTIONS SECONDS REQUESTS\n"); return 2; }
    address.sin_family = AF_INET;
    address.sin_port = htons(atoi(argv[2]));
    inet_pton(AF_INET, argv[1], &address.sin_addr);
    int lines = atoi(argv[3]);
    double seconds = atof(argv[4]);
    read_requests(argv[5]);
    histogram = calloc(BUCKETS, sizeof *histogram);
    Line *all = calloc(lines, sizeof *all);
    int poll = epoll_create1(0);
    for (int i = 0; i < lines; i++) {
        all[i].in = malloc(BUFFER);
        connect_line(&all[i]);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[i]};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event);
        send_next(&all[i]);
        push(&all[i]);
    }
    uint64_t start = now(), end = start + (uint64_t)(seconds * 1e6), at = start;
    struct epoll_event events[64];
    while ((at = now()) < end) {
        int ready = epoll_wait(poll, events, 64, 100);
        for (int i = 0; i < ready; i++) {
            Line *line = events[i].data.ptr;
            if (line->sent < line->now->size) push(line);
            if (!pull(line)) continue;
            uint64_t took = now() - line->start;
            histogram[took < BUCKETS ? took : BUCKETS - 1]++;
            answers++;
            octets += line->have;
            if (line->in[9] != '2') wrong++;
            send_next(line);
            push(line);
        }
    }
    uint64_t seen = 0, median = 0, p99 = 0;
    for (uint64_t us = 0; us < BUCKETS; us++) {
        seen += histogram[us];
        if (!median && seen * 2 >= answers) median = us;
        if (!p99 && seen * 100 >= answers * 99) { p99 = us; break; }
    }
    printf("{\"rate\": %.1f, \"median_us\": %lu, \"p99_us\": %lu, \"answers\": %lu, \"wrong\": %lu, \"bytes\": %lu}\n",
           answers / ((at - start) / 1e6), median, p99, answers, wrong, octets);
    return 0;
}
