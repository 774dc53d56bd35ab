import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

const POLL_MS = 500

/** A script of a package.json, as npm runs it. */
export type NpmScript = {
  /** Folder of the package.json. */
  readonly root: string
  readonly name: string
}

type Ancestor = {
  readonly pid: number
  readonly parent: number
  /** Name of the program, without its folder. */
  readonly program: string
  /** A shell that runs one command. */
  readonly isShell: boolean
}

/**
 * Returns whether npm runs this process as that script. A process that merely runs below another npm script, whose
 * variables it inherited, is not meant.
 */
export function isRunByNpm({ root, name }: NpmScript): boolean {
  const { npm_lifecycle_event: event, npm_package_json: file } = process.env
  if (event !== name) return false
  // Yarn 1 does not set it.
  return file === undefined || realPath(file) === realPath(path.join(root, 'package.json'))
}

/**
 * Calls `gone` once when the npm that runs this process as `script` has ended, however it ended. npm puts a shell
 * between itself and us, and that shell outlives an npm that was killed, so both are watched. Does nothing when npm
 * does not run this process: it may survive its parent then (`nohup`, `setsid`, a service manager).
 *
 * @returns a function that stops watching
 */
export function watchNpm(script: NpmScript, gone: () => void): () => void {
  return process.platform === 'win32' || !isRunByNpm(script) ? () => undefined : watchParents(gone)
}

/**
 * Calls `gone` once when the npx that runs this process has ended, which ends the shell below it without a signal to
 * this process. Does nothing when something else runs it.
 */
export function watchNpx(gone: () => void): void {
  if (process.platform === 'win32') return
  const parent = describeProcess(process.ppid)
  const npx = parent?.isShell === true ? describeProcess(parent.parent) : parent
  if (npx !== undefined && /^np[mx]/.test(npx.program)) watchParents(gone)
}

function watchParents(gone: () => void): () => void {
  const parent = process.ppid
  const shell = describeProcess(parent)
  const npm = shell?.isShell === true ? shell.parent : undefined
  const wasGone = adoptsOrphans(npm === undefined ? shell : describeProcess(npm))
  const timer = setInterval(() => {
    if (!wasGone && process.ppid === parent && (npm === undefined || isParentOf(npm, parent))) return
    clearInterval(timer)
    gone()
  }, POLL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}

/** Whether this is not a npm but what a process gets as its parent when its own has ended. */
function adoptsOrphans(ancestor: Ancestor | undefined): boolean {
  // It ended just now: the next look sees that.
  if (ancestor === undefined) return false
  const { pid, program } = ancestor
  // In a container npm itself may be the first process.
  return (pid === 1 && !/^(npm|npx|pnpm|yarn|bun|node)/.test(program)) || program === 'systemd'
}

function realPath(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    // A file that does not exist is not ours.
    return file
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
  return { pid, parent, program: programOf(words[0]), isShell: words[1] === '-c' }
}

/** Programs may write a title over their command line, such as "npm run patchbay". */
function programOf(command = ''): string {
  return path.basename(command.trim().split(/\s/)[0] ?? '')
}

function askPs(pid: number): Ancestor {
  const line = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  const [parent, command, flag] = line.split(/\s+/)
  return { pid, parent: Number(parent), program: programOf(command), isShell: flag === '-c' }
}
