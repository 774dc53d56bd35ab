/**
 * A server (an echo over stdio, for what opens by `initialize`) with descendants of every kind that is hard to find, each
 * of which ignores every polite end. It tells their pids on stderr, one JSON line `{"pids":[…]}`, when all are up.
 *
 * Words: `child` (of its group), `group` (leads a group of its own), `session` (leads a session of its own), `orphan` (in a
 * session of its own, its parent has ended: a double fork), `bare` (a session of its own and an empty environment), `lost`
 * (like `orphan` and `bare` together, once this process carries the mark that outlasts both), and `stubborn`: the server itself ignores the end of stdin and SIGTERM too.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

const words = new Set(process.argv.slice(2))
const SHELL = '/bin/sh'
/** Ignores what may be ignored; ends by itself at last, should everything else fail. */
const STAY = `trap "" HUP INT TERM; echo $$; exec >/dev/null; n=0; while [ $n -lt 600 ]; do sleep 1; n=$((n+1)); done`

/** Starts one and gives the pid that it tells. */
function start(
  args: readonly string[],
  { shell = SHELL, ...options }: { shell?: string; detached?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  const child = spawn(shell, args, { stdio: ['ignore', 'pipe', 'ignore'], ...options })
  return new Promise((resolve) => {
    child.stdout.once('data', (bytes: Buffer) => resolve(Number(bytes.toString().trim())))
  })
}

const PATH = process.env['PATH'] ?? '/usr/bin:/bin'
const starting: Promise<number>[] = []
if (words.has('child')) starting.push(start(['-c', STAY]))
// Job control gives each job a group of its own, in the same session.
if (words.has('group'))
  starting.push(start(['-c', `set -m; (${STAY.replace('$$', '$BASHPID')}) & wait`], { shell: 'bash' }))
if (words.has('session')) starting.push(start(['-c', STAY], { detached: true }))
if (words.has('bare')) starting.push(start(['-c', STAY], { detached: true, env: { PATH } }))
const orphan = (env: NodeJS.ProcessEnv) => {
  const between = `require('child_process').spawn(${JSON.stringify(SHELL)}, ['-c', ${JSON.stringify(STAY)}], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref(); setTimeout(() => process.exit(0), 0)`
  const child = spawn(process.execPath, ['-e', between], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const told = new Promise<number>((resolve) => {
    child.stdout.once('data', (bytes: Buffer) => resolve(Number(bytes.toString().trim())))
  })
  return gone.then(() => told)
}
if (words.has('orphan')) starting.push(orphan(process.env))
if (words.has('lost')) {
  while (/^Max file locks +unlimited/m.test(readFileSync('/proc/self/limits', 'latin1'))) await setTimeout(5)
  starting.push(orphan({ PATH }))
}
if (words.has('stubborn')) {
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 60_000)
}

const pids = await Promise.all(starting)
process.stderr.write(`${JSON.stringify({ pids: [process.pid, ...pids] })}\n`)

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line) as { readonly id?: number; readonly method?: string }
    if (id === undefined) return
    const initialized = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      serverInfo: { name: 'stubborn', version: '1' },
    }
    const answer =
      method === 'initialize'
        ? { result: initialized }
        : { error: { code: -32601, message: 'Method not found' } }
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
  })
  .on('close', () => {
    if (!words.has('stubborn')) process.exit(0)
  })
