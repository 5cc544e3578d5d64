// Runs a program and writes what it cost, as one line of JSON, to a file.
//
//   measure FILE PROGRAM WORDS...
//
// A small program of its own: what a child's peak memory begins with is that of the program that started it.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **words) {
  if (count < 3) {
    fputs("usage: measure FILE PROGRAM WORDS...\n", stderr);
    return 2;
  }
  struct timeval begin, end;
  gettimeofday(&begin, NULL);
  pid_t child = fork();
  if (child == 0) {
    execvp(words[2], words + 2);
    perror(words[2]);
    _exit(127);
  }
  int status = 0;
  struct rusage use;
  if (child < 0 || wait4(child, &status, 0, &use) < 0) return 2;
  gettimeofday(&end, NULL);
#ifdef __APPLE__
  long peak = use.ru_maxrss;
#else
  long peak = use.ru_maxrss * 1024;
#endif
  FILE *file = fopen(words[1], "w");
  if (!file) return 2;
  fprintf(file, "{\"status\": %d, \"user\": %.6f, \"system\": %.6f, \"wall\": %.6f, \"peak\": %ld}\n",
          WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), seconds(use.ru_utime),
          seconds(use.ru_stime), seconds(end) - seconds(begin), peak);
  return fclose(file) ? 2 : 0;
}
