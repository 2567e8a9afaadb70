#include "film.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "picture.h"

struct Film_ {
  char path[1024];  // of the film; of pictures without the ending
  char part[1040];  // where ffmpeg writes it
  int width, height, frames;
  FILE* pipe;  // to ffmpeg; NULL: numbered pictures
  pid_t child;
};

static bool is_installed(const char* program) {
  const char* folders = getenv("PATH");
  while (folders && *folders) {
    char path[4096];
    size_t n = strcspn(folders, ":");
    snprintf(path, sizeof(path), "%.*s/%s", (int)n, folders, program);
    if (access(path, X_OK) == 0) return true;
    folders += n + (folders[n] == ':');
  }
  return false;
}

// In the child: frames come from standard input, upside down. Sizes of .mp4 are even.
static void become_ffmpeg(const char* path, int width, int height, double fps) {
  char size[40], rate[40];
  bool gif = ends_with(path, ".gif");
  snprintf(size, sizeof(size), "%dx%d", width, height);
  snprintf(rate, sizeof(rate), "%g", fps);
  const char* filter = gif ? "vflip,split[a][b];[a]palettegen[p];[b][p]paletteuse"
                           : "vflip,pad=ceil(iw/2)*2:ceil(ih/2)*2";
  execlp("ffmpeg", "ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgb24",
         "-video_size", size, "-framerate", rate, "-i", "-", "-vf", filter, "-pix_fmt",
         gif ? "pal8" : "yuv420p", path, (char*)NULL);
  _exit(127);
}

static bool start_ffmpeg(Film* film, double fps) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  signal(SIGPIPE, SIG_IGN);  // a film that cannot be written is an exit code
  film->child = fork();
  if (film->child == 0) {
    dup2(ends[0], 0);
    close(ends[0]);
    close(ends[1]);
    setpgid(0, 0);  // Ctrl-C is for us, not for everybody at the terminal
    become_ffmpeg(film->part, film->width, film->height, fps);
  }
  close(ends[0]);
  film->pipe = film->child > 0 ? fdopen(ends[1], "wb") : NULL;
  if (!film->pipe) close(ends[1]);
  return film->pipe != NULL;
}

bool film_knows(const char* path) {
  return ends_with(path, ".mp4") || ends_with(path, ".gif");
}

Film* film_open(const char* path, int width, int height, double fps) {
  Film* film = (Film*)calloc(1, sizeof(Film));
  if (!film || strlen(path) >= sizeof(film->path)) {
    free(film);
    failed("%s: the name is too long, or there is no memory", path);
    return NULL;
  }
  snprintf(film->path, sizeof(film->path), "%s", path);
  snprintf(film->part, sizeof(film->part), "%.*s.part%s", (int)strlen(path) - 4, path,
           path + strlen(path) - 4);
  film->width = width;
  film->height = height;
  if (is_installed("ffmpeg")) {
    if (start_ffmpeg(film, fps)) return film;
    failed("ffmpeg cannot be started: %s", strerror(errno));
    free(film);
    return NULL;
  }
  film->path[strlen(path) - 4] = 0;
  fprintf(stderr, "corten: there is no ffmpeg; frames go to %s-00000.png and so on\n", film->path);
  return film;
}

static void name_frame(const Film* film, int frame, char path[1100]) {
  snprintf(path, 1100, "%s-%05d.png", film->path, frame);
}

int film_add(Film* film, const unsigned char* rgb) {
  size_t size = 3 * (size_t)film->width * (size_t)film->height;
  int frame = film->frames++;
  if (film->pipe) {
    if (fwrite(rgb, 1, size, film->pipe) == size) return EXIT_FINE;
    return failed("%s: ffmpeg took no more frames", film->path);
  }
  char path[1100];
  name_frame(film, frame, path);
  return picture_write_rgb(path, film->width, film->height, rgb);
}

int film_close(Film* film) {
  int code = EXIT_FINE, status = 0;
  if (film->pipe) {
    if (fclose(film->pipe) != 0) code = EXIT_FAILED;
    waitpid(film->child, &status, 0);
    if (status != 0) code = failed("%s: ffmpeg could not write the film", film->path);
    if (film->frames == 0) code = EXIT_FAILED;  // there was an error, or nothing to show
    if (code == EXIT_FINE && rename(film->part, film->path) != 0) {
      code = failed("%s: cannot write the film: %s", film->path, strerror(errno));
    }
    if (code != EXIT_FINE) unlink(film->part);
  }
  free(film);
  return code;
}

int film_abandon(Film* film) {
  if (film->pipe) {
    kill(film->child, SIGKILL);
    fclose(film->pipe);
    waitpid(film->child, NULL, 0);
    unlink(film->part);
  }
  for (int i = 0; !film->pipe && i < film->frames; i++) {
    char path[1100];
    name_frame(film, i, path);
    unlink(path);
  }
  failed("interrupted after %d frames; there is no film", film->frames);
  free(film);
  return EXIT_INTERRUPTED;
}
