import path from 'node:path'
import type { Tap } from '../../ports/tap.ts'
import { productVersion } from '../../host/version.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { RecordedServer } from '../../replay/recorded-server.ts'
import { createServer, type McpServer } from '../../server/server.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { RecordedServerOption } from '../options.ts'
import { TestSetupError } from '../test-error.ts'
import { MemoryBackend } from './memory-backend.ts'
import type { ServerBackend, WantedTransport } from './server-backend.ts'

/** A server that answers as the one of a recording did, in this process. */
export class RecordedBackend implements ServerBackend {
  readonly pid = undefined
  readonly stderr = ''
  readonly #option: RecordedServerOption
  #opening: Promise<MemoryBackend> | undefined
  #memory: MemoryBackend | undefined

  constructor(option: RecordedServerOption) {
    this.#option = option
  }

  get url(): string | undefined {
    return this.#memory?.url
  }

  async reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    this.#opening ??= this.#open()
    const memory = await this.#opening
    return memory.reach(transport, tap)
  }

  async stop(): Promise<void> {
    this.#opening = undefined
    await this.#memory?.stop()
    this.#memory = undefined
  }

  kill(): Promise<void> {
    const message = 'server.kill(): a recording has no process that could be killed; use server.restart()'
    return Promise.reject(new TestSetupError('server', message))
  }

  async #open(): Promise<MemoryBackend> {
    this.#memory = new MemoryBackend(await recordedMcpServer(this.#option))
    return this.#memory
  }
}

/** Reads the server's side of a recording. Rejects with a `RecordingError` or a `TestSetupError`. */
export async function readRecordedServer({
  recording,
  match = 'exact',
  once = false,
  latency = 0,
}: RecordedServerOption): Promise<RecordedServer> {
  const view = await RecordingView.open(path.resolve(recording))
  const recorded = await RecordedServer.read(view, { match, once, latency })
  if (recorded.calls === 0 && recorded.lists.tools.length === 0)
    throw new TestSetupError('option', `expected lists or answered calls in ${recording}, found neither`)
  return recorded
}

async function recordedMcpServer(option: RecordedServerOption): Promise<McpServer> {
  const registry = await readRecordedServer(option)
  const { info = { name: 'recorded', version: productVersion }, instructions } = registry.lists
  return createServer({ registry, info, ...(instructions !== undefined && { instructions }) })
}
