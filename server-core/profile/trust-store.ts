import { realpath } from 'node:fs/promises'
import { z } from 'zod'
import { DocumentFile, type OnSetAside } from '../workspace/document-file.ts'

const trustDocumentSchema = z.looseObject({
  /** By the folder as it really is, symbolic links followed; `at` is Unix time in milliseconds. */
  folders: z.record(z.string(), z.object({ at: z.number() })).default({}),
})
type TrustDocument = z.infer<typeof trustDocumentSchema>

/** The folders whose code the user lets run. Kept in the profile, so that no folder can say it of itself. */
export class TrustStore {
  readonly #document: DocumentFile<TrustDocument>

  constructor(file: string, onSetAside: OnSetAside) {
    this.#document = new DocumentFile({
      file,
      version: 1,
      schema: trustDocumentSchema,
      empty: () => ({ folders: {} }),
      onSetAside,
    })
  }

  /** Whether the user trusts a folder that is there. Rejects with a `StorageError`, or the system's error. */
  async isTrusted(folder: string): Promise<boolean> {
    const place = await realpath(folder)
    return Object.hasOwn((await this.#document.read()).folders, place)
  }

  /** Remembers that the user trusts a folder that is there. Rejects with a `StorageError`, or the system's error. */
  async trust(folder: string): Promise<void> {
    const place = await realpath(folder)
    await this.#document.update(({ folders, ...rest }) => ({
      ...rest,
      folders: { ...folders, [place]: { at: Date.now() } },
    }))
  }
}
