import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Fault } from '../mutant.ts'
import { MessageMutator } from './message-mutator.ts'
import { pipeLines } from './mutating-lines.ts'

/** Sits between the bridge of a client over stdio and the exam server, and makes the faults of the client. */
export class MutatingBridge {
  readonly #fault: Fault
  readonly #target: number
  readonly #peer = new Map<string, unknown>()
  readonly #server = createServer({ allowHalfOpen: true })
  readonly #sockets = new Set<Socket>()

  constructor(fault: Fault, target: number) {
    this.#fault = fault
    this.#target = target
  }

  async start(): Promise<number> {
    this.#server.on('connection', (near) => {
      const far = connect({ host: '127.0.0.1', port: this.#target, allowHalfOpen: true })
      for (const socket of [near, far]) {
        this.#sockets.add(socket)
        socket.on('error', () => undefined)
        socket.once('close', () => {
          near.destroy()
          far.destroy()
        })
      }
      // The first line names the channel; lines that are not JSON pass unchanged.
      const mutator = new MessageMutator(this.#fault, 'stdio', this.#peer)
      near.once('data', (first: Buffer) => {
        near.pause()
        near.unshift(first)
        const isControl = first.subarray(0, 7).toString() === 'control'
        if (isControl) near.pipe(far).pipe(near)
        else {
          pipeLines(mutator, 'outgoing', near, far, near)
          pipeLines(mutator, 'incoming', far, near, far)
        }
        near.resume()
      })
    })
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return (this.#server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
