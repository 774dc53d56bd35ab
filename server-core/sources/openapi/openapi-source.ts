import { SerialQueue } from '../../protocol/serial-queue.ts'
import { Emitter } from '../../protocol/emitter.ts'
import { countText } from '../../protocol/count-text.ts'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { guardedFetch } from '../../network/guarded-fetch.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { ComposedRegistry } from '../compose.ts'
import { CompositionError } from '../composition-error.ts'
import type { OpenApiData } from '../config-data.ts'
import type { SecretOf } from '../credentials.ts'
import { policyFor } from '../guarded.ts'
import { holds, insideFolder, isMissing } from '../inside-folder.ts'
import { faultOf, type OpenedSource } from '../opened-source.ts'
import { PathWatch } from '../path-watch.ts'
import type { EntryFault, FaultyEntry, Origin } from '../source.ts'
import { ClientCredentialsTokens } from './client-credentials.ts'
import { documentRegistry } from './document-registry.ts'
import { Documents } from './documents.ts'

export type OpenApiParts = {
  readonly id: string
  /** The workspace: paths are in it, and lead nowhere else. */
  readonly folder: string
  readonly secretOf: SecretOf
  readonly file?: string | undefined
  /** Milliseconds before a document that could not be fetched is tried again, twice as many each time; 1,000. */
  readonly retryMs?: number
}

const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
/** Milliseconds in which changes of its files are one. */
const GATHER_MS = 50

/**
 * The operations of an OpenAPI document as a source. Resolves when the document was tried; one that cannot be read is
 * the source's fault and is tried again, a file when it changes, a URL after a while. What was read before stays.
 */
export async function openOpenApi(data: OpenApiData, parts: OpenApiParts): Promise<OpenedSource> {
  const opened = new OpenApiSource(data, parts)
  await opened.load()
  return opened
}

class OpenApiSource implements OpenedSource {
  readonly source: OpenedSource['source']
  readonly onFault: OpenedSource['onFault']
  readonly #data: OpenApiData
  readonly #parts: OpenApiParts
  readonly #composed = new ComposedRegistry({ listStability: 'changes' })
  readonly #signal = new Emitter()
  readonly #tokens: ClientCredentialsTokens
  readonly #watch: PathWatch
  readonly #url: URL | undefined
  #fault: EntryFault | undefined
  #faults: readonly FaultyEntry[] = []
  readonly #loads = new SerialQueue()
  #timer: NodeJS.Timeout | undefined
  #failures = 0
  #closed = false

  constructor(data: OpenApiData, parts: OpenApiParts) {
    const { document, prefix, separator } = data
    const { id, file } = parts
    this.#data = data
    this.#parts = parts
    this.#url = /^https?:/i.test(document) ? new URL(document) : undefined
    this.#tokens = new ClientCredentialsTokens((url, request) => this.#fetch(new URL(url))(url, request))
    this.#watch = new PathWatch(() => this.#later(GATHER_MS))
    this.onFault = this.#signal.listen
    const origin: Origin = { kind: 'openapi', label: document, ...(file !== undefined && { file }) }
    const trouble = { faults: () => this.#faults, onChange: this.#signal.listen }
    this.source = { id, origin, prefix, separator, trouble, view: this.#composed }
  }

  fault(): EntryFault | undefined {
    return this.#fault
  }

  /** Reads the document again, after a reading that goes on. */
  load(): Promise<void> {
    clearTimeout(this.#timer)
    return this.#loads.run(async () => {
      if (this.#closed) return
      try {
        await this.#read()
        this.#fault = undefined
        this.#failures = 0
      } catch (error) {
        this.#fault = faultOf(error)
        this.#failures += 1
        const { retryMs = FIRST_RETRY_MS } = this.#parts
        const delay = Math.min(LONGEST_RETRY_MS, retryMs * 2 ** (this.#failures - 1))
        if (this.#url !== undefined) this.#later(delay)
      }
      this.#signal.emit()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#loads.idle()
    await this.#watch.close()
    this.#composed.close()
  }

  async #read(): Promise<void> {
    const { folder, secretOf } = this.#parts
    const files: string[] = []
    const uri = this.#url?.href ?? pathToFileURL(path.resolve(folder, this.#data.document)).href
    try {
      const documents = await Documents.load(uri, (each) => this.#readText(each, files))
      const { registry, faults } = await documentRegistry(documents, {
        data: this.#data,
        secretOf,
        tokens: this.#tokens,
        fetchFor: (server) => this.#fetch(server),
        timeoutMs: this.#data.timeoutMs ?? DEFAULT_LIMITS.openApiRequestMs,
      })
      if (this.#closed) return
      this.#faults = faults
      const { id, origin } = this.source
      this.#composed.replace({ id, origin, view: registry })
    } finally {
      await this.#watch.add(files)
    }
  }

  async #readText(uri: string, files: string[]): Promise<string> {
    const url = new URL(uri)
    if (url.protocol !== 'file:') {
      const named = this.#url === undefined ? [] : [this.#url]
      const policy = policyFor(named, {
        bodyBytes: DEFAULT_LIMITS.openApiDocumentBytes,
        timeoutMs: DEFAULT_LIMITS.openApiRequestMs,
      })
      const accept = 'application/vnd.oai.openapi+json, application/json, application/yaml, */*;q=0.5'
      const answer = await guardedFetch(policy)(url, { headers: { accept } })
      if (answer.status === 200) return answer.body.toString()
      throw new CompositionError('document', `${uri} answered ${answer.status}; expected 200 and a document`)
    }
    const file = fileURLToPath(url)
    if (this.#url !== undefined) {
      throw new CompositionError(
        'outside',
        `${file} is a file of this machine; a document from ${this.#url.origin} cannot have it`,
      )
    }
    // A document that is not there yet may come.
    if (holds(path.resolve(this.#parts.folder), file)) files.push(file)
    const real = await insideFolder(this.#parts.folder, file).catch((error: unknown) => {
      throw readable(error, file)
    })
    const { size } = await stat(real)
    const { openApiDocumentBytes } = DEFAULT_LIMITS
    if (size > openApiDocumentBytes) {
      throw new CompositionError(
        'document',
        `${file} has ${countText(size)} bytes; ${countText(openApiDocumentBytes)} at most are read`,
      )
    }
    return readFile(real, 'utf8')
  }

  /** What the configuration names is the user's word; what a fetched document names is its server's. */
  #fetch(server: URL) {
    const {
      baseUrl,
      maximumBytes,
      timeoutMs = DEFAULT_LIMITS.openApiRequestMs,
      credentials = {},
    } = this.#data
    const tokenUrls = Object.values(credentials).flatMap((each) =>
      typeof each === 'object' && 'tokenUrl' in each ? (URL.parse(each.tokenUrl ?? '') ?? []) : [],
    )
    const given = [this.#url, baseUrl === undefined ? undefined : URL.parse(baseUrl, this.#url?.href)]
    const named = [...given.filter((url) => url !== undefined && url !== null), ...tokenUrls]
    // A document of the workspace is its author's, as its scripts are.
    const all = this.#url === undefined ? [...named, server] : named
    const bodyBytes = maximumBytes === undefined ? {} : { bodyBytes: maximumBytes }
    return guardedFetch(policyFor(all, { ...bodyBytes, timeoutMs }))
  }

  #later(ms: number): void {
    if (this.#closed) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.load(), ms)
    this.#timer.unref()
  }
}

function readable(error: unknown, file: string): unknown {
  return isMissing(error) ? new CompositionError('document', `there is no file ${file}`) : error
}
