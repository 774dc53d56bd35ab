/** `parent` starts a `child` that has no channel to it, tells its pid, and both stay until they are ended. */
import { spawn } from 'node:child_process'
import { endWithParent } from './lifeline.ts'

const [role] = process.argv.slice(2)
if (role === 'parent') {
  const child = spawn(process.execPath, [import.meta.filename, 'child'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  child.stdout.once('data', () => process.send?.(child.pid))
} else {
  endWithParent(() => process.exit(0))
  process.stdout.write('watching')
}
setInterval(() => undefined, 60_000)
