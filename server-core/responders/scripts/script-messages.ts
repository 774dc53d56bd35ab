import type { JsonObject } from '../../protocol/json.ts'

/** What the process is to run, once: a module as somebody approved it, or the text of one. */
export type ScriptTask = ScriptModule & {
  /** JSON text of what its default export is called with. */
  readonly questionText: string
}

export type ScriptModule =
  | {
      /** Absolute path of the module. */
      readonly file: string
      /** SHA-256 of its content as the user approved it. */
      readonly hash: string
    }
  | {
      /** JavaScript; nothing stands beside it that it could import by a path. */
      readonly code: string
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
  if (typeof message !== 'object' || message === null) return undefined
  const { type, answerText, reason } = message as Readonly<Record<string, unknown>>
  if (type === 'answer' && typeof answerText === 'string') return { type, answerText }
  return type === 'failure' && typeof reason === 'string' ? { type, reason } : undefined
}
