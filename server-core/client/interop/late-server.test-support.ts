import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../compiled.test-support.ts'
import type { ServerAddress } from '../../transports/opener.ts'

export type LateKind = 'both' | 'modern' | 'legacy' | 'silent'

/** Processes that run and read nothing before a test lets them, which says as what they serve. */
export class LateServers {
  /** So many processes were started. */
  started = 0
  readonly #gate: Server
  readonly #waiting = new Set<Socket>()
  readonly #sockets = new Set<Socket>()
  #heard = ''
  #kind: LateKind | undefined

  private constructor(gate: Server) {
    this.#gate = gate
    gate.on('connection', (socket) => {
      this.started += 1
      this.#sockets.add(socket)
      // A process that is ended resets its connection.
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
      socket.on('data', (bytes) => (this.#heard += bytes.toString()))
      if (this.#kind === undefined) this.#waiting.add(socket)
      else socket.write(this.#kind)
    })
  }

  static async open(): Promise<LateServers> {
    const gate = createServer().listen(0, '127.0.0.1')
    await once(gate, 'listening')
    return new LateServers(gate)
  }

  /** How each of them is started. */
  get target(): Extract<ServerAddress, { transport: 'stdio' }> {
    const program = fileURLToPath(new URL('./late-server-process.test-support.ts', import.meta.url))
    const { port } = this.#gate.address() as AddressInfo
    return {
      transport: 'stdio',
      command: process.execPath,
      args: [program, String(port)],
      env: COMPILED,
    }
  }

  /** What the silent ones have heard, in order. */
  get heard(): string[] {
    return this.#heard.split('\n').filter((line) => line !== '')
  }

  /** Those that wait begin to read, and those that are started from here on do at once. */
  letRead(kind: LateKind): void {
    this.#kind = kind
    for (const socket of this.#waiting) socket.write(kind)
    this.#waiting.clear()
  }

  /** Ends what is left of them. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#gate.close()
    await once(this.#gate, 'close')
  }
}
