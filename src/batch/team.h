// Threads that share the items of one job: each takes the next few that nobody has taken yet.

#ifndef CT_BATCH_TEAM_H_
#define CT_BATCH_TEAM_H_

#include <stdbool.h>

typedef struct ct_Team_ ct_Team;

// What a member of the team (0 to size - 1; 0 is the caller) does with one item.
typedef void (*ct_TeamWork)(void* job, int member, int item);

// A team of that many, the caller of ct_team_run included. NULL after an error.
ct_Team* ct_make_team(int size);
void ct_delete_team(ct_Team* team);

int ct_team_size(const ct_Team* team);

// Does all items, 0 to count - 1, and returns when they are done. One call at a time. Nothing is
// allocated. Batches that the caller works for count as being at work in all members (ct_at_work).
void ct_team_run(ct_Team* team, int count, ct_TeamWork work, void* job);

// Which batches the calling thread is working for, directly or through others: a call on one of
// them would wait for itself. `enter` adds one and returns what to give `leave`.
typedef struct ct_AtWork_ {
  const void* batch;
  const struct ct_AtWork_* outer;
} ct_AtWork;

bool ct_at_work(const void* batch);
void ct_enter_work(ct_AtWork* entry, const void* batch);
void ct_leave_work(const ct_AtWork* entry);

// Cores that this process may use.
int ct_core_count(void);

#endif  // CT_BATCH_TEAM_H_
