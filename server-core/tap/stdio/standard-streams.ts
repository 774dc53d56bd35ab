import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

/**
 * Our standard output as a stream that can be closed, so that a client notices when the server closes its own. Terminals and
 * files stay Node's.
 */
export function closableOutput(): Writable {
  const stats = fstatSync(1)
  if (!stats.isFIFO() && !stats.isSocket()) return process.stdout
  return new Socket({ fd: 1, readable: false, writable: true })
}
