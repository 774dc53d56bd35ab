/**
 * Every bound the product keeps, in one place. Transports, server and client take some of them (`limitsOf`); the
 * defaults are what a user gets for the others. A value over a bound is refused with an error that names the bound, never cut silently
 * (`limit-error.ts`); docs/limits.md says for each what happens.
 */
export type Limits = {
  /** Bytes of one message on any transport. */
  readonly messageBytes: number
  /** Nesting of arrays and objects in one message. */
  readonly depth: number
  /** Members of objects plus items of arrays in one message. */
  readonly members: number
  /** Members of objects in one message from a client: names cost far more than items. */
  readonly keys: number
  /** Characters of a request id. */
  readonly idLength: number
  /** Bytes kept of a child's stderr for error reports. */
  readonly stderrTailBytes: number
  /** Requests one connection may have in flight. */
  readonly inFlight: number
  /** Requests per second of one caller or connection, so many at once after a quiet second; 0 means any number. */
  readonly requestsPerSecond: number
  /** Messages of one JSON-RPC array (2025-03-26). */
  readonly batch: number
  /** Legacy HTTP sessions, HTTP+SSE sessions and WebSocket connections that one listener keeps, all together. */
  readonly sessions: number
  /** Sockets one listener keeps open; more are dropped at once. */
  readonly sockets: number
  /** Milliseconds after which an idle session of a listener ends. */
  readonly sessionIdleMs: number
  /** Bytes of sent events that a legacy HTTP session keeps for a client that comes back. */
  readonly resumeBytes: number
  /** Bytes waiting for a slow reader before it is cut off. */
  readonly outgoingBufferBytes: number
  /** Milliseconds a reader may stall with bytes waiting before it is cut off. */
  readonly outgoingStallMs: number
  /** Milliseconds between comments that keep a quiet event stream open. */
  readonly keepAliveMs: number
  /** Milliseconds between pings on a WebSocket; a peer that shows no sign of life until the next is dead. */
  readonly pingMs: number
  /** Milliseconds a client of a listener has to send the head of a request. */
  readonly headMs: number
  /** Milliseconds a client of a listener has to send a whole request. */
  readonly requestMs: number
  /** Handler runs that wait for a modern client's answer. */
  readonly suspendedRuns: number
  /** Milliseconds a suspended run waits for its answer. */
  readonly suspendedRunMs: number
  /** Milliseconds of its own that a handler has whose definition names no limit (resources, prompts, completions). */
  readonly handlerMs: number
  /** Tasks that one server keeps, those that are over included. */
  readonly tasks: number
  /** Milliseconds for which a task is kept at most, from its creation. */
  readonly taskMs: number
  /** Subscriptions (`subscriptions/listen`) one listener keeps open. */
  readonly listens: number
  /** Items on one page of a list (`tools/list` and its kin). */
  readonly pageItems: number
  /** Bytes of results that a client keeps because their server lets it; those used longest ago go first. */
  readonly cacheBytes: number
  /** Bytes of a file of the workspace that the editor opens or saves. */
  readonly editorFileBytes: number
  /** Files of the workspace that the editor lists. */
  readonly editorFiles: number
  /** Megabytes of the heap of a Worker that runs a script. */
  readonly scriptHeapMegabytes: number
  /** Megabytes of all memory of a Worker that runs a script, buffers included. */
  readonly scriptMemoryMegabytes: number
  /** Milliseconds that a script may take to be loaded. */
  readonly scriptStartMs: number
  /** Milliseconds without a call after which the Worker of a script ends. */
  readonly scriptIdleMs: number
  /** Milliseconds that the Worker of a script may take to end before its process is killed. */
  readonly scriptGraceMs: number
  /** Bytes per second that a script may print, so many at once after a quiet second. */
  readonly scriptOutputBytes: number
  /** Ends of a script's Worker that should not have been, within `scriptCrashMs`, that switch it off. */
  readonly scriptCrashes: number
  /** Milliseconds in which that many crashes switch a script off. */
  readonly scriptCrashMs: number
  /** Calls waiting for the client that an old revision of a script keeps. */
  readonly drainedRuns: number
  /** Milliseconds for which an old revision of a script is kept for them. */
  readonly drainedRunMs: number
  /** Bytes of a file, of what a URL gives, or of an answer of an HTTP interface, where its `maximumBytes` says nothing. */
  readonly sourceBodyBytes: number
  /** Files of a folder that are listed as resources, where its `maximumFiles` says nothing. */
  readonly directoryFiles: number
  /** Milliseconds between looks at a URL that somebody is subscribed to, where its `pollMs` says nothing. */
  readonly urlPollMs: number
  /** Milliseconds that a URL may take to answer, redirects included, where `timeoutMs` says nothing. */
  readonly urlRequestMs: number
  /** Milliseconds that a server that is served on has to come before what is served stands without it. */
  readonly proxiedStartMs: number
  /** Milliseconds that an HTTP interface may take to answer, where its `timeoutMs` says nothing. */
  readonly openApiRequestMs: number
  /** Bytes of one file of an OpenAPI document. */
  readonly openApiDocumentBytes: number
  /** Files that one OpenAPI document may be spread over. */
  readonly openApiDocuments: number
  /** Operations of one OpenAPI document. */
  readonly openApiOperations: number
  /** Characters of an HTTP interface's error that a model receives. */
  readonly openApiErrorCharacters: number
  /** Characters of a title or a description that the user gives an entry. */
  readonly amendmentCharacters: number
  /** Bytes of a recording that wait for the disk. */
  readonly recordingBufferBytes: number
}

export const DEFAULT_LIMITS: Limits = {
  messageBytes: 64 * 1024 * 1024,
  depth: 256,
  members: 1_000_000,
  keys: 100_000,
  idLength: 1_024,
  stderrTailBytes: 32 * 1024,
  inFlight: 1_024,
  requestsPerSecond: 0,
  batch: 100,
  sessions: 10_000,
  sockets: 25_000,
  sessionIdleMs: 3_600_000,
  resumeBytes: 4 * 1024 * 1024,
  outgoingBufferBytes: 64 * 1024 * 1024,
  outgoingStallMs: 10_000,
  keepAliveMs: 15_000,
  pingMs: 30_000,
  headMs: 20_000,
  requestMs: 120_000,
  suspendedRuns: 256,
  suspendedRunMs: 600_000,
  handlerMs: 60_000,
  tasks: 1_024,
  taskMs: 86_400_000,
  listens: 10_000,
  pageItems: 1_000,
  cacheBytes: 32 * 1024 * 1024,
  editorFileBytes: 1024 * 1024,
  editorFiles: 2_000,
  scriptHeapMegabytes: 256,
  scriptMemoryMegabytes: 512,
  scriptStartMs: 10_000,
  scriptIdleMs: 60_000,
  scriptGraceMs: 250,
  scriptOutputBytes: 262_144,
  scriptCrashes: 3,
  scriptCrashMs: 300_000,
  drainedRuns: 32,
  drainedRunMs: 600_000,
  sourceBodyBytes: 10 * 1024 * 1024,
  directoryFiles: 1_000,
  urlPollMs: 30_000,
  urlRequestMs: 10_000,
  proxiedStartMs: 5_000,
  openApiRequestMs: 30_000,
  openApiDocumentBytes: 20 * 1024 * 1024,
  openApiDocuments: 200,
  openApiOperations: 5_000,
  openApiErrorCharacters: 20_000,
  amendmentCharacters: 100_000,
  recordingBufferBytes: 32 * 1024 * 1024,
}

/**
 * The bounds that were given, and the default of every other; `undefined` is not given. Throws a `RangeError` for a
 * name that is not a limit and a value that is not a number from 0.
 *
 * @example
 * ```ts
 * import { limitsOf } from 'patchbay/protocol'
 *
 * console.log(limitsOf({ messageBytes: 1_000_000 }).messageBytes)
 * ```
 */
export function limitsOf(given: Partial<Record<keyof Limits, number | undefined>> = {}): Limits {
  if (given === DEFAULT_LIMITS) return DEFAULT_LIMITS
  const limits: Record<string, number> = { ...DEFAULT_LIMITS }
  for (const [name, value] of Object.entries<unknown>(given)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      throw new RangeError(
        `There is no limit "${name}"; there are ${Object.keys(DEFAULT_LIMITS).join(', ')}.`,
      )
    }
    if (value === undefined) continue
    if (typeof value !== 'number' || !(value >= 0)) {
      throw new RangeError(
        `The limit ${name} is ${typeof value === 'number' ? value : JSON.stringify(value)}; expected a number from 0.`,
      )
    }
    limits[name] = value
  }
  return limits as Limits
}
