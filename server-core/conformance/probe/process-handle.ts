import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { ChildSupervisor } from '../../processes/child-supervisor.ts'
import type { ProcessRegistry } from '../../processes/process-registry.ts'
import { MARK_VARIABLE } from '../../processes/process-mark.ts'
import { identityOf } from '../../processes/process-table.ts'
import { ProcessTree } from '../../processes/process-tree.ts'
import { childEnvironment } from '../../transports/stdio/child-environment.ts'

/** How a process ended. */
export type ProcessExit = { readonly code: number | null; readonly signal: string | null }

/** A process with its three streams, or something in this process that plays one. */
export type ProcessHandle = {
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exited: Promise<ProcessExit>
  kill(signal: NodeJS.Signals): void
  /** Processes it started that live still; undefined where that cannot be known. */
  descendants(): Promise<number | undefined>
  /** Ends it and all that it started. Never throws. */
  dispose(): Promise<void>
}

/** A command line to start. */
export type CommandSpec = {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Keeps which processes live, so that those of a killed run are found. */
  readonly processes?: ProcessRegistry
}

/** Starts a process. `env` is added to its environment. */
export type StartProcess = (env?: Readonly<Record<string, string>>) => Promise<ProcessHandle>

/** Milliseconds before each harder step when a process is ended. */
const GRACE_MS = 500

/** Starts a command. Rejects if it cannot be started. */
export async function startCommand(
  { command, args = [], env = {}, cwd, processes }: CommandSpec,
  more: Readonly<Record<string, string>> = {},
): Promise<ProcessHandle> {
  const supervisor = new ChildSupervisor(processes)
  const child = spawn(command, [...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
    windowsHide: true,
    env: { ...childEnvironment({ ...env, ...more }), ...supervisor.environment },
    ...(cwd !== undefined && { cwd }),
  })
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ code, signal })
    })
  })
  // A write after the process has ended; its exit says so.
  child.stdin.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => {
      void supervisor.notStarted()
      reject(error)
    })
  })
  supervisor.started(child, command)
  const leader = child.pid === undefined ? undefined : await identityOf(child.pid)
  const tree = new ProcessTree({
    known: [],
    ...(leader !== undefined && { leader }),
    mark: supervisor.environment[MARK_VARIABLE] ?? '',
  })
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    kill: (signal) => {
      child.kill(signal)
    },
    descendants: async () => (await tree.look()).filter(({ pid }) => pid !== child.pid).length,
    dispose: () => supervisor.end(child, exited, GRACE_MS),
  }
}
