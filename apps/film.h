// Films: frames become an .mp4 or .gif file by ffmpeg if it is there, otherwise numbered pictures.

#ifndef APPS_FILM_H_
#define APPS_FILM_H_

#include <stdbool.h>

typedef struct Film_ Film;

// Whether a path ends in what a film can be.
bool film_knows(const char* path);

// The film has its name when it is whole; before that it is called so with .part in between, and
// what had the name stays. NULL after a message. Says once, on standard error, if there will be
// pictures instead.
Film* film_open(const char* path, int width, int height, double fps);

// A frame, its lowest row first. EXIT_FINE, or another code after a message.
int film_add(Film* film, const unsigned char* rgb);

// Writes what is left; returns an exit code.
int film_close(Film* film);

// Ctrl-C came: takes away what there is of the film, says so, and returns EXIT_INTERRUPTED.
int film_abandon(Film* film);

#endif  // APPS_FILM_H_
