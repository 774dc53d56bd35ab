import type { FaultTransport } from './fault-settings.ts'
import type { Holding } from './delay-queue.ts'

/** Where something may be made. */
export type FaultPlace = {
  readonly transport: FaultTransport
  /** The tool whose call it concerns, if it concerns one. */
  readonly tool: string | undefined
}

/** What is to become of one message that a connection is about to send. */
export type FaultPlan = {
  readonly bytes: Uint8Array
  /** How often it is sent: 0, 1 or 2. */
  readonly copies: number
  readonly holding: Holding
  /** How the connection breaks in its place. */
  readonly end: 'cut' | 'close' | undefined
  /** Bytes on standard error before it. */
  readonly flood: number
  /** What is done, in words, one for each fault. */
  readonly notes: readonly string[]
}

const UNTOUCHED: Holding = { delayMs: 0, alone: false, overtakenBy: 0 }

/** A message that goes out as it is. */
export function plain(bytes: Uint8Array): FaultPlan {
  return { bytes, copies: 1, holding: UNTOUCHED, end: undefined, flood: 0, notes: [] }
}
