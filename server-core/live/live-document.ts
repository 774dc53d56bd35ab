import { SerialQueue } from '../protocol/serial-queue.ts'
import type { Amendment } from '../sources/compose.ts'
import type { DocumentFile } from '../workspace/document-file.ts'
import type { WorkspaceDocument } from '../workspace/server-entries.ts'
import type { LiveFault } from './live-state.ts'
import { NO_DATA, readWorkspaceData, type WorkspaceData } from './workspace-data.ts'
import { messageOf } from '../protocol/error-message.ts'

/** The file's name, and the code of its faults. */
export const DOCUMENT = 'patchbay.json'

export type LiveDocumentParts = {
  readonly file: DocumentFile<WorkspaceDocument>
  /** Serves what the file says of entries now. */
  readonly onData: (data: WorkspaceData, before: WorkspaceData) => void
  /** Called with all present faults of the file. */
  readonly onFaults: (faults: readonly LiveFault[]) => void
  /** The file says something else. */
  readonly onChange: () => void
}

/** The `patchbay.json` of a workspace, as it was read or written last. */
export class LiveDocument {
  readonly #parts: LiveDocumentParts
  #data = NO_DATA
  #document: WorkspaceDocument = { servers: [] }
  readonly #reads = new SerialQueue()

  constructor(parts: LiveDocumentParts) {
    this.#parts = parts
  }

  /** Another object when the file says something else. */
  get document(): WorkspaceDocument {
    return this.#document
  }

  get data(): WorkspaceData {
    return this.#data
  }

  /** Applies the present content of the file. Unreadable content is a fault, and the earlier content stays in force. */
  read(): Promise<void> {
    // One after another: what was read first must not be taken last.
    return this.#reads.run(() => this.#readNow())
  }

  async #readNow(): Promise<void> {
    try {
      // Somebody may be in the middle of writing it: what cannot be read now is left where it is.
      this.#take(await this.#parts.file.peek())
    } catch (error) {
      const message = messageOf(error)
      this.#parts.onFaults([{ code: DOCUMENT, message }])
    }
  }

  /** Changes the file, and takes what it says then. Rejects with a `StorageError`. */
  async update(change: (document: WorkspaceDocument) => WorkspaceDocument): Promise<void> {
    this.#take(await this.#parts.file.update(change))
  }

  /** Changes what clients see of an entry; undefined puts it back as its source has it. Rejects with a `StorageError`. */
  async amend(key: string, amendment: Amendment | undefined): Promise<void> {
    await this.update((document) => {
      const { amendments: before, ...rest } = document
      const { [key]: _, ...others } = (before ?? {}) as Readonly<Record<string, unknown>>
      const amendments = amendment === undefined ? others : { ...others, [key]: amendment }
      return Object.keys(amendments).length === 0 ? rest : { ...rest, amendments }
    })
  }

  #take(document: WorkspaceDocument): void {
    const { onData, onFaults, onChange } = this.#parts
    const before = this.#data
    const { data, faults } = readWorkspaceData(document, before)
    this.#data = data
    if (!sameData(this.#document, document)) {
      this.#document = document
      onChange()
    }
    onFaults(faults)
    onData(data, before)
  }
}

/** Whether two pieces of data say the same. */
export function sameData(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
