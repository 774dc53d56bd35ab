/** What is declared to clients of 2025-11-25 while there are tools that may be tasks (Tasks: capabilities). */
export const CORE_TASKS = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const
