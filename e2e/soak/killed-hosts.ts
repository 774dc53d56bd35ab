import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { runMark } from '../../server-core/processes/process-mark.ts'
import { listProcesses, markedAmong } from '../../server-core/processes/process-table.ts'
import { reapLeftovers } from '../../server-core/processes/reaper.ts'
import { alive } from '../../server-core/processes/testing/alive.test-support.ts'
import { signalAll } from '../process-tree.ts'
import type { Random } from '../random.ts'

/** A host that was killed leaves nothing after this; it takes a second or two, and more where cores are few. */
const GONE_MS = 30_000
const POLL_MS = 100
/** A host is killed within this time of its first server, or before it has one. */
const LONGEST_LIFE_MS = 4_000

export type KilledHosts = {
  readonly findings: string[]
  /** Processes that lived when their host was killed. */
  readonly processes: number
  readonly slowestMs: number
}

/**
 * Kills hosts at random moments, every second one together with its guards. The guards alone, or the next start's
 * reaper alone, must leave nothing.
 */
export async function soakKilledHosts(random: Random, count: number): Promise<KilledHosts> {
  const findings: string[] = []
  let slowestMs = 0
  let processes = 0
  for (let number = 1; number <= count; number += 1) {
    const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-killed-hosts-'))
    const host = fork(
      path.join(import.meta.dirname, 'kill-host.ts'),
      [folder, String(random.below(1_000_000))],
      {
        execArgv: [],
      },
    )
    const told: number[] = []
    host.on('message', (pids) => told.push(...(pids as number[])))
    await pause(random.below(LONGEST_LIFE_MS))
    if (host.exitCode !== null) findings.push(`host ${number} ended by itself with code ${host.exitCode}`)
    const isReaped = number % 2 === 0
    if (isReaped) await killGuards(host)
    host.kill('SIGKILL')
    const killedAt = performance.now()
    await once(host, 'exit')
    // The journal names the run; without one nothing was started.
    const [journal] = await readdir(folder)
    processes += (await survivors(journal, told)).length
    if (isReaped) await reapLeftovers(folder)
    let still = await survivors(journal, told)
    while (still.length > 0 && performance.now() - killedAt < GONE_MS) {
      await pause(POLL_MS)
      still = await survivors(journal, told)
    }
    slowestMs = Math.max(slowestMs, performance.now() - killedAt)
    if (still.length > 0)
      findings.push(`host ${number}, ${isReaped ? 'reaped' : 'guarded'}, left ${still.join(', ')}`)
    await rm(folder, { recursive: true, force: true })
  }
  return { findings, processes, slowestMs }
}

/** Those of its trees that live still, told or marked. */
async function survivors(journal: string | undefined, told: readonly number[]): Promise<readonly number[]> {
  const marked =
    journal === undefined
      ? []
      : await markedAmong(await listProcesses(), runMark(path.basename(journal, '.jsonl')))
  return [...new Set([...(await alive(told)), ...marked])]
}

async function killGuards(host: ChildProcess): Promise<void> {
  // It starts no further one meanwhile.
  host.kill('SIGSTOP')
  const rows = await listProcesses()
  const children = rows.filter(({ parent }) => parent === host.pid)
  // A guard carries no mark, everything else below a host does.
  const servers = await markedAmong(children, '')
  signalAll(
    children.map(({ pid }) => pid).filter((pid) => !servers.has(pid)),
    'SIGKILL',
  )
}
