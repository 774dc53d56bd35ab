import { execFile } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { hasLimitMark } from './limit-mark.ts'
import { MARK_VARIABLE } from './process-mark.ts'

/** A living process; one that only waits to be reaped does not count. */
export type ProcessRow = {
  readonly pid: number
  readonly parent: number
  /** The process group and the session, by the pids of their leaders; 0 where they are not known. */
  readonly group: number
  readonly session: number
  /** When it began, on a clock of the system's own; comparable within one boot. */
  readonly startedAt: number
}

const MAX_LISTING_BYTES = 64 * 1024 * 1024
/** The system's own programs answer at once, or not at all. */
const LISTING_TIMEOUT_MS = 10_000

/** All processes of the system that can be seen; none if it tells nothing. */
export async function listProcesses(platform: NodeJS.Platform = process.platform): Promise<ProcessRow[]> {
  if (platform === 'linux') return pidsInProc().flatMap((pid) => rowOnLinux(pid) ?? [])
  if (platform === 'win32') return rowsOfPowerShell(await output('powershell.exe', POWERSHELL))
  return rowsOfPs(await output('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart=']))
}

/** One process, if it lives. On Linux it is read at once; elsewhere the whole table is. */
export async function processOf(pid: number): Promise<ProcessRow | undefined> {
  if (process.platform === 'linux') return rowOnLinux(pid)
  return (await listProcesses()).find((row) => row.pid === pid)
}

/** A process for certain, by its start; one that has ended and was not waited for yet still has its own on Linux. */
export async function identityOf(pid: number): Promise<Pick<ProcessRow, 'pid' | 'startedAt'> | undefined> {
  return process.platform === 'linux' ? statOnLinux(pid)?.row : processOf(pid)
}

/**
 * Which of the processes carry a mark that begins with `mark`: those that inherited it, as far as this user may know.
 * None on Windows.
 */
export async function markedAmong(rows: readonly ProcessRow[], mark: string): Promise<Set<number>> {
  const needle = `${MARK_VARIABLE}=${mark}`
  if (process.platform === 'linux') {
    const isMarked = ({ pid }: ProcessRow): boolean =>
      procFile(pid, 'environ').includes(needle) || hasLimitMark(pid, mark)
    return new Set(rows.filter(isMarked).map(({ pid }) => pid))
  }
  if (process.platform === 'win32' || rows.length === 0) return new Set()
  const lines = (await output('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='])).split('\n')
  const marked = new Set(
    lines.filter((line) => line.includes(needle)).map((line) => Number.parseInt(line, 10)),
  )
  return new Set(rows.filter(({ pid }) => marked.has(pid)).map(({ pid }) => pid))
}

/** Names the boot that start times count from, where they count from one. */
export function bootName(): string {
  if (process.platform !== 'linux') return ''
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}

function pidsInProc(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

/** Empty if the process has ended, or is not ours to look at. */
function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

const statBuffer = Buffer.alloc(4_096)

/**
 * The line of `/proc/<pid>/stat`, by one read: `readFileSync` allocates and copies 64 KiB for a file of unknown size, and
 * all processes of the system are read each time.
 */
function statLine(pid: number): string {
  let file: number | undefined
  try {
    file = openSync(`/proc/${pid}/stat`, 'r')
    const length = readSync(file, statBuffer, 0, statBuffer.length, 0)
    return statBuffer.toString('latin1', 0, length)
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** The row of a process, if it lives. */
function rowOnLinux(pid: number): ProcessRow | undefined {
  const stat = statOnLinux(pid)
  return stat === undefined || stat.state === 'Z' || stat.state === 'X' ? undefined : stat.row
}

/** proc(5): `pid (name) state ppid pgrp session …`, the start time in the 22nd field. A name may hold anything. */
function statOnLinux(pid: number): { readonly state: string; readonly row: ProcessRow } | undefined {
  const text = statLine(pid)
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group, session] = fields
  if (state === '') return undefined
  const row = {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startedAt: Number(fields[19]),
  }
  return { state, row }
}

/** Rows of `ps -o pid=,ppid=,pgid=,stat=,lstart=` with times in UTC. */
export function rowsOfPs(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, stat = '', ...started] = line.trim().split(/\s+/)
    const startedAt = Date.parse(`${started.join(' ')} UTC`)
    if (stat === '' || stat.startsWith('Z') || Number.isNaN(startedAt)) return []
    return { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, startedAt }
  })
}

const POWERSHELL = [
  '-NoProfile',
  '-NonInteractive',
  '-Command',
  'Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }',
]

/** Rows of `pid parent creation` with the creation in units of 100 ns; milliseconds are kept. */
export function rowsOfPowerShell(text: string): ProcessRow[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, created] = /^(\d+) (\d+) (\d+)\d{4}\s*$/.exec(line) ?? []
    if (created === undefined) return []
    return { pid: Number(pid), parent: Number(parent), group: 0, session: 0, startedAt: Number(created) }
  })
}

/** What a program of the system prints; nothing if it is not there or fails. */
function output(program: string, args: readonly string[]): Promise<string> {
  const options = {
    env: { PATH: process.env['PATH'], SYSTEMROOT: process.env['SYSTEMROOT'], LC_ALL: 'C', TZ: 'UTC' },
    maxBuffer: MAX_LISTING_BYTES,
    timeout: LISTING_TIMEOUT_MS,
    windowsHide: true,
  }
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => resolve(error === null ? stdout : ''))
  })
}
