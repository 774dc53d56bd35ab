/** All text that a user reads in this module, by file. */
export const tasksText = {
  taskActions: {
    couldNotCancelTheTask: 'Could not cancel the task',
    couldNotGetTheTaskStatus: 'Could not get the task status',
    couldNotRemoveTheTask: 'Could not remove the task',
    couldNotLoadTheServersTask: 'Could not load the server’s task list',
  },
  taskLook: {
    working: 'working',
    inputRequired: 'input required',
    completed: 'completed',
    failed: 'failed',
    cancelled: 'cancelled',
  },
  taskOutcome: {
    thisTaskWasRemovedFromThe: 'This task was removed from the list. The timeline has its messages.',
    theResultAppearsHereWhenThe:
      'The result appears here when the task ends. It continues if you close this tab.',
    task: 'Task',
    asked: 'asked',
    every: (pollIntervalMs: string) => `, every ${pollIntervalMs}`,
    last: ', last',
    answerInTheInbox: 'Answer in the inbox',
    pollNow: 'Poll now',
    cancelTask: 'Cancel task',
  },
  tasksPage: {
    tasks: 'Tasks',
    open: (length: string, open: string) => `${length}, ${open} open`,
    loadTheServersList: 'Load the server’s list',
    noTasks: 'No tasks',
    toolsThatRunAsTasksAppear:
      'Tools that run as tasks appear here until they end. Their questions appear in the inbox.',
    status: 'status',
    tool: 'tool',
    task: 'task',
    asked: 'asked',
    last: 'last',
    actions: 'actions',
    taskResult: 'Task result',
    show: (name: string) => `Show ${name}`,
    show2: 'show',
  },
} as const
