import type { Parsed } from '../protocol/parsed.ts'
import { CodedError } from '../protocol/coded-error.ts'
import type { JsonObject } from '../protocol/json.ts'

/** `key` names the question; without it the name is q1, q2, … in order of asking. */
export type AskOptions = { readonly key?: string }

/**
 * The user said no, or closed the question without an answer. `action` reports which.
 *
 * @example
 * ```ts
 * import { ElicitationRefusedError, tool, z } from 'patchbay'
 *
 * export default tool({
 *   run: async (_args, ctx) => {
 *     try {
 *       const { name } = await ctx.elicit('Who are you?', z.object({ name: z.string() }))
 *       return `Hello, ${name}`
 *     } catch (error) {
 *       if (error instanceof ElicitationRefusedError) return 'Hello, stranger'
 *       throw error
 *     }
 *   },
 * })
 * ```
 */
export class ElicitationRefusedError extends CodedError<'decline' | 'cancel'> {
  override readonly name = 'ElicitationRefusedError'
  readonly action: 'decline' | 'cancel'
  readonly key: string

  constructor(action: 'decline' | 'cancel', key: string, message: string) {
    const what = action === 'decline' ? 'declined to answer' : 'dismissed the question'
    super(action, `The user ${what}: ${message}`)
    this.action = action
    this.key = key
  }
}

/**
 * The client answered a question with an error of its own, for instance because the person refused sampling.
 *
 * @example
 * ```ts
 * import { ClientAnswerError, tool, z } from 'patchbay'
 *
 * export default tool({
 *   run: (_args, ctx) =>
 *     ctx.elicit('Who are you?', z.object({ name: z.string() })).catch((error: unknown) => {
 *       if (error instanceof ClientAnswerError) return { name: 'unknown' }
 *       throw error
 *     }),
 * })
 * ```
 */
export class ClientAnswerError extends CodedError<number> {
  override readonly name = 'ClientAnswerError'
  readonly data?: unknown

  constructor(code: number, message: string, data: unknown, options?: ErrorOptions) {
    super(code, `The client answered the question with error ${code}: ${message}`, options)
    if (data !== undefined) this.data = data
  }
}

/**
 * A question that cannot be asked, or that got no usable answer in all rounds.
 *
 * @example
 * ```ts
 * import { QuestionError, tool, z } from 'patchbay'
 *
 * export default tool({
 *   // A form has flat fields only; asking for more is a mistake of the script.
 *   run: (_args, ctx) =>
 *     ctx.elicit('Where?', z.object({ place: z.string() })).catch((error: unknown) => {
 *       if (error instanceof QuestionError) ctx.log.error(error.message)
 *       throw error
 *     }),
 * })
 * ```
 */
export class QuestionError extends CodedError<'invalid-question'> {
  override readonly name = 'QuestionError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-question', message, options)
  }
}

/** One question of a handler: how it goes out, and how its answer is read. */
export type Asking<T> = {
  readonly key: string | undefined
  readonly method: string
  readonly after?: 'change'
  /** How often it is asked at most; ten times if not given. */
  readonly rounds?: number
  /**
   * Makes the parameters; `problem` says why the last answer could not be used. Throws a `QuestionError` if it cannot
   * be asked.
   */
  params(problem: string | undefined): JsonObject
  /** Throws what the handler is to see where the answer is a refusal. */
  read(answer: JsonObject, key: string): Parsed<T> | Promise<Parsed<T>>
}

/** Asks the question, and gives what `read` makes of the answer. */
export type Ask = <T>(asking: Asking<T>) => Promise<T>
