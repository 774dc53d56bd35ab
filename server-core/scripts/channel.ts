import type { Definitions } from '../registry/port/definitions.ts'
import type { PortEncoded } from './encode-for-port.ts'
import type { ScriptCall } from './script-host.ts'
import type { ScriptErrorCode, SourcePlace } from './script-error.ts'

/** Characters of a text that a Worker sends beside the messages of its job, at most. */
export const LONGEST_TEXT = 65_536

/** What a Worker is started with. */
export type WorkerStart = {
  /** `serve`: runs the handlers of one script. `read`: reports what scripts serve, one after the other. */
  readonly job: { readonly type: 'serve'; readonly script: BundledScript } | { readonly type: 'read' }
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly heapMegabytes: number
  readonly memoryMegabytes: number
  readonly outputBytes: number
}

export type BundledScript = {
  /** From the folder of the workspace. */
  readonly file: string
  /** Absolute path of the bundled module. */
  readonly bundle: string
}

/** From the host to the process that runs scripts. `worker` numbers the Workers. */
export type ToProcess =
  | {
      readonly type: 'setup'
      readonly folder: string
      readonly workerEntry: string
      /** Milliseconds that a Worker may take to end. */
      readonly graceMs: number
    }
  | { readonly type: 'open'; readonly worker: number; readonly start: WorkerStart }
  | { readonly type: 'tell'; readonly worker: number; readonly message: PortEncoded }
  | { readonly type: 'end'; readonly worker: number }
  | { readonly type: 'measure'; readonly id: number }

/** Why a Worker ended, as it or its process tells. */
export type WorkerEnd = { readonly reason: string; readonly at?: SourcePlace }

/** What a Worker tells beside the messages of its job. */
export type WorkerNews =
  | {
      readonly type: 'output'
      readonly stream: 'stdout' | 'stderr'
      readonly text: string
      readonly call?: ScriptCall
    }
  | {
      readonly type: 'fault'
      readonly message: string
      readonly stack?: string
      readonly at?: SourcePlace
      readonly call?: ScriptCall
    }
  /** It ends now, and says why. */
  | { readonly type: 'dying'; readonly end: WorkerEnd }

/** A message of its job goes as it is packed. */
export type WorkerMessage = PortEncoded | WorkerNews

/** From the process to the host. */
export type FromProcess =
  | { readonly type: 'ready' }
  | { readonly type: 'said'; readonly worker: number; readonly message: PortEncoded }
  | { readonly type: 'news'; readonly worker: number; readonly news: WorkerNews }
  | { readonly type: 'ended'; readonly worker: number; readonly end: WorkerEnd }
  | { readonly type: 'measured'; readonly id: number; readonly workers: readonly Measured[] }
  /** That Worker had to end, and did not: its process has to. */
  | { readonly type: 'stuck'; readonly worker: number; readonly reason: string }

export type Measured = {
  readonly worker: number
  readonly heapBytes: number
  readonly externalBytes: number
}

/** To a Worker whose job is to read. */
export type ReadOrder = {
  readonly type: 'read'
  readonly id: number
  readonly script: BundledScript
  readonly env: Readonly<Record<string, string>>
}

/** What a script serves, as data. `config` is what `patchbay.config.ts` says beside code, not checked yet. */
export type ScriptContent = { readonly definitions: Definitions; readonly config?: ConfigContent }
export type ConfigContent = { readonly data: unknown; readonly at?: SourcePlace }

export type ReadReply =
  | { readonly type: 'content'; readonly id: number; readonly content: ScriptContent }
  | {
      readonly type: 'refused'
      readonly id: number
      readonly code: ScriptErrorCode
      readonly message: string
      readonly at?: SourcePlace
    }
