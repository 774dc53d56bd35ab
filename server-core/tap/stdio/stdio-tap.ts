import { messageOf } from '../../protocol/error-message.ts'
import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import { GRACE_MS } from '../../processes/end-tree.ts'
import type { Frame, WireDirection } from '../../ports/tap.ts'
import { frameRecorder } from '../recording/frame-recorder.ts'
import type { RecordingChoice } from '../recording/open-recorder.ts'
import { TapRecording } from '../recording/tap-recording.ts'
import { Flow } from './flow.ts'
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
  // The server first: a client waits for its answer. The guard follows in the same turn.
  const supervisor = new ChildSupervisor(undefined, 'after')
  const recording = new TapRecording(choice, report)
  const child = spawnServer(command, args, environmentOf(supervisor, without))
  const exited = exitOf(child)
  supervisor.guard()
  const failure = await startOf(child)
  const { stdin, stdout, stderr } = child
  if (failure !== undefined || stdin === null || stdout === null || stderr === null) {
    await supervisor.notStarted()
    return notStarted(command, failure ?? new Error('the server has no pipes'), recording)
  }
  const stopSignals = forwardSignals(child)
  // What passed before the channel to the app was loaded.
  let early: Frame[] | undefined = []
  let app: AppSide | undefined
  const record = (frame: Frame): void => {
    recording.record(frame)
    if (app !== undefined) app.record(frame)
    else if (early !== undefined && early.length < MOST_EARLY) early.push(frame)
  }
  let isSupervised = false
  // Looking up its processes takes time that the first answer should not wait for.
  const supervise = (): void => {
    if (!isSupervised) supervisor.started(child, command)
    isSupervised = true
  }
  record(lifecycle('opened', `process ${child.pid} started`))
  const flows = {
    'to-server': messageFlow('sent', process.stdin, stdin, record),
    'to-client': messageFlow('received', stdout, closableOutput(), (frame) => {
      record(frame)
      recording.begin()
      supervise()
    }),
  }
  const errors = new Flow({
    source: stderr,
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
  setTimeout(supervise, SUPERVISE_MS).unref()
  const { code, signal } = await exited
  supervise()
  const ended = supervisor.end(child, exited, GRACE_MS)
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
  report(await reasonOf(command, failure))
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
  source.once('close', () => recorder.end())
  return new Flow({ source, target, observe: (bytes) => recorder.push(bytes) })
}

/** In a group of its own, so that a signal reaches it through us alone and its tree can be ended. */
function spawnServer(command: string, args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const options = { env, windowsHide: true, detached: process.platform !== 'win32' } as const
  return spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
}

function environmentOf(supervisor: ChildSupervisor, without: readonly string[]): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...supervisor.environment }
  for (const name of without) Reflect.deleteProperty(env, name)
  return env
}

/** Resolves with the error if the command cannot be started. */
function startOf(child: ChildProcess): Promise<Error | undefined> {
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(undefined))
    child.on('error', resolve)
  })
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

/** Why a command could not be started, with what to do. */
async function reasonOf(command: string, cause: Error): Promise<string> {
  const { spawnFailure } = await import('../../transports/stdio/spawn-failure.ts')
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value
  return spawnFailure({ command, env }, cause).message
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
