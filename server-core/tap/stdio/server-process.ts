import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import { GRACE_MS } from '../../processes/end-tree.ts'

export type ServerCommand = {
  readonly command: string
  readonly args: readonly string[]
  /** Variables of our environment that the server does not get. */
  readonly without?: readonly string[]
}

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null }

/** A server that a tap started. It ends with all that it started, also when the tap is killed. */
export type ServerProcess = {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exited: Promise<Exit>
  /** Looks up the processes of the server, which takes time that its first answer should not wait for. */
  supervise(): void
  kill(signal: NodeJS.Signals): void
  /** Ends it, if it has not ended, and all that it started. */
  end(): Promise<void>
}

/** Starts a server. Rejects with the system's error if the command cannot be started. */
export async function startServer({ command, args, without = [] }: ServerCommand): Promise<ServerProcess> {
  // The server first: a client waits for its answer. The guard follows in the same turn.
  const supervisor = new ChildSupervisor(undefined, 'after')
  const child = spawnServer(command, args, environmentOf(supervisor, without))
  const exited = exitOf(child)
  supervisor.guard()
  const failure = await startOf(child)
  const { stdin, stdout, stderr } = child
  if (failure !== undefined || stdin === null || stdout === null || stderr === null) {
    await supervisor.notStarted()
    throw failure ?? new Error('the server has no pipes')
  }
  let isSupervised = false
  const supervise = (): void => {
    if (!isSupervised) supervisor.started(child, command)
    isSupervised = true
  }
  return {
    pid: child.pid,
    stdin,
    stdout,
    stderr,
    exited,
    supervise,
    kill: (signal) => void child.kill(signal),
    end: () => {
      supervise()
      return supervisor.end(child, exited, GRACE_MS)
    },
  }
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

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}

/** Why a command could not be started, with what to do. */
export async function startFailure(command: string, cause: Error): Promise<string> {
  const { spawnFailure } = await import('../../transports/stdio/spawn-failure.ts')
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value
  return spawnFailure({ command, env }, cause).message
}
