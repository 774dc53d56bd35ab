import { once } from 'node:events'
import { WebSocket } from 'ws'
import { INITIALIZE, messageOf, type Ask } from './calls.ts'
import type { Load } from './http-load.ts'

/** Opens one WebSocket with its session; the load keeps `inFlight` requests under way. */
export async function openWebSocketLoad(port: number, ask: Ask, inFlight: number): Promise<Load> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp', { perMessageDeflate: false })
  await once(socket, 'open')
  const opened = once(socket, 'message')
  socket.send(INITIALIZE)
  await opened
  return (windowMs) =>
    new Promise((resolve, reject) => {
      const until = performance.now() + windowMs
      let calls = 0
      let open = inFlight
      let last = inFlight
      const read = (data: Buffer) => {
        if (!ask.isAnswered(data)) reject(new Error(`the answer is ${data.toString().slice(0, 300)}`))
        calls += 1
        if (performance.now() < until) socket.send(messageOf('legacy', (last += 1), ask))
        else open -= 1
        if (open > 0) return
        socket.off('message', read)
        resolve(calls)
      }
      socket.on('message', read)
      for (let id = 1; id <= inFlight; id += 1) socket.send(messageOf('legacy', id, ask))
    })
}
