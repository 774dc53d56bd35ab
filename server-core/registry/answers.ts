import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Question } from './invocation.ts'

/** The user said no, or closed the question without an answer. `action` tells which. */
export class ElicitationRefusedError extends Error {
  override readonly name = 'ElicitationRefusedError'
  readonly action: 'decline' | 'cancel'
  readonly key: string

  constructor(action: 'decline' | 'cancel', key: string, message: string) {
    const what = action === 'decline' ? 'declined to answer' : 'dismissed the question'
    super(`The user ${what}: ${message}`)
    this.action = action
    this.key = key
  }
}

/** The client answered a question with an error of its own, for instance because the person refused sampling. */
export class ClientAnswerError extends Error {
  override readonly name = 'ClientAnswerError'
  readonly code: number
  readonly data?: unknown

  constructor(code: number, message: string, data: unknown, options?: ErrorOptions) {
    super(`The client answered the question with error ${code}: ${message}`, options)
    this.code = code
    if (data !== undefined) this.data = data
  }
}

/** A question that cannot be asked, or that got no usable answer in all rounds. */
export class QuestionError extends Error {
  override readonly name = 'QuestionError'
}

/** What an answer says: its value, or why it cannot be used. */
export type Reading<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** One question of a handler: how it goes out, and how its answer is read. */
export type Asking<T> = {
  readonly key: string | undefined
  readonly method: Question['method']
  /** Makes the parameters. Throws a `QuestionError` if it cannot be asked. */
  params(): JsonObject
  /** Throws what the handler is to see where the answer is a refusal. */
  read(answer: JsonObject, key: string): Reading<T> | Promise<Reading<T>>
}

/** One message of a conversation with a model (specification: Sampling). */
export type SamplingMessage = {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject | readonly JsonObject[]
}

export type SampleResult = {
  readonly role: string
  readonly content: JsonObject | readonly JsonObject[]
  readonly model: string
  readonly stopReason?: string
  /** All text blocks of the content, joined. */
  readonly text: string
}

export type Root = { readonly uri: string; readonly name?: string }

/** Reads a `sampling/createMessage` result. */
export function readSample(answer: JsonObject): Reading<SampleResult> {
  const { role, content, model, stopReason } = answer
  const blocks = Array.isArray(content) ? content : [content]
  if (typeof role !== 'string' || typeof model !== 'string' || !blocks.every(isJsonObject)) {
    return { ok: false, problem: 'a sampling result needs "role", "content" and "model"' }
  }
  const text = blocks.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : [])).join('')
  const value: SampleResult = {
    role,
    content: Array.isArray(content) ? blocks : (blocks[0] ?? {}),
    model,
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
    text,
  }
  return { ok: true, value }
}

/** Reads a `roots/list` result. */
export function readRoots(answer: JsonObject): Reading<readonly Root[]> {
  const { roots } = answer
  if (!Array.isArray(roots) || !roots.every(isRoot)) {
    return { ok: false, problem: 'a roots result needs "roots", a list of objects with "uri"' }
  }
  return { ok: true, value: roots }
}

function isRoot(root: unknown): root is Root {
  return isJsonObject(root) && typeof root['uri'] === 'string'
}
