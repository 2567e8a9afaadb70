// Texts that follow from the table of commands (commands.def): help, the manual page, completion.

#include "manual.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/spelling.h"
#include "command.h"

static const Entry entries[] = {
#define COMMAND(name_, arguments_, text_) {#name_, arguments_, text_, command_##name_},
#define OPTION(name_, value_, text_) {name_, value_, text_, NULL},
#include "commands.def"
#undef COMMAND
#undef OPTION
    {NULL, NULL, NULL, NULL},
};

const Entry* find_command(const char* name) {
  for (const Entry* e = entries; e->name; e++) {
    if (e->run && !strcmp(e->name, name)) return e;
  }
  return NULL;
}

const char* similar_command(const char* name) {
  ct_Spelling nearest = {name, NULL, 0};
  for (const Entry* e = entries; e->name; e++) {
    if (e->run) ct_spelling_add(&nearest, e->name);
  }
  return nearest.found;
}

const Entry* find_option(const Entry* command, const char* name, size_t n) {
  for (const Entry* e = command + 1; e->name && !e->run; e++) {
    if (strlen(e->name) == n && !strncmp(e->name, name, n)) return e;
  }
  return NULL;
}

static void print_usage(const char* name, const char* arguments, const char* text) {
  char usage[64];
  snprintf(usage, sizeof(usage), "%s%s%s", name, arguments[0] ? " " : "", arguments);
  printf("  corten %-28s  %s\n", usage, text);
}

void print_help(void) {
  printf("corten: MuJoCo's physics in plain C\n\nusage:\n");
  for (const Entry* e = entries; e->name; e++) {
    if (e->run) print_usage(e->name, e->arguments, e->text);
  }
  print_usage("COMMAND", "--help", "the options of a command");
  print_usage("--plugins FOLDER", "COMMAND ...",
              "a command with the plugin libraries of a folder instead of corten's own");
  print_usage("--version", "", "versions of corten and of the interface it implements");
  printf(
      "\na model file is MJCF, URDF or .mjb; - is standard input, and without FILE it is the "
      "built-in "
      "humanoid\nexit codes: 0 fine, 1 the work failed, 2 the command line is wrong\n");
}

void print_command_help(const Entry* command) {
  printf("usage: corten %s %s\n\n%s\n", command->name, command->arguments, command->text);
  const Entry* e = command + 1;
  if (e->name && !e->run) printf("\n");
  for (; e->name && !e->run; e++) {
    char usage[64];
    snprintf(usage, sizeof(usage), "%s %s", e->name, e->arguments);
    printf("  %-24s  %s\n", usage, e->text);
  }
}

// Minus signs of options are not hyphens.
static void print_roff(const char* text) {
  for (; *text; text++) {
    if (*text == '-') fputc('\\', stdout);
    if (*text == '\\')
      fputs("\\e", stdout);
    else
      fputc(*text, stdout);
  }
}

int command_manual(int argc, char** argv) {
  (void)argv;
  if (argc > 1) return misused("manual: it takes no arguments");
  printf(".TH CORTEN 1\n.SH NAME\ncorten \\- MuJoCo's physics in plain C\n.SH SYNOPSIS\n");
  printf(".B corten\n.I COMMAND\n[\\fIarguments\\fR]\n.SH COMMANDS\n");
  for (const Entry* e = entries; e->name; e++) {
    printf(e->run ? ".TP\n.B corten " : ".RS\n.TP\n.B ");
    print_roff(e->name);
    printf(" ");
    print_roff(e->arguments);
    printf("\n");
    print_roff(e->text);
    printf(e->run ? "\n" : "\n.RE\n");
  }
  printf(
      ".SH OPTIONS\n.TP\n.B \\-\\-plugins \\fIFOLDER\\fR\nbefore or behind a command: the plugin "
      "libraries of a folder instead of corten's own.\n.TP\n.B \\-\\-version\nversions of corten "
      "and "
      "of the interface it implements.\n.TP\n.B \\-\\-help\nwhat there is; behind a command, its "
      "options. Values may follow an equals sign.\n"
      ".SH FILES\nA model file is MJCF, URDF or .mjb; \\- is standard input.\n.SH EXIT STATUS\n0 "
      "fine, "
      "1 the work failed, 2 the command line is wrong.\n");
  return EXIT_FINE;
}

// Completion of shells. All of them offer commands first, then the options of the command, and
// files.

// What stands between single quotes; some characters need a stroke before them.
static void print_inside(const char* text, const char* special) {
  for (; *text; text++) {
    if (*text == '\'') {
      fputs("'\\''", stdout);
      continue;
    }
    if (strchr(special, *text)) putchar('\\');
    putchar(*text);
  }
}

static void print_quoted(const char* text) {
  putchar('\'');
  print_inside(text, "");
  putchar('\'');
}

// Whether an option takes the name of a file.
static bool takes_file(const Entry* option) {
  return !strcmp(option->arguments, "FILE") || !strcmp(option->arguments, "FOLDER");
}

static void complete_bash(void) {
  printf("_corten() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\" options=\"--help\"\n");
  printf("  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W \"");
  for (const Entry* e = entries; e->name; e++) {
    if (e->run) printf("%s ", e->name);
  }
  printf(
      "--help --plugins --version\" -- \"$word\"))\n    return\n  fi\n  case "
      "\"${COMP_WORDS[1]}\" in\n");
  for (const Entry* e = entries; e->name; e++) {
    if (!e->run) continue;
    printf("    %s) options=\"--help", e->name);
    for (const Entry* o = e + 1; o->name && !o->run; o++) printf(" %s", o->name);
    printf("\" ;;\n");
  }
  printf(
      "  esac\n  case \"$word\" in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
      "  esac\n}\ncomplete -o filenames -F _corten corten\n");
}

static void complete_zsh(void) {
  printf("#compdef corten\n_corten() {\n  local -a commands=(\n");
  for (const Entry* e = entries; e->name; e++) {
    char line[400];
    if (!e->run) continue;
    // the first colon divides, so those of the text need no stroke
    snprintf(line, sizeof(line), "%s:%s", e->name, e->text);
    printf("    ");
    print_quoted(line);
    printf("\n");
  }
  printf(
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n"
      "    _arguments '--help[what there is]' '--version[versions]'\n    return\n  fi\n"
      "  case $words[2] in\n");
  for (const Entry* e = entries; e->name; e++) {
    if (!e->run) continue;
    printf("    %s)\n      _arguments '--help[its options]'", e->name);
    for (const Entry* o = e + 1; o->name && !o->run; o++) {
      printf(" \\\n        '%s[", o->name);
      print_inside(o->text, "[]:\\");
      putchar(']');
      if (o->arguments[0]) printf(":%s:%s", o->arguments, takes_file(o) ? "_files" : "");
      putchar('\'');
    }
    printf(" \\\n        '*:file:_files' ;;\n");
  }
  printf("  esac\n}\n_corten \"$@\"\n");
}

static void complete_fish(void) {
  for (const Entry* e = entries; e->name; e++) {
    if (!e->run) continue;
    printf("complete -c corten -n __fish_use_subcommand -f -a %s -d ", e->name);
    print_quoted(e->text);
    printf("\n");
    for (const Entry* o = e + 1; o->name && !o->run; o++) {
      printf("complete -c corten -n '__fish_seen_subcommand_from %s' ", e->name);
      printf(o->name[1] == '-' ? "-l %s " : "-s %s ", o->name + (o->name[1] == '-' ? 2 : 1));
      if (o->arguments[0]) printf(takes_file(o) ? "-r -F " : "-x ");
      printf("-d ");
      print_quoted(o->text);
      printf("\n");
    }
  }
  printf(
      "complete -c corten -n __fish_use_subcommand -l help -d 'what there is'\n"
      "complete -c corten -n __fish_use_subcommand -l version -d versions\n"
      "complete -c corten -l plugins -r -F -d 'a folder of plugin libraries'\n");
}

int command_completion(int argc, char** argv) {
  static const struct {
    const char* shell;
    void (*print)(void);
  } shells[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
  for (size_t i = 0; argc == 2 && i < sizeof(shells) / sizeof(shells[0]); i++) {
    if (strcmp(argv[1], shells[i].shell) != 0) continue;
    shells[i].print();
    return EXIT_FINE;
  }
  return misused("completion: for which shell? bash, zsh and fish are known");
}
