import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Reaped } from '../../processes/reaper.ts'
import type { SetAside } from '../../workspace/document-file.ts'
import type { ChosenStore } from '../../profile/choose-secret-store.ts'
import type { Notice } from '../contract/app.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Things to tell the user once; each stays until it is dismissed. */
export class Notices {
  #notices: Notice[] = []
  readonly #onChange: () => void
  readonly #once = new Set<string>()

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

  /** Adds a notice unless one with its title was added before, dismissed or not. */
  addOnce(notice: Omit<Notice, 'id' | 'at'>): void {
    if (this.#once.has(notice.title)) return
    this.#once.add(notice.title)
    this.add(notice)
  }

  /** Returns false if it is not there (any more). */
  dismiss(id: string): boolean {
    const rest = this.#notices.filter((notice) => notice.id !== id)
    if (rest.length === this.#notices.length) return false
    this.#notices = rest
    this.#onChange()
    return true
  }

  /** Reports a file that could not be used, and where it is now. */
  addSetAside({ file, keptAs, reason, restored }: SetAside): void {
    const goesOn = restored
      ? 'Patchbay continues with an earlier save of it.'
      : 'Patchbay goes on as if it were new.'
    this.add({
      tone: 'warning',
      title: `${path.basename(file)} could not be used and was set aside`,
      detail: `${file}: ${reason}. Nothing was deleted: it is kept as ${keptAs}. ${goesOn}`,
    })
  }

  /** Returns the processes of killed runs that still existed and were ended. */
  addReaped(reaped: readonly Reaped[]): void {
    const count = reaped.reduce((sum, each) => sum + each.count, 0)
    if (count === 0) return
    const commands = [...new Set(reaped.flatMap((each) => each.commands))].join(', ')
    const what =
      count === 1
        ? 'A process that an earlier run had left was'
        : `${count} processes that an earlier run had left were`
    this.add({
      tone: 'info',
      title: `${what} ended`,
      detail: `Patchbay itself was killed while servers ran${commands === '' ? '' : ` (${commands})`}.`,
    })
  }

  /** Reports that running processes cannot be recorded. */
  addUnkeptProcesses(error: unknown): void {
    this.add({
      tone: 'warning',
      title: 'The processes that run cannot be written down',
      detail: `${messageOf(error)}. If Patchbay is killed, its next start cannot look for what was left.`,
    })
  }

  /** Reports that secrets are stored less securely than a user may expect. */
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
