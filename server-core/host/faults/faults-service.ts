import { FaultControl } from '../../faults/fault-control.ts'
import { faultSettingsSchema, type FaultSettings } from '../../faults/fault-settings.ts'
import { canBeMade, FAULT_TABLE } from '../../faults/fault-table.ts'
import type { DocumentFile } from '../../workspace/document-file.ts'
import type { WorkspaceDocument } from '../../workspace/server-entries.ts'
import type { FaultsState } from '../contract/faults.ts'
import { HostError } from '../host-error.ts'

export type FaultsServiceOptions = {
  /** `patchbay.json` of the workspace; undefined while nothing of it may take effect. */
  readonly document: () => Pick<DocumentFile<WorkspaceDocument>, 'peek' | 'update'> | undefined
  readonly changed: () => void
}

/** Milliseconds in which counts are published together. */
const NOTIFY_MS = 100
/**
 * Milliseconds in which our own writes, or the content before them, may be read again from the disk, maybe after
 * something newer.
 */
const OWN_MS = 10_000

const NO_FAULTS = JSON.stringify({})

/** The faults of the embedded server: stored in its workspace, in force at once. */
export class FaultsService {
  /** What the listeners of the server look at. */
  readonly control: FaultControl
  readonly #options: FaultsServiceOptions
  #settings = faultSettingsSchema.parse({})
  #telling: NodeJS.Timeout | undefined
  #seen: unknown
  /** What the document says of faults, as it was looked at or written last. */
  #stored = NO_FAULTS
  #written: { readonly text: string; readonly at: number }[] = []

  constructor(options: FaultsServiceOptions) {
    this.#options = options
    this.control = new FaultControl(() => {
      if (this.#telling !== undefined) return
      this.#telling = setTimeout(() => {
        this.#telling = undefined
        options.changed()
      }, NOTIFY_MS).unref()
    })
  }

  /** Puts in force what the workspace says now that it is another one; what it says wrong makes no faults. */
  async load(): Promise<void> {
    this.#written = []
    const document = await this.#options
      .document()
      ?.peek()
      .catch(() => undefined)
    this.#take(document)
  }

  /** To be called when the workspace's document may say something else. */
  refresh(document: WorkspaceDocument | undefined): void {
    if (document === undefined || document === this.#seen) return
    this.#seen = document
    const text = storedText(document)
    this.#written = this.#written.filter(({ at }) => Date.now() - at < OWN_MS)
    if (!this.#written.some((own) => own.text === text)) this.#take(document)
  }

  state(): FaultsState {
    return {
      settings: this.#settings,
      active: this.control.active,
      counts: this.control.counts(),
      recent: this.control
        .recent()
        .map(({ tool, ...fault }) => ({ ...fault, ...(tool !== undefined && { tool }) })),
    }
  }

  /**
   * Throws a `HostError`: `INVALID_ENTRY` for rules that share an id, or that cannot be made where they say,
   * `NOT_TRUSTED` while nothing of the workspace may take effect.
   */
  async save(settings: FaultSettings): Promise<FaultsState> {
    const ids = new Set<string>()
    for (const { id, kind, where } of settings.rules) {
      if (ids.has(id)) throw new HostError('INVALID_ENTRY', `Two rules have the id "${id}".`)
      ids.add(id)
      if (canBeMade(kind, where.transport)) continue
      const { transports } = FAULT_TABLE[kind]
      const message = `${kind} cannot be made over ${String(where.transport)}; it can over ${transports.join(', ')}.`
      throw new HostError('INVALID_ENTRY', message)
    }
    const file = this.#options.document()
    if (file === undefined) {
      throw new HostError('NOT_TRUSTED', 'Nothing of this workspace is served yet: trust it first.')
    }
    // In force first: whoever switches faults off means it, whatever becomes of the file.
    this.#force(settings)
    const kept = settings.rules.length === 0 ? undefined : settings
    const text = JSON.stringify(kept ?? {})
    const at = Date.now()
    this.#written.push({ text: this.#stored, at }, { text, at })
    this.#stored = text
    await file.update((document) => {
      const { faults: _, ...rest } = document
      return kept === undefined ? rest : { ...rest, faults: kept }
    })
    return this.state()
  }

  #take(document: WorkspaceDocument | undefined): void {
    this.#stored = storedText(document)
    const read = faultSettingsSchema.safeParse(document?.['faults'] ?? {})
    if (read.success && JSON.stringify(read.data) !== JSON.stringify(this.#settings)) this.#force(read.data)
  }

  #force(settings: FaultSettings): void {
    this.#settings = settings
    this.control.apply(settings)
    this.#options.changed()
  }
}

function storedText(document: WorkspaceDocument | undefined): string {
  return JSON.stringify(document?.['faults'] ?? {})
}
