import path from 'node:path'
import type { Tap } from '../../ports/tap.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { AuthorizationOption, CommandServer, WorkspaceServer } from '../options.ts'
import { ListeningProgram } from './listening-program.ts'
import { patchbayProgram } from './package-program.ts'
import type { ServerBackend, WantedTransport } from './server-backend.ts'
import { StdioBackend } from './stdio-backend.ts'
import { reachUrl } from './url-backend.ts'

const FLAGS = { http: '--http', sse: '--sse', websocket: '--ws' } as const
const ADDRESS = /listens at (\S+)\n/

/** A workspace, served by `patchbay serve`: over stdio for each connection, else once for the test. */
export class WorkspaceBackend implements ServerBackend {
  readonly #server: WorkspaceServer
  readonly #authorization: AuthorizationOption | undefined
  readonly #timeoutMs: number
  readonly #stdio: StdioBackend
  #program: ListeningProgram | undefined
  #starting: Promise<string> | undefined
  #url: string | undefined

  constructor(server: WorkspaceServer, authorization: AuthorizationOption | undefined, timeoutMs: number) {
    this.#server = server
    this.#authorization = authorization
    this.#timeoutMs = timeoutMs
    this.#stdio = new StdioBackend(workspaceCommand(server, '--stdio'))
  }

  get pid(): number | undefined {
    return this.#program?.pid ?? this.#stdio.pid
  }

  get stderr(): string {
    return this.#program?.output ?? ''
  }

  get url(): string | undefined {
    return this.#url
  }

  async reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    if (transport !== 'http' && transport !== 'sse' && transport !== 'websocket')
      return this.#stdio.reach(transport, tap)
    const url = await (this.#starting ??= this.#serve(FLAGS[transport]))
    return reachUrl({ url }, transport, this.#authorization, tap)
  }

  async stop(): Promise<void> {
    this.#starting = undefined
    await Promise.all([this.#stdio.stop(), this.#program?.end()])
    this.#program = undefined
  }

  async kill(): Promise<void> {
    this.#starting = undefined
    await Promise.all([this.#stdio.kill(), this.#program?.kill()])
    this.#program = undefined
  }

  async #serve(flag: string): Promise<string> {
    const program = await ListeningProgram.start(workspaceCommand(this.#server, flag, '--port', '0'))
    this.#program = program
    const [, url = ''] = await program.prints(ADDRESS, this.#timeoutMs)
    this.#url = url
    return url
  }
}

/** The command that serves a workspace. */
export function workspaceCommand(
  { workspace, env = {} }: WorkspaceServer,
  ...flags: readonly string[]
): { readonly command: string; readonly args: readonly string[] } & Required<
  Pick<CommandServer, 'env' | 'cwd'>
> {
  const { command, args } = patchbayProgram()
  const folder = path.resolve(workspace)
  return { command, args: [...args, 'serve', folder, '--trust', ...flags], env, cwd: folder }
}
