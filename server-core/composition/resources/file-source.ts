import path from 'node:path'
import { Registry } from '../../registry/registry.ts'
import { withBehind } from '../../registry/with-behind.ts'
import type { FileData } from '../config-data.ts'
import type { OpenedSource } from '../opened-source.ts'
import { PathWatch } from '../path-watch.ts'
import { baseUri, fileUri } from './file-uri.ts'
import { mediaTypeOf } from './media-type.ts'
import { readInside } from './read-file.ts'
import { watchedBehind, WhileWanted } from './watched.ts'

export type ResourceParts = {
  readonly id: string
  /** The workspace: paths are in it, and lead nowhere else. */
  readonly folder: string
  readonly file?: string | undefined
}

/** A file as a resource. It is read when it is asked for, and watched while anybody is subscribed. */
export function openFile(data: FileData, { id, folder, file }: ResourceParts): OpenedSource {
  const { path: given, name, title, description, annotations, mimeType = mediaTypeOf(given) } = data
  const plain = given.replaceAll('\\', '/')
  const uri = data.uri ?? fileUri(baseUri(undefined, path.posix.dirname(plain)), path.posix.basename(plain))
  const registry = new Registry()
  registry.addResource({
    uri,
    name: name ?? path.posix.basename(plain),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    read: () => readInside(folder, given, { maximumBytes: data.maximumBytes, mimeType }),
  })
  const watching = new WhileWanted(async () => {
    const watch = new PathWatch(() => registry.resourceUpdated(uri))
    await watch.add([path.resolve(folder, given)])
    return () => void watch.close()
  })
  return {
    source: {
      id,
      origin: { kind: 'file', label: given, ...(file !== undefined && { file }) },
      view: withBehind(
        registry,
        watchedBehind((asked) => (asked === uri ? watching.want() : Promise.resolve(() => undefined))),
      ),
    },
    fault: () => undefined,
    onFault: () => () => undefined,
    close: () => watching.close(),
  }
}
