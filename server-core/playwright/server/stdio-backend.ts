import type { ClientTransport } from '../../ports/contract.ts'
import type { Tap } from '../../ports/tap.ts'
import { transportsFor, type TransportFactory } from '../../transports/opener.ts'
import type { CommandServer } from '../options.ts'
import { TestSetupError } from '../test-error.ts'
import type { ServerBackend, WantedTransport } from './server-backend.ts'

/** A program that speaks over stdin and stdout: each connection is a process of its own. */
export class StdioBackend implements ServerBackend {
  readonly stderr = ''
  readonly url = undefined
  readonly #server: CommandServer
  readonly #processes = new Set<StartedProcess>()

  constructor(server: CommandServer) {
    this.#server = server
  }

  /** The process that was started last. */
  get pid(): number | undefined {
    return [...this.#processes].at(-1)?.transport.evidence().pid
  }

  reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    if (transport !== 'auto' && transport !== 'stdio') {
      const { command } = this.#server
      return Promise.reject(
        new TestSetupError(
          'option',
          `the transport is "${transport}", but the server ${command} speaks over stdio. Add the "url" where it listens.`,
        ),
      )
    }
    const { command, args = [], env = {}, cwd } = this.#server
    const address = { transport: 'stdio', command, args, env, ...(cwd !== undefined && { cwd }) } as const
    const openWatched = async (): Promise<ClientTransport> => {
      const ended = Promise.withResolvers<void>()
      const watched: Tap = {
        record: (frame) => {
          tap.record(frame)
          if (frame.kind === 'lifecycle' && frame.event === 'closed') ended.resolve()
        },
      }
      const opened = await transportsFor(address, { tap: watched }).open()
      const started: StartedProcess = { transport: opened, ended: ended.promise }
      this.#processes.add(started)
      void started.ended.then(() => this.#processes.delete(started))
      return opened
    }
    return Promise.resolve({ open: openWatched })
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#processes].map(({ transport }) => transport.close()))
  }

  async kill(): Promise<void> {
    const running = [...this.#processes]
    for (const { transport } of running) {
      const { pid } = transport.evidence()
      if (pid !== undefined) process.kill(pid, 'SIGKILL')
    }
    await Promise.all(running.map(({ ended }) => ended))
  }
}

type StartedProcess = { readonly transport: ClientTransport; readonly ended: Promise<unknown> }
