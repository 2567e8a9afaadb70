// Thread pools and the tasks they run.

#ifndef MUJOCO_MJTHREAD_H_
#define MUJOCO_MJTHREAD_H_

#define mjMAXTHREAD 128  // most threads that one pool may have

// clang-format off
typedef enum mjtTaskStatus_ {  // how far a task has come
  mjTASK_NEW       = 0,        // not handed to a pool yet
  mjTASK_QUEUED    = 1,        // waiting or running
  mjTASK_COMPLETED = 2,        // finished
} mjtTaskStatus;
// clang-format on

typedef void* (*mjfTask)(void*);  // the work of a task

typedef struct mjThreadPool_ {  // a pool; what follows nworker is private
  int nworker;                  // number of worker threads
} mjThreadPool;

typedef struct mjTask_ {  // one piece of work
  mjfTask func;           // function to call
  void* args;             // its argument
  volatile int status;    // mjtTaskStatus
} mjTask;

#endif  // MUJOCO_MJTHREAD_H_
