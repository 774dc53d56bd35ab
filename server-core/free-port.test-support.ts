import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'

const COUNT = 12_000
/** Ports below this are not given to outgoing connections, nor to who listens on port 0. */
const END = Math.min(32_000, firstGivenPort())
/** Where the system gives nearly every port, nothing better is left than one of those. */
const START = END - COUNT > 1_024 ? END - COUNT : 20_000
/** How far each process is from the next, so that those which run at once seldom try the same port. */
const APART = 16

let tried = process.pid * APART

/**
 * A port of 127.0.0.1 that is free, and that stays free until it is asked for: the system gives it to nobody, while one
 * that it gave and got back is soon another's.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    const port = START + (tried++ % COUNT)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${START} to ${START + COUNT - 1} is free`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}

function firstGivenPort(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10)
  } catch {
    // Other systems begin at 49152.
    return 49_152
  }
}
