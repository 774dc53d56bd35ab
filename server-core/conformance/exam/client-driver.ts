import { CodedError } from '../../protocol/coded-error.ts'
import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { CommandSpec, ProcessHandle } from '../probe/process-handle.ts'

/** Where a client finds the exam server. */
export type ExamAddress = {
  readonly transport: WireTransport
  readonly revision: Revision
  /** For the transports that have one. */
  readonly url?: string
  /** For stdio: the command that the client starts as its server. */
  readonly command?: CommandSpec
}

/** A list that a client reads to its end. */
export type ExamList = 'tools' | 'resources' | 'templates' | 'prompts' | 'tasks'

/** One thing that a client is made to do. */
export type Step =
  | { readonly type: 'connect' }
  | { readonly type: 'list'; readonly list: ExamList }
  | {
      readonly type: 'call'
      readonly tool: string
      readonly arguments?: JsonObject
      /** Cancels the call after so many milliseconds, or gives up waiting. */
      readonly cancelAfterMs?: number
      readonly timeoutMs?: number
      /** The longest time in all, however much progress comes. */
      readonly maximumMs?: number
      readonly progress?: boolean
      /** Asks for a task. */
      readonly task?: boolean
    }
  | { readonly type: 'read'; readonly uri: string }
  | { readonly type: 'get'; readonly prompt: string; readonly arguments?: Readonly<Record<string, string>> }
  | { readonly type: 'complete'; readonly params: JsonObject }
  | { readonly type: 'set-log-level'; readonly level: string }
  | { readonly type: 'subscribe' | 'unsubscribe'; readonly uri: string }
  /** The outcome's value is `{ notices }`: the notifications that reach this subscription, as they come. */
  | { readonly type: 'listen'; readonly filter: JsonObject }
  | { readonly type: 'ping' }
  | { readonly type: 'change-roots' }
  | { readonly type: 'request' | 'notify'; readonly method: string; readonly params?: JsonObject }
  /** Begins another conversation of the same host with the same server. */
  | { readonly type: 'new-conversation' }
  /** Keeps the client connected and idle. */
  | { readonly type: 'idle'; readonly milliseconds: number }
  /** Ends the connection. */
  | { readonly type: 'close' }
  /** Several at once. */
  | { readonly type: 'parallel'; readonly steps: readonly Step[] }

/** What became of a step: what the client's user would see. */
export type StepOutcome =
  | { readonly type: 'done'; readonly value?: unknown }
  | { readonly type: 'failed'; readonly message: string; readonly code?: unknown }

/** What an answer throws for a question that the user refuses: the client sends that error. */
export class Refusal extends CodedError<number> {
  override readonly name = 'Refusal'
}

/** How questions of the server are answered, and what is declared. */
export type DriverSettings = {
  readonly capabilities?: readonly (
    'sampling' | 'sampling.tools' | 'elicitation' | 'elicitation.url' | 'roots' | 'tasks'
  )[]
  /** Answers by method; a driver without a channel for this answers as it likes. */
  readonly answers?: Readonly<Record<string, (params: JsonObject) => JsonObject | Promise<JsonObject>>>
  readonly requestTimeoutMs?: number
  /** Lets the client find out the revision by itself instead of insisting on that of the cell. */
  readonly anyRevision?: boolean
}

/** A client that was started. */
export type DrivenClient = {
  /** Does what every client can: connect, list everything, call the first tool, read, get, close. */
  basic(): Promise<StepOutcome>
  /** Does one thing; missing where the client cannot be driven. */
  readonly step?: (step: Step) => Promise<StepOutcome>
  /** Its process, where it is one. */
  readonly process?: ProcessHandle
  /** What it wrote for its user. */
  output(): string
  close(): Promise<void>
}

/** Starts the examined client. */
export type ClientDriver = {
  readonly name: string
  readonly transports: readonly WireTransport[]
  readonly revisions: readonly Revision[]
  start(address: ExamAddress, settings: DriverSettings): Promise<DrivenClient>
}
