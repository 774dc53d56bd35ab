import { SerialQueue } from '../../protocol/serial-queue.ts'
import { Emitter } from '../../protocol/emitter.ts'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Handle } from '../../registry/definitions.ts'
import { Registry } from '../../registry/registry.ts'
import type { ResourceDefinition } from '../../registry/resource-definitions.ts'
import { CompositionError } from '../composition-error.ts'
import type { FileData } from '../config-data.ts'
import { holds, insideFolder, isMissing } from '../inside-folder.ts'
import { faultOf, type OpenedSource } from '../opened-source.ts'
import { PathWatch } from '../path-watch.ts'
import type { EntryFault } from '../source.ts'
import { baseUri, fileUri } from './file-uri.ts'
import { mediaTypeOf } from './media-type.ts'
import { readInside } from './read-file.ts'

export type ResourceParts = {
  readonly id: string
  /** The workspace: paths are in it, and lead nowhere else. */
  readonly folder: string
  readonly file?: string | undefined
}

/**
 * A file as a resource, listed while it is there, read when it is asked for, and told when it changes. Resolves when it
 * was looked for; one that is not there, or cannot be served, is an entry with its fault until it can.
 */
export async function openFile(data: FileData, parts: ResourceParts): Promise<OpenedSource> {
  const opened = new FileSource(data, parts)
  await opened.start()
  return opened
}

class FileSource implements OpenedSource {
  readonly source: OpenedSource['source']
  readonly #given: string
  readonly #folder: string
  readonly #path: string
  readonly #definition: ResourceDefinition
  readonly #registry = new Registry()
  readonly #watch: PathWatch
  readonly #signal = new Emitter()
  #listed: Handle<ResourceDefinition> | undefined
  #entryFault: EntryFault | undefined
  readonly #looks = new SerialQueue()
  #closed = false

  constructor(data: FileData, { id, folder, file }: ResourceParts) {
    this.#given = data.path
    this.#folder = folder
    this.#path = path.resolve(folder, data.path)
    const definition = definitionOf(data, folder)
    this.#definition = definition
    this.#watch = new PathWatch((changed) => {
      // What is watched in its place while it is not there has neighbours.
      if (changed === this.#path) void this.#look()
    })
    this.source = {
      id,
      origin: { kind: 'file', label: data.path, ...(file !== undefined && { file }) },
      view: this.#registry,
      trouble: {
        faults: () =>
          this.#entryFault === undefined
            ? []
            : [{ kind: 'resource', name: definition.uri, fault: this.#entryFault }],
        onChange: this.#signal.listen,
      },
    }
  }

  /** None: what is wrong is that of its only entry. */
  fault(): EntryFault | undefined {
    return undefined
  }

  onFault(): () => void {
    return () => undefined
  }

  async start(): Promise<void> {
    if (holds(path.resolve(this.#folder), this.#path)) await this.#watch.add([this.#path])
    await this.#look()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#watch.close()
  }

  /** Lists it if it is there now, after a look that goes on. */
  #look(): Promise<void> {
    return this.#looks.run(async () => {
      const before = this.#entryFault
      this.#entryFault = await this.#whyNotServed()
      if (this.#closed) return
      if (this.#entryFault !== undefined) {
        this.#listed?.remove()
        this.#listed = undefined
      } else if (this.#listed === undefined) this.#listed = this.#registry.addResource(this.#definition)
      else this.#registry.resourceUpdated(this.#definition.uri)
      if (this.#entryFault?.message !== before?.message) this.#signal.emit()
    })
  }

  async #whyNotServed(): Promise<EntryFault | undefined> {
    try {
      if ((await stat(await insideFolder(this.#folder, this.#given))).isFile()) return undefined
      return faultOf(new CompositionError('configuration', `${this.#path} is not a file`))
    } catch (error) {
      const missing = new CompositionError('configuration', `there is no file ${this.#path}`)
      return faultOf(isMissing(error) ? missing : error)
    }
  }
}

function definitionOf(data: FileData, folder: string): ResourceDefinition {
  const { path: given, name, title, description, annotations, mimeType = mediaTypeOf(given) } = data
  const plain = given.replaceAll('\\', '/')
  return {
    uri: data.uri ?? fileUri(baseUri(undefined, path.posix.dirname(plain)), path.posix.basename(plain)),
    name: name ?? path.posix.basename(plain),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    read: () => readInside(folder, given, { maximumBytes: data.maximumBytes, mimeType }),
  }
}
