import type { Amendment, Origin } from '../sources/compose.ts'

/** Where a fault is, as its author would look for it. Lines and columns count from 1. */
export type FaultPlace = {
  /** Relative to the workspace folder, with forward slashes. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The line itself. */
  readonly text: string
}

/** A fault in words, with the code of the layer that found it. */
export type LiveFault = { readonly code: string; readonly message: string; readonly at?: FaultPlace }

/**
 * `loading`: read for the first time. `loaded`: the newest revision answers. `broken`: it could not be loaded; the one
 * before answers, if there is one. `stopped`: switched off after crashes.
 */
export type ScriptStateName = 'loading' | 'loaded' | 'broken' | 'stopped'

/** One file of the workspace that makes entries, or `patchbay.config.ts`. */
export type ScriptState = {
  /** Relative to the workspace folder, with forward slashes. */
  readonly file: string
  /** The newest revision that was tried; the first is 1. */
  readonly revision: number
  /** The revision that answers calls; missing if none ever loaded. */
  readonly answering?: number
  readonly state: ScriptStateName
  readonly error?: LiveFault
  /** When the newest revision was tried (Unix time, milliseconds). */
  readonly at: number
  /** Keys of the entries that it makes. */
  readonly entries: readonly string[]
  /** What it is bundled from beside itself, relative to the workspace folder. */
  readonly imports: readonly string[]
  readonly worker?: { readonly memoryBytes?: number; readonly limitBytes?: number }
}

export type LiveEntryKind = 'tool' | 'resource' | 'template' | 'prompt'

/** An entry, served or not. */
export type LiveEntry = {
  /** Kind and original name, e.g. `tool:birds.identify`: what amendments go by. */
  readonly key: string
  readonly kind: LiveEntryKind
  /** As its source calls it, with its prefix. */
  readonly name: string
  /** As clients see it. */
  readonly shownName: string
  readonly title?: string
  readonly description?: string
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly tags?: readonly string[]
  readonly origin: Origin
  readonly enabled: boolean
  /** `overridden`: the user answers in its place. `failing`: it cannot be served, or its calls fail. */
  readonly state: 'served' | 'off' | 'overridden' | 'failing'
  /** Why it fails; or what is wrong with a newer revision of its script, while an older one answers. */
  readonly error?: LiveFault
  /** What the user changed of it. */
  readonly amendment?: Amendment
  readonly calls: number
  readonly failures: number
  readonly lastCaller?: { readonly name: string; readonly at: number }
}

/** One line of what happened in a script. */
export type ScriptLogLine = {
  /** Rises from line to line. */
  readonly id: number
  readonly file: string
  readonly revision: number
  readonly at: number
  readonly kind: 'info' | 'call' | 'done' | 'error' | 'stdout' | 'stderr'
  readonly text: string
  readonly callId?: string
  /** It is about loading the script, not about what its handlers did. */
  readonly isLoading?: true
  readonly place?: FaultPlace
}

/** What is kept of a script for each time that it was tried. */
export type ScriptRevision = {
  readonly revision: number
  readonly at: number
  readonly state: 'loaded' | 'broken'
  readonly error?: LiveFault
  readonly answers: boolean
  /** The source of the script itself. */
  readonly text: string
  readonly changedWhatClientsSee: boolean
}

/** What the listeners of a workspace hear. */
export type LiveChange =
  /** Entries, scripts or faults changed. */
  | { readonly type: 'state' }
  /** Calls of these entries began or ended: their counts changed, and a script may run now. */
  | { readonly type: 'calls'; readonly keys: readonly string[] }
  | { readonly type: 'log'; readonly lines: readonly ScriptLogLine[] }
