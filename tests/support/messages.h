// What the library says while a test listens: errors and warnings go to a notebook instead of the
// terminal, and an error lets the function go on, so that the test sees what it does then.

#ifndef TESTS_SUPPORT_MESSAGES_H_
#define TESTS_SUPPORT_MESSAGES_H_

// Starts listening, with an empty notebook. Has the shape of a cmocka setup function.
int listen_to_messages(void** state);

// Gives the handlers back.
int stop_listening(void** state);

// How many errors and warnings came since the last call, and the newest of either ("" if none).
int count_errors(void);
int count_warnings(void);
const char* newest_message(void);

// Fails the running test unless exactly one error (warning) came whose text contains this; then
// forgets it.
void expect_one_error(const char* part);
void expect_one_warning(const char* part);

#endif  // TESTS_SUPPORT_MESSAGES_H_
