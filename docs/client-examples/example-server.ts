import path from 'node:path'
import type { ServerAddress } from '../../server-core/transports/opener.ts'

/** How one of the servers in `docs/examples` is started. */
export function exampleServer(name: string): ServerAddress {
  const file = path.join(import.meta.dirname, '..', 'examples', `${name}.ts`)
  // Of our variables a server gets a short list, and what is given here.
  const { NODE_COMPILE_CACHE = '' } = process.env
  return { transport: 'stdio', command: process.execPath, args: [file], env: { NODE_COMPILE_CACHE } }
}

/** How every example connects. They are slow where many start at once, which does not make them old servers. */
export const reader = { identity: { name: 'reader', version: '1.0.0' }, probeTimeoutMs: 30_000 }
