import { isJsonObject, type JsonObject } from '../../protocol/json.ts'

/** What the process is to run, once. */
export type ScriptTask = ScriptModule & {
  /** JSON text of what its default export is called with. */
  readonly questionText: string
}

export type ScriptModule = {
  /** JavaScript: a bundle, or a text that was entered. No file is beside it that it could import by a path. */
  readonly code: string
  /** Absolute path of the module that was bundled, if it was one. */
  readonly file?: string
}

/** Parses the job of the process; undefined if it is invalid. */
export function readTask(message: unknown): ScriptTask | undefined {
  if (!isJsonObject(message)) return undefined
  const { code, file, questionText } = message
  if (typeof code !== 'string' || typeof questionText !== 'string') return undefined
  if (file === undefined) return { code, questionText }
  return typeof file === 'string' ? { code, file, questionText } : undefined
}

/** What became of it: JSON text of the answer, or why there is none. */
export type ScriptOutcome =
  | { readonly type: 'answer'; readonly answerText: string }
  | { readonly type: 'failure'; readonly reason: string }

/** What the default export of a script is called with. */
export type ScriptQuestion = {
  readonly kind: string
  readonly method: string
  readonly revision: string
  readonly params: JsonObject
  readonly server: { readonly id: string; readonly name: string }
}

/** Reads what a process said, which its script may have said in its place. */
export function readOutcome(message: unknown): ScriptOutcome | undefined {
  if (!isJsonObject(message)) return undefined
  const { type, answerText, reason } = message
  if (type === 'answer' && typeof answerText === 'string') return { type, answerText }
  return type === 'failure' && typeof reason === 'string' ? { type, reason } : undefined
}
