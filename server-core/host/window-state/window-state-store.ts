import { randomBytes } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { Masks } from '../../capture/recording/frame-lines.ts'
import { SerialQueue } from '../../protocol/serial-queue.ts'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'
import type { WindowParts } from '../contract/window-state.ts'
import { windowPartsSchema } from '../contract/window-state.ts'
import { maskedPart } from './mask-stored.ts'

const documentSchema = z.looseObject({
  /** The folder whose servers it is about, for whoever reads the file. */
  workspace: z.string().default(''),
  parts: windowPartsSchema.default({}),
})

export type WindowStateOptions = {
  readonly file: string
  readonly workspace: string
  /** What may not reach the file. */
  readonly masks: () => Masks
  readonly onSetAside: Exclude<OnSetAside, 'leave'>
}

/** What the window shows of a workspace, on the disk. The newest save of a part counts, from whichever window it is. */
export class WindowStateStore {
  readonly #options: WindowStateOptions
  readonly #document: DocumentFile<z.infer<typeof documentSchema>>
  readonly #writes = new SerialQueue()
  #waiting: WindowParts = {}

  constructor(options: WindowStateOptions) {
    this.#options = options
    const { file, workspace, onSetAside } = options
    this.#document = new DocumentFile({
      file,
      version: 1,
      schema: documentSchema,
      empty: () => ({ workspace, parts: {} }),
      onSetAside,
      // What is removed from the window is in no copy.
      holdsSecrets: true,
    })
  }

  /** The parts as they were saved last. Rejects with a `StorageError`. */
  async load(): Promise<WindowParts> {
    await this.#writes.idle()
    return (await this.#document.read()).parts
  }

  /** Replaces parts; saves that come while one is written are written together. Rejects with a `StorageError`. */
  save(parts: WindowParts): Promise<void> {
    this.#waiting = { ...this.#waiting, ...parts }
    return this.#writes.run(async () => {
      const waiting = Object.entries(this.#waiting)
      if (waiting.length === 0) return
      this.#waiting = {}
      const masks = this.#options.masks()
      const masked = Object.fromEntries(waiting.map(([name, text]) => [name, maskedPart(text, masks)]))
      await this.#document.update((current) => ({
        ...current,
        workspace: this.#options.workspace,
        parts: { ...current.parts, ...masked },
      }))
    })
  }

  /** Keeps a copy of the file with a part that the page cannot read, and returns its place. */
  setAside(): Promise<string> {
    return this.#writes.run(async () => {
      const { file } = this.#options
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const place = path.join(
        path.dirname(file),
        `${path.basename(file)}.set-aside-${stamp}-${randomBytes(3).toString('hex')}`,
      )
      await copyFile(file, place)
      return place
    })
  }

  close(): Promise<void> {
    return this.#writes.idle()
  }
}
