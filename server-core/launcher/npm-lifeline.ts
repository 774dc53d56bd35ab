import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const POLL_MS = 500

type Ancestor = { readonly pid: number; readonly parent: number; readonly isShell: boolean }

/**
 * Calls `gone` once when the npm that runs this process has ended, however it ended. npm puts a shell between
 * itself and us, and that shell outlives an npm that was killed, so both are watched. Does nothing when this
 * process was not started by npm. Gives a function that stops watching.
 */
export function watchNpm(gone: () => void): () => void {
  if (process.env['npm_lifecycle_event'] === undefined || process.platform === 'win32') return () => undefined
  const parent = process.ppid
  const shell = describeProcess(parent)
  const npm = shell?.isShell === true ? shell.parent : undefined
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || isParentOf(npm, parent))) return
    clearInterval(timer)
    gone()
  }, POLL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

function isParentOf(parent: number, child: number): boolean {
  // A child whose parent has ended gets another at once, even if the parent was not reaped yet.
  if (process.platform === 'linux') return describeProcess(child)?.parent === parent
  try {
    return process.kill(parent, 0)
  } catch {
    // No such process: it has ended.
    return false
  }
}

function describeProcess(pid: number): Ancestor | undefined {
  try {
    return process.platform === 'linux' ? readFromProc(pid) : askPs(pid)
  } catch {
    // It ended between two looks.
    return undefined
  }
}

function readFromProc(pid: number): Ancestor {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
  // The name in parentheses may hold spaces and parentheses; state and parent follow the last one.
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  const words = readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').split('\0')
  return { pid, parent, isShell: words[1] === '-c' }
}

function askPs(pid: number): Ancestor {
  const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [parent, , flag] = line.split(/\s+/)
  return { pid, parent: Number(parent), isShell: flag === '-c' }
}
