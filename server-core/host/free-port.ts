import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { systemCode } from '../workspace/storage-error.ts'

/** Ports looked at after the one that is taken, so that the offer is easy to remember. */
const NEIGHBOURS = 20

/** A port of 127.0.0.1 that is free right now: one of the next twenty after `near`, else any. */
export async function freePort(near: number): Promise<number> {
  for (let port = near + 1; port <= Math.min(near + NEIGHBOURS, 65_535); port += 1) {
    if ((await tryPort(port)) !== undefined) return port
  }
  const any = await tryPort(0)
  if (any === undefined) throw new Error('this machine has no free port on 127.0.0.1')
  return any
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(systemCode(error) ?? '')) return undefined
    throw error
  }
  const address = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return address.port
}
