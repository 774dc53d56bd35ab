import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { addCall, INITIALIZE, legacyHeaders, MODERN_HEADERS, post, type Era } from './calls.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Calls for that many milliseconds, and gives how many calls were answered. */
export type Load = (windowMs: number) => Promise<number>

/** Opens that many connections, each with its session where the era has them, which then call one after another. */
export async function openHttpLoad(port: number, era: Era, connections: number): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const callers = await Promise.all(
    sockets.map(async (socket) => ({ socket, request: await requestFor(socket, era) })),
  )
  return async (windowMs) => {
    const until = performance.now() + windowMs
    const counts = await Promise.all(
      callers.map(async ({ socket, request }) => {
        let calls = 0
        while (performance.now() < until) {
          const { body } = await exchange(socket, request)
          if (!body.includes('"42"')) throw new Error(`expected 42, got ${body.toString()}`)
          calls += 1
        }
        return calls
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  // The 'close' that follows is what is told.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function requestFor(socket: Socket, era: Era): Promise<Buffer> {
  const body = addCall(era, 1)
  if (era === 'modern') return post(body, MODERN_HEADERS)
  const { head } = await exchange(socket, post(INITIALIZE, {}))
  // The bare answerer has no sessions; the header does it no harm.
  return post(body, legacyHeaders(/mcp-session-id: (\S+)/i.exec(head)?.[1] ?? 'none'))
}

type Answer = { readonly head: string; readonly body: Buffer }

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Writes one request and reads the answer. */
function exchange(socket: Socket, request: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    const done = (settle: () => void) => {
      socket.off('data', read)
      socket.off('close', lost)
      settle()
    }
    const lost = () => {
      done(() => {
        reject(new Error('the target closed the connection'))
      })
    }
    const read = (chunk: Buffer) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      const end = bytes.indexOf(HEAD_END)
      if (end === -1) return
      const head = bytes.toString('latin1', 0, end)
      const start = end + HEAD_END.length
      const length = /content-length: (\d+)/i.exec(head)?.[1]
      const stop = length === undefined ? bytes.length : start + Number(length)
      // An answer without a length comes in chunks, of which the last is empty.
      const isWhole =
        length === undefined ? bytes.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : bytes.length >= stop
      if (!isWhole) return
      const body = bytes.subarray(start, stop)
      done(() => {
        resolve({ head, body })
      })
    }
    if (socket.destroyed) {
      lost()
      return
    }
    socket.on('data', read)
    socket.on('close', lost)
    socket.write(request)
  })
}
