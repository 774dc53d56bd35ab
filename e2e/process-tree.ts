import { execFileSync } from 'node:child_process'

/** Milliseconds a process may take to end. */
const END_MS = 12_000

/** The pids of all living processes below one, children first. */
export function descendantsOf(pid: number): number[] {
  const childrenOf = new Map<number, number[]>()
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), child])
  }
  const below = (one: number): number[] =>
    (childrenOf.get(one) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

/** Those of the pids that are still alive; one that only waits to be reaped counts as gone. */
export function aliveOf(pids: readonly number[]): number[] {
  if (pids.length === 0) return []
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  const alive = new Set(
    listed
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([pid, stat]) => (stat?.startsWith('Z') ? [] : [Number(pid)])),
  )
  return pids.filter((pid) => alive.has(pid))
}

/** Sends a signal to those of the pids that are still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Waits until processes have ended. Returns (and kills) the ones that have not. */
export async function killSurvivors(pids: readonly number[]): Promise<number[]> {
  const deadline = Date.now() + END_MS
  let alive = aliveOf(pids)
  while (alive.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    alive = aliveOf(alive)
  }
  signalAll(alive, 'SIGKILL')
  return alive
}

/** The command line of a process; empty if it has ended. */
export function commandLineOf(pid: number): string {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  const line = listed.find((each) => each.trim().startsWith(`${pid} `)) ?? ''
  return line.trim().slice(`${pid} `.length)
}
