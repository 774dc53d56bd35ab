import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Tap } from '../../ports/tap.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { AuthorizationOption, CommandServer } from '../options.ts'
import { ListeningProgram } from './listening-program.ts'
import type { ServerBackend, WantedTransport } from './server-backend.ts'
import { reachUrl } from './url-backend.ts'

const PORT = '{port}'

/** A program that is started and then reached at a URL. One process serves all connections of the test. */
export class ListeningBackend implements ServerBackend {
  readonly #server: CommandServer & { readonly url: string }
  readonly #authorization: AuthorizationOption | undefined
  readonly #timeoutMs: number
  #starting: Promise<{ readonly program: ListeningProgram; readonly url: string }> | undefined
  #program: ListeningProgram | undefined
  #url: string | undefined

  constructor(
    server: CommandServer & { readonly url: string },
    authorization: AuthorizationOption | undefined,
    timeoutMs: number,
  ) {
    this.#server = server
    this.#authorization = authorization
    this.#timeoutMs = timeoutMs
  }

  get pid(): number | undefined {
    return this.#program?.pid
  }

  get stderr(): string {
    return this.#program?.output ?? ''
  }

  get url(): string | undefined {
    return this.#url
  }

  async reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    const { url } = await (this.#starting ??= this.#start())
    return reachUrl({ url }, transport, this.#authorization, tap)
  }

  async stop(): Promise<void> {
    this.#starting = undefined
    await this.#program?.end()
  }

  async kill(): Promise<void> {
    this.#starting = undefined
    await this.#program?.kill()
  }

  async #start(): Promise<{ readonly program: ListeningProgram; readonly url: string }> {
    const { command, args = [], env = {}, cwd, url } = this.#server
    const texts = [url, ...args, ...Object.values(env)]
    const port = texts.some((text) => text.includes(PORT)) ? String(await freePort()) : ''
    const filled = (text: string): string => text.replaceAll(PORT, port)
    const program = await ListeningProgram.start({
      command,
      args: args.map(filled),
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
      cwd,
    })
    this.#program = program
    const at = filled(url)
    this.#url = at
    await program.listens(at, this.#timeoutMs)
    return { program, url: at }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}
