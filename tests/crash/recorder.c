/* Records what a process writes and syncs below one folder, and what it says on stdout, in order, into one file.

   LD_PRELOAD this, with RECORD_UNDER (the folder) and RECORD_TO (the file). recording.py reads the records:
   op, descriptor's path, offset, length of data, data. It decides nothing and changes nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST 1024
static char *paths[MOST];
static int to = -1;
static const char *under;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    under = getenv("RECORD_UNDER");
    if (under && getenv("RECORD_TO")) to = REAL(open)(getenv("RECORD_TO"), O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static int concerns(const char *path) { return to >= 0 && path && strncmp(path, under, strlen(under)) == 0; }
static const char *path_of(int fd) { return fd == 1 ? "stdout" : fd >= 0 && fd < MOST ? paths[fd] : NULL; }

static void put(const void *data, size_t size) {
    const char *at = data;
    while (size) {
        ssize_t n = REAL(write)(to, at, size);
        if (n <= 0) abort();
        at += n, size -= n;
    }
}

/* With the mutex held over the call itself: the order in the record is the order on the file. */
static void note(char op, const char *path, int64_t offset, const void *data, uint64_t size) {
    uint32_t name = strlen(path);
    put(&op, 1), put(&name, 4), put(path, name), put(&offset, 8), put(&size, 8), put(data, size);
}

static int opened(int fd, const char *path, int flags) {
    if (fd >= 0 && fd < MOST && concerns(path)) {
        free(paths[fd]);
        paths[fd] = strdup(path);
        if (flags & O_CREAT) note('c', path, 0, "", 0);
        if (flags & O_TRUNC) note('t', path, 0, "", 0);
    }
    return fd;
}

#define OPEN(name)                                     \
    int name(const char *path, int flags, ...) {       \
        va_list rest;                                  \
        va_start(rest, flags);                         \
        mode_t mode = va_arg(rest, mode_t);            \
        va_end(rest);                                  \
        pthread_mutex_lock(&mutex);                    \
        int fd = opened(REAL(name)(path, flags, mode), path, flags); \
        pthread_mutex_unlock(&mutex);                  \
        return fd;                                     \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    pthread_mutex_lock(&mutex);
    if (fd >= 0 && fd < MOST) free(paths[fd]), paths[fd] = NULL;
    int done = REAL(close)(fd);
    pthread_mutex_unlock(&mutex);
    return done;
}

ssize_t write(int fd, const void *data, size_t size) {
    const char *path = path_of(fd);
    if (to < 0 || !path) return REAL(write)(fd, data, size);
    pthread_mutex_lock(&mutex);
    struct stat found;
    int64_t offset = 0;
    if (fd != 1) offset = fcntl(fd, F_GETFL) & O_APPEND ? (fstat(fd, &found), found.st_size) : lseek(fd, 0, SEEK_CUR);
    if (fd == 1) note('s', path, 0, data, size); /* before anybody can have read it */
    ssize_t done = REAL(write)(fd, data, size);
    if (fd != 1 && done > 0) note('w', path, offset, data, done);
    pthread_mutex_unlock(&mutex);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    pthread_mutex_lock(&mutex);
    ssize_t done = REAL(pwrite)(fd, data, size, offset);
    if (done > 0 && fd != 1 && path_of(fd)) {
        note('w', path_of(fd), offset, data, done);
        if (fcntl(fd, F_GETFL) & O_DSYNC) note('f', path_of(fd), 0, "", 0); /* before it returned; a power failure in the middle comes before this */
    }
    pthread_mutex_unlock(&mutex);
    return done;
}
ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset) { return pwrite(fd, data, size, offset); }

int ftruncate(int fd, off_t size) {
    pthread_mutex_lock(&mutex);
    int done = REAL(ftruncate)(fd, size);
    if (done == 0 && path_of(fd)) note('t', path_of(fd), size, "", 0);
    pthread_mutex_unlock(&mutex);
    return done;
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }

int fallocate(int fd, int mode, off_t offset, off_t size) {
    pthread_mutex_lock(&mutex);
    int done = REAL(fallocate)(fd, mode, offset, size);
    if (done == 0 && path_of(fd)) note(mode ? 'z' : 'e', path_of(fd), offset, &size, 8);
    pthread_mutex_unlock(&mutex);
    return done;
}

#define SYNC(name)                                             \
    int name(int fd) {                                         \
        pthread_mutex_lock(&mutex);                            \
        int done = REAL(name)(fd);                             \
        if (done == 0 && path_of(fd)) note('f', path_of(fd), 0, "", 0); \
        pthread_mutex_unlock(&mutex);                          \
        return done;                                           \
    }
SYNC(fsync)
SYNC(fdatasync)

int rename(const char *old, const char *new) {
    pthread_mutex_lock(&mutex);
    int done = REAL(rename)(old, new);
    if (done == 0 && concerns(old)) note('r', old, 0, new, strlen(new));
    pthread_mutex_unlock(&mutex);
    return done;
}

#define REMOVE(name)                                           \
    int name(const char *path) {                               \
        pthread_mutex_lock(&mutex);                            \
        int done = REAL(name)(path);                           \
        if (done == 0 && concerns(path)) note('u', path, 0, "", 0); \
        pthread_mutex_unlock(&mutex);                          \
        return done;                                           \
    }
REMOVE(unlink)
REMOVE(remove)
