import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { readQuestions, type InputRequest } from '../rounds/rounds.ts'

/**
 * Whose rules a task follows: those of 2025-11-25, where tasks are part of the core and clients ask for them, or those of
 * the extension `io.modelcontextprotocol/tasks`, where the server decides.
 */
export type TaskKind = 'core' | 'extension'

/** What names a task for as long as it exists: plain data, to come back to it later or elsewhere. */
export type TaskReference = { readonly kind: TaskKind; readonly taskId: string }

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

const STATUSES: ReadonlySet<unknown> = new Set<TaskStatus>([
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
])

/** Where a task stands, in one set of words for both kinds. */
export type TaskState = {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  /** As the server wrote them: ISO 8601. */
  readonly createdAt?: string
  readonly lastUpdatedAt?: string
  /** Milliseconds from its creation for which the server keeps it; null is for ever. */
  readonly ttlMs?: number | null
  readonly pollIntervalMs?: number
  /** What the server asks, by key; in 2025-11-25 questions are requests of their own instead. */
  readonly questions: Readonly<Record<string, InputRequest>>
  /** The task as it came. */
  readonly raw: JsonObject
}

/** Returns whether nothing changes any more. */
export function isOver({ status }: TaskState): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled'
}

/** Reads a task. */
export function readTask(kind: TaskKind, raw: unknown): Parsed<TaskState> {
  if (!isJsonObject(raw)) return { ok: false, reason: 'a task must be an object' }
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt } = raw
  if (typeof taskId !== 'string') return { ok: false, reason: 'taskId must be a string' }
  if (!isStatus(status))
    return { ok: false, reason: `status is ${JSON.stringify(status)}, which no task has` }
  const ttl = raw[kind === 'core' ? 'ttl' : 'ttlMs']
  const pollInterval = raw[kind === 'core' ? 'pollInterval' : 'pollIntervalMs']
  const questions = readQuestions(raw['inputRequests'] ?? {}, 'inputRequests')
  if (!questions.ok) return questions
  const state: TaskState = {
    taskId,
    status,
    ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
    ...(typeof lastUpdatedAt === 'string' ? { lastUpdatedAt } : {}),
    ...(typeof ttl === 'number' || ttl === null ? { ttlMs: ttl } : {}),
    ...(typeof pollInterval === 'number' ? { pollIntervalMs: pollInterval } : {}),
    questions: status === 'input_required' ? questions.value : {},
    raw,
  }
  return { ok: true, value: state }
}

function isStatus(value: unknown): value is TaskStatus {
  return STATUSES.has(value)
}
