/** A process that starts a server which ignores every polite end, tells the server's pid, and stays. */
import { stdioTransport } from '../../transports/stdio-client.ts'
import { guardedTransport } from './guarded-transport.ts'

const stubborn = `
  process.on('SIGTERM', () => undefined)
  setInterval(() => undefined, 60_000)
  console.error('ready')`
const transport = guardedTransport(
  stdioTransport({ command: process.execPath, args: ['-e', stubborn], env: {} }),
)
const nothing = (): void => undefined
await transport.start({ message: nothing, noise: nothing, requestFailed: nothing, closed: nothing })
const timer = setInterval(() => {
  // Killed any earlier, it would not have its handler yet.
  if (transport.evidence().stderr === undefined) return
  clearInterval(timer)
  process.send?.(transport.evidence().pid)
}, 20)
process.on('message', () => {
  void transport.close().then(() => process.exit(0))
})
