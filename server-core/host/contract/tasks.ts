import { oc } from '@orpc/contract'
import { z } from 'zod'
import { requestOutcomeSchema } from './inspect.ts'

/** A task of a server, of either kind, as far as it was heard of. */
export const taskSchema = z.object({
  taskId: z.string(),
  /** `core`: tasks of 2025-11-25; `extension`: those of `io.modelcontextprotocol/tasks`. */
  kind: z.enum(['core', 'extension']),
  /** The tool that was called; missing for one that the server named by itself. */
  tool: z.string().optional(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  createdAt: z.string().optional(),
  lastUpdatedAt: z.string().optional(),
  /** Milliseconds for which the server keeps it; null is for ever. */
  ttlMs: z.number().nullable().optional(),
  pollIntervalMs: z.number().optional(),
  /** How often it was asked for, and when it was heard of last. */
  polls: z.number(),
  receivedAt: z.number(),
  /** It is asked for until it is over. */
  isFollowed: z.boolean(),
  /** Why it is not followed any more, or why what was asked of it failed. */
  problem: z.string().optional(),
  /** The result is kept here. */
  hasOutcome: z.boolean(),
})
export type Task = z.infer<typeof taskSchema>

/** The tasks of one server that are known here, the newest first. */
export const serverTasksSchema = z.object({ serverId: z.string(), tasks: z.array(taskSchema) })
export type ServerTasks = z.infer<typeof serverTasksSchema>

const server = z.object({ serverId: z.string() })
const task = server.extend({ taskId: z.string() })

export const tasksContract = {
  /** Asks the server for its tasks (2025-11-25: `tasks/list`) and takes in those that are not known. */
  list: oc.input(server).output(z.object({ found: z.number() })),
  /** Asks where a task stands, and follows it from then on if it is not over. */
  refresh: oc.input(task).output(taskSchema),
  /** Asks the server to stop it. */
  cancel: oc.input(task).output(taskSchema),
  /** The result of a task that is over; asks the server if it is not known here. */
  outcome: oc.input(task).output(requestOutcomeSchema),
  /** Removes the task from the list; the server keeps it. */
  forget: oc.input(task).output(z.object({ forgotten: z.boolean() })),
}
