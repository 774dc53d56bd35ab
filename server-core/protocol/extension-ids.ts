/** The id of the Tasks extension. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
