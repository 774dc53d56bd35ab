import { FaultControl } from '../../faults/fault-control.ts'
import { faultSettingsSchema, type FaultSettings } from '../../faults/fault-settings.ts'
import { canBeMade, FAULT_TABLE } from '../../faults/fault-table.ts'
import type { DocumentFile } from '../../workspace/document-file.ts'
import type { WorkspaceDocument } from '../../workspace/server-entries.ts'
import type { FaultsState } from '../contract/faults.ts'
import { HostError } from '../host-error.ts'

export type FaultRoomOptions = {
  /** `patchbay.json` of the workspace. */
  readonly document: () => Pick<DocumentFile<WorkspaceDocument>, 'peek' | 'update'>
  readonly changed: () => void
}

/** Milliseconds in which counts are told together. */
const TELL_MS = 100

/** The faults of the embedded server: stored in its workspace, in force at once. */
export class FaultRoom {
  /** What the listeners of the server look at. */
  readonly control: FaultControl
  readonly #options: FaultRoomOptions
  #settings = faultSettingsSchema.parse({})
  #telling: NodeJS.Timeout | undefined

  constructor(options: FaultRoomOptions) {
    this.#options = options
    this.control = new FaultControl(() => {
      this.#telling ??= setTimeout(() => {
        this.#telling = undefined
        options.changed()
      }, TELL_MS).unref()
    })
  }

  /** Puts in force what the workspace says; what it says wrong makes no faults. */
  async load(): Promise<void> {
    const document = await this.#options
      .document()
      .peek()
      .catch(() => undefined)
    const read = faultSettingsSchema.safeParse(document?.['faults'] ?? {})
    if (!read.success || same(read.data, this.#settings)) return
    this.#force(read.data)
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

  /** Throws a `HostError` (`INVALID_ENTRY`) for rules that share an id, or that cannot be made where they say. */
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
    // In force first: whoever switches faults off means it, whatever becomes of the file.
    this.#force(settings)
    await this.#options.document().update((document) => {
      const { faults: _, ...rest } = document
      return settings.rules.length === 0 ? rest : { ...rest, faults: settings }
    })
    return this.state()
  }

  /** Switches every rule off, and keeps them all. */
  allOff(): Promise<FaultsState> {
    const rules = this.#settings.rules.map((rule) => ({ ...rule, enabled: false }))
    return this.save({ ...this.#settings, rules })
  }

  #force(settings: FaultSettings): void {
    this.#settings = settings
    this.control.apply(settings)
    this.#options.changed()
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
