import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { INITIALIZE, legacyHeaders, messageOf, modernHeaders, post, type Ask, type Era } from './calls.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Calls for that many milliseconds, and gives how many calls were answered. */
export type Load = (windowMs: number) => Promise<number>

/** Opens that many connections, each with its session where the era has them, which then call one after another. */
export async function openHttpLoad(port: number, era: Era, ask: Ask, connections: number): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const callers = await Promise.all(
    sockets.map(async (socket) => ({ socket, request: await requestFor(socket, era, ask) })),
  )
  return async (windowMs) => {
    const until = performance.now() + windowMs
    const counts = await Promise.all(
      callers.map(async ({ socket, request }) => {
        let calls = 0
        while (performance.now() < until) {
          const { body } = await exchange(socket, request)
          if (!ask.isAnswered(body)) throw new Error(`the answer is ${body.toString().slice(0, 300)}`)
          calls += 1
        }
        return calls
      }),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
}

/** Opens a connection that writes at once. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  // The 'close' that follows reports it.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

async function requestFor(socket: Socket, era: Era, ask: Ask): Promise<Buffer> {
  const body = messageOf(era, 1, ask)
  if (era === 'modern') return post(body, modernHeaders(ask))
  const { head } = await exchange(socket, post(INITIALIZE, {}))
  // The bare answerer has no sessions; the header does it no harm.
  return post(body, legacyHeaders(/mcp-session-id: (\S+)/i.exec(head)?.[1] ?? 'none'))
}

type Answer = { readonly head: string; readonly body: Buffer }

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

/** Writes one request and reads the answer. */
export function exchange(socket: Socket, request: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    /** Where the body ends, once the head tells; else the last chunk of an answer does, which is empty. */
    let stop: number | undefined
    let start = -1
    let head = ''
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
      chunks.push(chunk)
      length += chunk.length
      if (start === -1) {
        const bytes = Buffer.concat(chunks)
        const end = bytes.indexOf(HEAD_END)
        if (end === -1) return
        head = bytes.toString('latin1', 0, end)
        start = end + HEAD_END.length
        const told = /content-length: (\d+)/i.exec(head)?.[1]
        stop = told === undefined ? undefined : start + Number(told)
      }
      const isWhole =
        stop === undefined ? chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : length >= stop
      if (!isWhole) return
      const body = Buffer.concat(chunks).subarray(start, stop)
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
