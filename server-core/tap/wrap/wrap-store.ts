import { z } from 'zod'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'

const entrySchema = z.record(z.string(), z.unknown())

const wrapSchema = z.looseObject({
  client: z.string(),
  /** The client's file, absolute. */
  file: z.string(),
  name: z.string(),
  original: entrySchema,
  wrapped: entrySchema,
  replaced: z.object({ before: z.string(), after: z.string() }),
  /** When it was wrapped, in milliseconds since 1970. */
  at: z.number(),
})
/** An entry that starts a tap, and what it was before. */
export type Wrap = z.infer<typeof wrapSchema>

const documentSchema = z.looseObject({ wrapped: z.array(wrapSchema).default([]) })
type WrapDocument = z.infer<typeof documentSchema>

/** Which entry. */
export type WrapKey = Pick<Wrap, 'client' | 'file' | 'name'>

/** The wrapped entries of a profile. Entries may hold tokens: the file is the owner's alone. */
export class WrapStore {
  readonly #document: DocumentFile<WrapDocument>

  constructor(file: string, onSetAside: OnSetAside) {
    this.#document = new DocumentFile({
      file,
      version: 1,
      schema: documentSchema,
      empty: () => ({ wrapped: [] }),
      onSetAside,
      holdsSecrets: true,
    })
  }

  async list(): Promise<readonly Wrap[]> {
    return (await this.#document.read()).wrapped
  }

  async find(key: WrapKey): Promise<Wrap | undefined> {
    return (await this.list()).find((each) => isOf(each, key))
  }

  async add(wrap: Wrap): Promise<void> {
    await this.#document.update((current) => ({
      ...current,
      wrapped: [...current.wrapped.filter((each) => !isOf(each, wrap)), wrap],
    }))
  }

  async remove(key: WrapKey): Promise<void> {
    await this.#document.update((current) => ({
      ...current,
      wrapped: current.wrapped.filter((each) => !isOf(each, key)),
    }))
  }
}

function isOf(wrap: WrapKey, { client, file, name }: WrapKey): boolean {
  return wrap.client === client && wrap.file === file && wrap.name === name
}
