import type { RegistryView } from '../registry/entries.ts'
import type { HandlerCall } from '../registry/middleware.ts'
import type { ConfigData } from './config-data.ts'
import type { SourcePlace } from './script-error.ts'

/** One revision of a script: a state of its files, bundled and read. */
export type LoadedScript = {
  /** From the folder of the workspace, with `/`. */
  readonly file: string
  /** Counts what was loaded by this host, over all scripts; rises. */
  readonly revision: number
  /** Of the bundle: two loads with the same hash are the same code. */
  readonly hash: string
  /** Absolute paths of all files that went into the bundle; a change of one of them asks for a new load. */
  readonly inputs: readonly string[]
  /** What it serves. Its Worker is started by the first call and ends after a minute without one. */
  readonly view: RegistryView
  /** What `patchbay.config.ts` says, when that is the file that was loaded. */
  readonly config?: ConfigData
}

/** A call that runs in a Worker. */
export type ScriptCall = {
  /** Counts the calls of one revision. */
  readonly number: number
  readonly kind: HandlerCall['kind']
  /** Of the tool or prompt, the URI of a resource. */
  readonly name: string
}

type Of = {
  readonly file: string
  readonly revision: number
}

export type ScriptEvent =
  /** One line that a script printed, without its end. `call` is who printed it, where that is known. */
  | (Of & {
      readonly type: 'output'
      readonly stream: 'stdout' | 'stderr'
      readonly text: string
      readonly call?: ScriptCall
    })
  /** A line on the standard output of the process that no script can be named for. */
  | { readonly type: 'stray-output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A handler threw something that is a fault of its code. */
  | (Of & {
      readonly type: 'fault'
      readonly message: string
      readonly stack?: string
      readonly at?: SourcePlace
      readonly call?: ScriptCall
    })
  /**
   * Called for a Worker that ended unexpectedly: `reason` as a clause ("exited with code 3"). For a crashed process it
   * is called for each script that ran, and names them all; they then run apart, so that the next crash is attributed.
   */
  | (Of & {
      readonly type: 'crash'
      readonly reason: string
      readonly at?: SourcePlace
      /** Calls in flight of this script that failed with it. */
      readonly calls: number
      /** The process that ran all scripts had to end too, and with it calls of other scripts. */
      readonly endedProcess: boolean
    })
  /** It ended too often within a few minutes: its calls fail until it is changed or switched on. */
  | (Of & { readonly type: 'stopped'; readonly reason: string })
  /** A Worker of this revision started, or ended as it should. */
  | (Of & { readonly type: 'started' | 'ended' })

export type ScriptHostState = {
  /** The process that runs scripts; undefined while none is needed. */
  readonly pid: number | undefined
  /** Another process is started and waits to take its place. */
  readonly spareReady: boolean
  readonly workers: readonly (Of & { readonly callsInFlight: number; readonly draining: boolean })[]
}

/** Memory of a Worker, in bytes. */
export type WorkerMemory = Of & { readonly heapBytes: number; readonly externalBytes: number }

/** Loads the scripts of one workspace and runs their handlers in Workers of a process of their own. */
export interface ScriptHost {
  /**
   * Bundles a script as it is on disk, with `patchbay.config.ts` if there is one, and reads what it serves. `file` is a
   * path from the folder of the workspace. Gives the same object again while the bundle is the same. Loading
   * `patchbay.config.ts` itself gives its data as `config`. Rejects with a `ScriptError`; what was loaded before stays
   * and serves on until it is released.
   */
  load(file: string): Promise<LoadedScript>
  /**
   * Sends new calls elsewhere: the Worker of that revision finishes its calls, keeps those that wait for the
   * client (32 at most, for ten minutes), and ends. Does nothing for a revision that is not there.
   */
  release(revision: number): void
  /** Lets a script run again that was switched off after crashes. */
  switchOn(file: string): void
  /** What the process looks like just now. */
  state(): ScriptHostState
  /** Memory of the Workers that run just now. */
  memory(): Promise<readonly WorkerMemory[]>
  /** Returns an unsubscribe function. */
  onEvent(listener: (event: ScriptEvent) => void): () => void
  /** Told when what `state` gives may be different. Returns an unsubscribe function. */
  onStateChange(listener: () => void): () => void
  /** Ends all Workers after their lifespans have cleaned up, and the processes. */
  close(): Promise<void>
}
