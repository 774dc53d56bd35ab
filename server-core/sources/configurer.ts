import { Emitter } from '../protocol/emitter.ts'
import type { OpenUpstream } from './proxy/upstream.ts'
import type { Identity } from '../client/envelope.ts'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { CompositionData } from './config-data.ts'
import type { SecretOf } from './credentials.ts'
import { faultOf, type OpenedSource } from './opened-source.ts'
import type { EntryFault, Origin, Source, Trouble } from './source.ts'

/** Another workspace that is open. */
export type OpenMount = {
  readonly view: RegistryView
  readonly trouble?: Trouble
  close(): Promise<void>
}

/** What sources are made with, beside what the configuration says. */
export type ConfigurerParts = {
  /** The workspace, absolute. */
  readonly folder: string
  /** Who lists what proxied servers have. */
  readonly identity: Identity
  /** The way to an approved entry, by name or id. Rejects with an error that says why there is none. */
  readonly upstream: (server: string) => Promise<OpenUpstream>
  /** Opens another workspace. Rejects with an error that says why it may not be, or cannot. */
  readonly openMount: (folder: string) => Promise<OpenMount>
  readonly secretOf: SecretOf
  /** The file that says it, for origins. */
  readonly file?: string
  /** Milliseconds that a server has to come before the configuration stands without it; `proxiedStartMs`. */
  readonly patienceMs?: number
  /** Milliseconds before a missing source is tried again, twice as many each time; 1,000. */
  readonly retryMs?: number
}

/** What one configuration names, until it is closed. */
export type Configured = {
  readonly sources: readonly Source[]
  /** What keeps sources from being as they should, as it is now. */
  faults(): readonly EntryFault[]
  /** Called when faults are others. Returns an unsubscribe function. */
  onFaults(listener: () => void): () => void
  close(): Promise<void>
}

type Kept = {
  readonly key: string
  readonly origin: Origin
  readonly opened: Promise<OpenedSource>
  users: number
}
type Wanted = {
  readonly key: string
  readonly origin: Origin
  readonly open: () => Promise<OpenedSource>
}

/**
 * Opens what configurations name, one after the other: what the next one names like the one before stays open. A source
 * that cannot be opened is a fault, and the others are there.
 */
export class Configurer {
  readonly #parts: ConfigurerParts
  readonly #kept = new Map<string, Kept>()

  constructor(parts: ConfigurerParts) {
    this.#parts = parts
  }

  /** Resolves when each source was tried once; a server that does not answer in time comes when it comes. */
  readonly configure = async (data: CompositionData): Promise<Configured> => {
    const wanted = this.#wanted(data)
    const kept = wanted.map((each) => this.#take(each))
    const opened = await Promise.all(
      kept.map(({ opened: opening, key, origin }) => orFault(key, origin, opening)),
    )
    const signal = new Emitter()
    const stops = opened.map((each) => each.onFault(() => signal.emit()))
    let isClosed = false
    return {
      sources: opened.map(({ source }) => source),
      faults: () =>
        opened.flatMap((each) => {
          const fault = each.fault()
          const { kind, label } = each.source.origin
          return fault === undefined ? [] : [{ ...fault, message: `${kind} "${label}": ${fault.message}` }]
        }),
      onFaults: signal.listen,
      close: async () => {
        if (isClosed) return
        isClosed = true
        for (const stop of stops) stop()
        await Promise.all(kept.map((each) => this.#release(each)))
      },
    }
  }

  /** Each with a key of all that it is made of; of several that are the same, each its own. */
  #wanted(data: CompositionData): readonly Wanted[] {
    const { mounts = [], proxies = [], openapi = [], files = [], directories = [], urls = [] } = data
    const { folder, secretOf, retryMs } = this.#parts
    const file = this.#parts.file === undefined ? {} : { file: this.#parts.file }
    const retry = retryMs === undefined ? {} : { retryMs }
    const times = new Map<string, number>()
    const wanted = <Data extends object>(
      kind: Origin['kind'],
      label: (data: Data) => string,
      all: readonly Data[],
      open: (data: Data, id: string) => OpenedSource | Promise<OpenedSource>,
    ): readonly Wanted[] =>
      all.map((each) => {
        const text = `${kind} ${JSON.stringify(each)}`
        const time = (times.get(text) ?? 0) + 1
        times.set(text, time)
        const key = time === 1 ? text : `${text} (${time})`
        const origin: Origin = { kind, label: label(each), ...file }
        return { key, origin, open: async () => await open(each, key) }
      })
    return [
      ...wanted(
        'mount',
        (each) => each.folder,
        mounts,
        async (each, id) => {
          const mount = await this.#parts.openMount(each.folder)
          const { prefix, separator } = each
          const origin: Origin = { kind: 'mount', label: each.folder, ...file }
          return {
            ...quiet,
            source: { id, origin, view: mount.view, prefix, separator, trouble: mount.trouble },
            close: () => mount.close(),
          }
        },
      ),
      ...wanted(
        'proxy',
        (each) => each.server,
        proxies,
        (each, id) => this.#proxy(each, id),
      ),
      ...wanted(
        'openapi',
        (each) => each.document,
        openapi,
        async (each, id) => {
          const { openOpenApi } = await import('./openapi/openapi-source.ts')
          return openOpenApi(each, { id, folder, secretOf, ...file, ...retry })
        },
      ),
      ...wanted(
        'file',
        (each) => each.path,
        files,
        async (each, id) => {
          const { openFile } = await import('./resources/file-source.ts')
          return openFile(each, { id, folder, ...file })
        },
      ),
      ...wanted(
        'directory',
        (each) => each.folder,
        directories,
        async (each, id) => {
          const { openDirectory } = await import('./resources/directory-source.ts')
          return openDirectory(each, { id, folder, ...file })
        },
      ),
      ...wanted(
        'url',
        (each) => each.url,
        urls,
        async (each, id) => {
          const { openUrl } = await import('./resources/url-source.ts')
          return openUrl(each, { id, secretOf, ...file })
        },
      ),
    ]
  }

  async #proxy(data: NonNullable<CompositionData['proxies']>[number], id: string): Promise<OpenedSource> {
    const { upstream, identity, retryMs, file, patienceMs = DEFAULT_LIMITS.proxiedStartMs } = this.#parts
    const open = await upstream(data.server)
    const { openProxy } = await import('./proxied-server.ts')
    const proxy = openProxy(data, { id, open, identity, file, ...(retryMs !== undefined && { retryMs }) })
    await inTime(proxy.settled, patienceMs)
    return proxy
  }

  #take({ key, origin, open }: Wanted): Kept {
    const known = this.#kept.get(key)
    const kept = known ?? { key, origin, opened: open(), users: 0 }
    kept.users += 1
    if (known !== undefined) return known
    this.#kept.set(key, kept)
    // What could not be opened is tried again with the next configuration.
    kept.opened.catch(() => this.#forget(kept))
    return kept
  }

  async #release(kept: Kept): Promise<void> {
    kept.users -= 1
    if (kept.users > 0) return
    this.#forget(kept)
    const opened = await kept.opened.catch(() => undefined)
    await opened?.close()
  }

  #forget(kept: Kept): void {
    if (this.#kept.get(kept.key) === kept) this.#kept.delete(kept.key)
  }
}

const quiet = { fault: () => undefined, onFault: () => () => undefined } as const

/** The source, or one without entries whose fault says why there is none. */
async function orFault(id: string, origin: Origin, opening: Promise<OpenedSource>): Promise<OpenedSource> {
  try {
    return await opening
  } catch (error) {
    const { Registry } = await import('../registry/registry.ts')
    const fault = faultOf(error)
    return {
      source: { id, origin, view: new Registry() },
      fault: () => fault,
      onFault: () => () => undefined,
      close: () => Promise.resolve(),
    }
  }
}

async function inTime(done: Promise<unknown>, ms: number): Promise<void> {
  const timeUp = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => timeUp.resolve(undefined), ms)
  await Promise.race([done, timeUp.promise])
  clearTimeout(timer)
}
