import { messageOf } from '../../protocol/error-message.ts'
import type { Readable, Writable } from 'node:stream'
import type { Frame, WireDirection } from '../../ports/tap.ts'
import { frameRecorder } from '../recording/frame-recorder.ts'
import type { RecordingChoice } from '../recording/open-recorder.ts'
import { TapRecording } from '../recording/tap-recording.ts'
import { Flow } from './flow.ts'
import { startFailure, startServer, type Exit, type ServerProcess } from './server-process.ts'
import { endLike, forwardSignals } from './signals.ts'
import { closableOutput } from './standard-streams.ts'
import type { AppSide } from './app-side.ts'
import type { TapRules } from '../rules/rule-schema.ts'

/** What a shell ends with if there is no such command. */
const NOT_FOUND = 127
/** What the command line ends with if it makes no sense. */
const USAGE = 2
/** What is written by processes that outlive the server is read for so long. */
const LATE_OUTPUT_MS = 2_000
/** The server's processes are looked up so long after the start, unless an answer came before. */
const SUPERVISE_MS = 250
/** The app is looked for so long after the start. */
const ATTACH_MS = 150
/** Frames that are kept until then. */
const MOST_EARLY = 500
const NO_BYTES = new Uint8Array()

export type StdioTapOptions = {
  readonly command: string
  readonly args: readonly string[]
  /** Variables of our environment that the server does not get. */
  readonly without?: readonly string[]
  /** The file with the rules. */
  readonly rules?: string
  readonly recording: RecordingChoice
}

/**
 * Starts a server and joins its standard streams with ours. The process ends as the server ends: with its exit code, or
 * by its signal.
 */
export async function runStdioTap(options: StdioTapOptions): Promise<never> {
  const { command, args, without = [], recording: choice } = options
  const rules = options.rules === undefined ? undefined : await rulesOf(options.rules)
  const starting = startServer({ command, args, without })
  const recording = new TapRecording(choice, report)
  let server: ServerProcess
  try {
    server = await starting
  } catch (error) {
    return notStarted(command, error instanceof Error ? error : new Error(messageOf(error)), recording)
  }
  const stopSignals = forwardSignals({ kill: (signal) => server.kill(signal) })
  // What passed before the channel to the app was loaded.
  let early: Frame[] | undefined = []
  let app: AppSide | undefined
  const record = (frame: Frame): void => {
    recording.record(frame)
    if (app !== undefined) app.record(frame)
    else if (early !== undefined && early.length < MOST_EARLY) early.push(frame)
  }
  record(lifecycle('opened', `process ${server.pid} started`))
  const flows = {
    'to-server': messageFlow('sent', process.stdin, server.stdin, record),
    'to-client': messageFlow('received', server.stdout, closableOutput(), (frame) => {
      record(frame)
      recording.begin()
      server.supervise()
    }),
  }
  const errors = new Flow({
    source: server.stderr,
    target: process.stderr,
    // A client that lets its servers write to its own stderr shares this socket with us: closed here, it is closed there.
    keepsTargetOpen: true,
    observe: (bytes) => record({ kind: 'stderr', direction: 'received', bytes }),
  })
  const attach = async (): Promise<void> => {
    const { AppSide } = await import('./app-side.ts')
    const { profile, name, client: by } = choice
    const identity = { name, ...(by !== undefined && { client: by }), command: [command, ...args].join(' ') }
    app = new AppSide({
      flows,
      record,
      identity,
      server: {
        command: { command, args, without },
        current: () => server,
        replaced: (next, said) => {
          errors.replaceSource(next.stderr, said)
          server = next
        },
      },
      ...(profile !== undefined && { profile }),
      ...(rules && { rules }),
    })
    for (const frame of early ?? []) app.record(frame)
    early = undefined
  }
  if (rules !== undefined) {
    // The first message is subject to the rules too.
    for (const flow of Object.values(flows)) flow.hold('rules')
    await attach()
    for (const flow of Object.values(flows)) flow.release('rules')
  } else {
    // Traffic goes on without it.
    const failed = (error: unknown): void => report(`the app cannot be reached: ${messageOf(error)}`)
    setTimeout(() => void attach().catch(failed), ATTACH_MS).unref()
  }
  setTimeout(() => server.supervise(), SUPERVISE_MS).unref()
  const { code, signal } = await lastExit(
    () => server,
    () => app?.swapping,
  )
  const ended = server.end()
  const outputs = [flows['to-client'], errors]
  await within(Promise.all(outputs.map(({ done }) => done)), LATE_OUTPUT_MS, () => hasLateOutput(outputs))
  await ended
  record(lifecycle('closed', signal === null ? `exit code ${code}` : `ended by ${signal}`))
  app?.close()
  await recording.close()
  stopSignals()
  return endLike(code, signal)
}

async function notStarted(command: string, failure: Error, recording: TapRecording): Promise<never> {
  report(await startFailure(command, failure))
  recording.record(lifecycle('closed', failure.message))
  await recording.close()
  process.exit(NOT_FOUND)
}

/** Reads the rules. The process ends if they cannot be used. */
async function rulesOf(file: string): Promise<TapRules> {
  const { readRulesFile } = await import('../rules/rules-file.ts')
  return readRulesFile(file).catch((error: unknown) => {
    report(messageOf(error))
    process.exit(USAGE)
  })
}

function messageFlow(
  direction: WireDirection,
  source: Readable,
  target: Writable,
  record: (frame: Frame) => void,
): Flow {
  const recorder = frameRecorder(direction, record)
  const flow = new Flow({ source, target, observe: (bytes) => recorder.push(bytes) })
  void flow.done.then(() => recorder.end())
  return flow
}

/** How the server ended. One that another takes the place of ends nothing. */
async function lastExit(
  current: () => ServerProcess,
  swapping: () => Promise<unknown> | undefined,
): Promise<Exit> {
  for (;;) {
    const watched = current()
    const exit = await watched.exited
    await swapping()
    if (current() === watched) return exit
  }
}

function lifecycle(event: 'opened' | 'closed', note: string): Frame {
  return {
    kind: 'lifecycle',
    direction: event === 'opened' ? 'sent' : 'received',
    bytes: NO_BYTES,
    event,
    note,
  }
}

/** Bytes of the server that the client has not taken yet. */
function hasLateOutput(flows: readonly Flow[]): boolean {
  return flows.some(({ waitingBytes }) => waitingBytes > 0)
}

/** Waits for a promise, and on in rounds of that time while there is a reason. */
async function within(promise: Promise<unknown>, ms: number, goOn: () => boolean): Promise<void> {
  const done = promise.then(() => true)
  for (;;) {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms)
    })
    const isDone = await Promise.race([done, late])
    clearTimeout(timer)
    if (isDone || !goOn()) return
  }
}

function report(text: string): void {
  process.stderr.write(`patchbay tap: ${text}\n`)
}
