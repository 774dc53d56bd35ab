import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { SetAside } from '../../workspace/document-file.ts'
import type { ChosenStore } from '../choose-secret-store.ts'
import type { Notice } from '../contract/app.ts'

/** Things to tell the user once; each stays until it is dismissed. */
export class Notices {
  #notices: Notice[] = []
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  list(): Notice[] {
    return this.#notices
  }

  add(notice: Omit<Notice, 'id' | 'at'>): void {
    this.#notices = [...this.#notices, { ...notice, id: randomUUID(), at: Date.now() }]
    this.#onChange()
  }

  /** Gives false if it is not there (any more). */
  dismiss(id: string): boolean {
    const rest = this.#notices.filter((notice) => notice.id !== id)
    if (rest.length === this.#notices.length) return false
    this.#notices = rest
    this.#onChange()
    return true
  }

  /** Says that a file could not be used and where it is now. */
  addSetAside({ file, keptAs, reason, restored }: SetAside): void {
    const goesOn = restored
      ? 'Patchbay goes on with the save before it.'
      : 'Patchbay goes on as if it were new.'
    this.add({
      tone: 'warning',
      title: `${path.basename(file)} could not be used and was set aside`,
      detail: `${file}: ${reason}. Nothing was deleted: it is kept as ${keptAs}. ${goesOn}`,
    })
  }

  /** Says that secrets are not, or not now, as well kept as a user may expect. */
  addSecretStore({ kind, store }: ChosenStore): void {
    if (kind === 'sealed') return
    const title =
      kind === 'locked' ? 'The key chain cannot be used, so secrets are locked' : 'Secrets are not encrypted'
    const detail =
      kind === 'locked'
        ? `Secrets are kept ${store.description}.`
        : `This system offers no key chain. Secrets are kept ${store.description}.`
    this.add({ tone: 'warning', title, detail })
  }
}
