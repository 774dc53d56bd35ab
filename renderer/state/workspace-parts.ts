import type { WindowPart, WindowParts } from '../../server-core/host/contract/window-state.ts'

type Save = (parts: WindowParts) => Promise<void>

/**
 * What the host stores of the window for its workspace: for a window that is opened, also after Patchbay was started
 * again. What this window had before its page was loaded again is in its own storage, which is newer.
 */
export class WorkspaceParts {
  #loaded: WindowParts = {}
  #newest: WindowParts = {}
  #save: Save | undefined
  /** A part that was loaded cannot be read: the stored state is to be kept aside before it is replaced. */
  #isDamaged = false

  /** What the host stored; empty for a page that was loaded again. */
  load(parts: WindowParts): void {
    this.#loaded = parts
  }

  /** The text of a part that an earlier window stored. */
  text(part: WindowPart): string | undefined {
    return this.#loaded[part]
  }

  /** Notes that a part that was loaded cannot be read. */
  reportDamaged(): void {
    this.#isDamaged = true
  }

  get isDamaged(): boolean {
    return this.#isDamaged
  }

  /** Stores parts from now on, those that came before too. `save` reports its failures by itself. */
  connect(save: Save): void {
    this.#save = save
    this.saveAll()
  }

  /** Stores all parts of this window again: those that were sent while it had no connection are lost. */
  saveAll(): void {
    if (Object.keys(this.#newest).length > 0) void this.#save?.(this.#newest)
  }

  /** Stores a part. */
  put(part: WindowPart, text: string): void {
    if (this.#newest[part] === text) return
    this.#newest = { ...this.#newest, [part]: text }
    void this.#save?.({ [part]: text })
  }
}

/** Those of this page. */
export const workspaceParts = new WorkspaceParts()
