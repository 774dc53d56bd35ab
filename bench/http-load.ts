import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { addCall, INITIALIZE, legacyHeaders, MODERN_HEADERS, post, type Era } from './calls.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Keeps `connections` calls under way for `windowMs`, and gives how many were answered with the right sum. */
export async function loadHttp(
  port: number,
  era: Era,
  connections: number,
  windowMs: number,
): Promise<number> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const requests = await Promise.all(sockets.map((socket) => requestFor(socket, era)))
  const until = performance.now() + windowMs
  const counts = await Promise.all(
    sockets.map(async (socket, index) => {
      const request = requests[index]
      let calls = 0
      while (request !== undefined && performance.now() < until) {
        const { body } = await exchange(socket, request)
        if (!body.includes('"42"')) throw new Error(`expected 42, got ${body.toString()}`)
        calls += 1
      }
      return calls
    }),
  )
  for (const socket of sockets) socket.destroy()
  return counts.reduce((sum, count) => sum + count, 0)
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
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

/** Writes one request and reads the answer, which has a content length. */
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
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (bytes.length - start < length) return
      const body = bytes.subarray(start, start + length)
      done(() => {
        resolve({ head, body })
      })
    }
    socket.on('data', read)
    socket.on('close', lost)
    socket.write(request)
  })
}
