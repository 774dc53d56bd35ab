import { SerialQueue } from '../../protocol/serial-queue.ts'
import { Emitter } from '../../protocol/emitter.ts'
import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { Handle } from '../../registry/definitions.ts'
import { Registry } from '../../registry/registry.ts'
import type { ResourceDefinition } from '../../registry/resource-definitions.ts'
import { CompositionError } from '../composition-error.ts'
import type { DirectoryData } from '../config-data.ts'
import { holds, insideFolder, isMissing } from '../inside-folder.ts'
import { faultOf, type OpenedSource } from '../opened-source.ts'
import { PathWatch } from '../path-watch.ts'
import type { EntryFault } from '../source.ts'
import type { ResourceParts } from './file-source.ts'
import { baseUri, fileUri } from './file-uri.ts'
import { mediaTypeOf } from './media-type.ts'
import { readInside } from './read-file.ts'

/** Milliseconds in which files that come and go are one change. */
const GATHER_MS = 20

/**
 * The files of a folder as resources: those that fit are listed as they come and go, and told when they change. Resolves
 * when all that are there are listed. A folder that is not there, or leads out of the workspace, is the source's fault;
 * one that is not there is waited for.
 */
export async function openDirectory(data: DirectoryData, parts: ResourceParts): Promise<OpenedSource> {
  const opened = new DirectorySource(data, parts, await chooser(data))
  await opened.start()
  return opened
}

/** Returns whether a file is one of those, by its path in the folder with forward slashes. */
type Chosen = (file: string) => boolean

async function chooser({ pattern, exclude = [], recursive, hidden = false }: DirectoryData): Promise<Chosen> {
  const { default: picomatch } = await import('picomatch')
  const options = { dot: hidden }
  const fits = pattern === undefined ? () => true : picomatch(pattern, options)
  const isOut = picomatch(exclude, { dot: true })
  return (file) => {
    if (!hidden && file.split('/').some((name) => name.startsWith('.'))) return false
    if (recursive === false && file.includes('/')) return false
    return fits(file) && !isOut(file)
  }
}

class DirectorySource implements OpenedSource {
  readonly source: OpenedSource['source']
  readonly onFault: OpenedSource['onFault']
  readonly #data: DirectoryData
  #root: string
  readonly #workspace: string
  readonly #base: string
  readonly #chosen: Chosen
  readonly #registry = new Registry()
  readonly #files = new Map<string, Handle<ResourceDefinition>>()
  readonly #waiting = new Set<string>()
  readonly #watch: PathWatch
  readonly #signal = new Emitter()
  #timer: NodeJS.Timeout | undefined
  readonly #looks = new SerialQueue()
  /** Why nothing of the folder can be listed. */
  #folderFault: EntryFault | undefined
  /** Why not all of it is listed. */
  #tooMany: EntryFault | undefined
  #isStarted = false
  #closed = false

  constructor(data: DirectoryData, { id, folder, file }: ResourceParts, chosen: Chosen) {
    this.#data = data
    this.#workspace = folder
    this.#root = path.resolve(folder, data.folder)
    this.#base = baseUri(data.uri, data.folder)
    this.#chosen = chosen
    this.onFault = this.#signal.listen
    this.#watch = new PathWatch((changed) => this.#heard(changed), {
      initial: true,
      ignored: (seen, stats) => this.#isIgnored(seen, stats),
    })
    this.source = {
      id,
      origin: { kind: 'directory', label: data.folder, ...(file !== undefined && { file }) },
      view: this.#registry,
      trouble: { onChange: this.#signal.listen },
    }
    this.#addTemplate()
    if (data.listing === true) this.#addListing()
  }

  fault(): EntryFault | undefined {
    return this.#folderFault ?? this.#tooMany
  }

  async start(): Promise<void> {
    await this.#follow()
    this.#isStarted = true
    await this.#look()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#watch.close()
  }

  /** Watches the folder, or the place where it will be. */
  async #follow(): Promise<void> {
    try {
      const root = await insideFolder(this.#workspace, this.#data.folder)
      this.#folderFault = (await stat(root)).isDirectory() ? undefined : noFolder(root)
      // Changes behind a link are not reported.
      this.#root = root
    } catch (error) {
      this.#folderFault = isMissing(error) ? noFolder(this.#root) : faultOf(error)
      // What is outside of the workspace is not watched either.
      if (!isMissing(error)) return
    }
    await this.#watch.add([this.#root])
  }

  #addTemplate(): void {
    const { name, title, description, annotations } = this.#data
    this.#registry.addResourceTemplate({
      uriTemplate: `${this.#base}{+path}`,
      name: name ?? path.basename(this.#root),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(annotations !== undefined && { annotations }),
      complete: {
        path: (typed) =>
          [...this.#files.keys()]
            .filter((file) => file.toLowerCase().startsWith(typed.toLowerCase()))
            .toSorted(),
      },
      read: ({ path: file }) => (this.#chosen(normal(file)) ? this.#read(normal(file)) : undefined),
    })
  }

  /** The files that are listed, as one JSON document. */
  #addListing(): void {
    const { name, folder } = this.#data
    this.#registry.addResource({
      uri: this.#base,
      name: name ?? path.basename(this.#root),
      description: `The files of ${folder}, as JSON: path, href (relative to this URI), mimeType, size in bytes, and modified.`,
      mimeType: 'application/json',
      read: async () => {
        if (this.#folderFault !== undefined) return undefined
        const names = [...this.#files.keys()].toSorted()
        const files = await Promise.all(names.map((file) => this.#facts(file)))
        const listed = files.filter((each) => each !== undefined)
        return JSON.stringify(
          { folder, files: listed, isComplete: this.#tooMany === undefined },
          undefined,
          2,
        )
      },
    })
  }

  /** Undefined for a file that has gone since it was listed. */
  async #facts(file: string) {
    const stats = await stat(path.join(this.#root, file)).catch(() => undefined)
    if (stats === undefined) return undefined
    const mimeType = this.#data.mimeType ?? mediaTypeOf(file)
    return {
      path: file,
      // Relative: the prefix of the URIs of a workspace is not known here.
      href: fileUri('', file),
      ...(mimeType !== undefined && { mimeType }),
      size: stats.size,
      modified: stats.mtime.toISOString(),
    }
  }

  #read(file: string) {
    const { maximumBytes, mimeType } = this.#data
    return readInside(this.#root, file, { maximumBytes, mimeType })
  }

  #relative(file: string): string {
    return path.relative(this.#root, file).split(path.sep).join('/')
  }

  #isIgnored(seen: string, stats: Stats | undefined): boolean {
    const file = this.#relative(seen)
    // While the folder is not there, what is above it is watched.
    if (file === '' || !holds(this.#root, seen)) return false
    if (this.#data.hidden !== true && file.split('/').some((name) => name.startsWith('.'))) return true
    if (stats?.isDirectory() === true) return this.#data.recursive === false
    return stats?.isFile() === true && !this.#chosen(file)
  }

  #heard(changed: string): void {
    const file = this.#relative(changed)
    if (this.#closed || !holds(this.#root, changed) || (file !== '' && !this.#chosen(file))) return
    this.#waiting.add(file)
    if (this.#isStarted) this.#timer ??= setTimeout(() => void this.#look(), GATHER_MS)
  }

  /** Lists what is there now of what was heard of, after a look that goes on. */
  #look(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#looks.run(() => this.#readChanges())
  }

  async #readChanges(): Promise<void> {
    // The folder itself came or went.
    if (this.#waiting.delete('')) await this.#follow()
    const heard = [...this.#waiting].toSorted()
    this.#waiting.clear()
    const looked = await Promise.all(
      heard.map(async (file) => ({ file, isThere: await this.#isServable(file) })),
    )
    if (this.#closed) return
    this.#registry.batch(() => {
      for (const { file, isThere } of looked) this.#list(file, isThere)
    })
    for (const { file } of looked) this.#registry.resourceUpdated(fileUri(this.#base, file))
    if (this.#data.listing === true && looked.length > 0) this.#registry.resourceUpdated(this.#base)
    this.#signal.emit()
  }

  #list(file: string, isThere: boolean): void {
    const { maximumFiles = DEFAULT_LIMITS.directoryFiles, annotations } = this.#data
    const known = this.#files.get(file)
    if (!isThere) {
      known?.remove()
      this.#files.delete(file)
      if (this.#files.size < maximumFiles) this.#tooMany = undefined
    } else if (known === undefined && this.#files.size < maximumFiles) {
      const mimeType = this.#data.mimeType ?? mediaTypeOf(file)
      const handle = this.#registry.addResource({
        uri: fileUri(this.#base, file),
        name: file,
        ...(mimeType !== undefined && { mimeType }),
        ...(annotations !== undefined && { annotations }),
        read: () => this.#read(file),
      })
      this.#files.set(file, handle)
    } else if (known === undefined) {
      const message = `${this.#data.folder} has more than the ${maximumFiles} files that are listed; narrow its pattern, or raise maximumFiles. The others can be read by their URIs`
      this.#tooMany = { code: 'too-many', message }
    }
  }

  /** A link is served if it leads to a file in the folder. */
  async #isServable(file: string): Promise<boolean> {
    try {
      return (await stat(await insideFolder(this.#root, file))).isFile()
    } catch {
      return false
    }
  }
}

function noFolder(place: string): EntryFault {
  return faultOf(new CompositionError('configuration', `there is no folder ${place}`))
}

/** A path as it would be listed: one that goes up and down again is invalid. */
function normal(file: string): string {
  return path.posix.normalize(file)
}
