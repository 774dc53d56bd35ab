import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * A second mark on what a server starts, on Linux: the number of locks that a process may hold. No kernel since 2.4
 * enforces that limit, children inherit it, and unlike the environment no program clears it by mistake. It is set by the
 * system's `prlimit`; without that there is no such mark.
 */
const LIMIT_LINE = /^Max file locks +(\d+) /m
/** Numbers that the marks of one run may have. */
const NUMBERS = 2 ** 20
const TIMEOUT_MS = 5_000

/** The first number and the one after the last that processes with a mark, or one that begins with it, may have. */
export function limitsOfMark(mark: string): { readonly from: number; readonly to: number } {
  const [run = '', count = ''] = mark.split('/')
  const from = Number.parseInt(run.slice(0, 8), 16) * NUMBERS
  if (count === '') return { from, to: from + NUMBERS }
  const number = from + (Number(count) % NUMBERS)
  return { from: number, to: number + 1 }
}

/** Sets the limit of a process. Never rejects: an ended process, or a system without `prlimit`, has no mark. */
export function setLimitMark(pid: number, mark: string): Promise<void> {
  if (process.platform !== 'linux') return Promise.resolve()
  const args = [`--pid=${pid}`, `--locks=${limitsOfMark(mark).from}:`]
  return new Promise((resolve) => {
    execFile('prlimit', args, { env: { PATH: '/usr/bin:/bin' }, timeout: TIMEOUT_MS }, () => resolve())
  })
}

/** Whether a process carries a mark, or one that begins with it. */
export function hasLimitMark(pid: number, mark: string): boolean {
  const number = limitOf(pid)
  const { from, to } = limitsOfMark(mark)
  return number !== undefined && number >= from && number < to
}

function limitOf(pid: number): number | undefined {
  try {
    const number = LIMIT_LINE.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1]
    return number === undefined ? undefined : Number(number)
  } catch {
    return undefined
  }
}
