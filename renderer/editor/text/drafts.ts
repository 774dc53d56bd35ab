import type { Draft } from '../../../server-core/host/contract/editor.ts'

/** Milliseconds after the last letter, and the longest that one waits. */
const QUIET_MS = 400
const LONGEST_MS = 2_000

/** What keeping drafts needs of the host. */
export type DraftHost = {
  drafts(): Promise<Draft[]>
  keepDraft(draft: Draft & { folder?: string }): Promise<unknown>
  dropDraft(input: { file: string; folder?: string }): Promise<unknown>
}

/** What is unsaved of a document just now; undefined once nothing is. */
export type Unsaved = () => Omit<Draft, 'file' | 'at'> | undefined

type Waiting = { readonly unsaved: Unsaved; timer: ReturnType<typeof setTimeout>; readonly since: number }

/**
 * Keeps what is typed and not saved: at the host a moment after it was typed, and with this window what the host does
 * not have yet when the page goes. So nothing that was typed is lost by loading the page again or by a crash.
 */
export class Drafts {
  readonly #host: DraftHost
  readonly #storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  readonly #waiting = new Map<string, Waiting>()
  /** The folder of the workspace that is open, once something of it was read. */
  #folder: string | undefined
  /** What an earlier page left with this window, until the host has it or it is of no use any more. */
  #left: Map<string, Draft> | undefined
  /** Writes on their way to the host, by file. */
  readonly #writing = new Map<string, Promise<unknown>>()
  /** What is being forgotten. */
  readonly #dropping = new Set<Promise<void>>()

  constructor(host: DraftHost, storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
    this.#host = host
    this.#storage = storage
  }

  /**
   * All that was kept, by this window or another one; of one file the newest.
   *
   * @param folder of the workspace that is open: what this window keeps belongs to it from now on
   */
  async all(folder: string): Promise<Map<string, Draft>> {
    this.#folder = folder
    const left = this.#leftOver()
    // What was given up a moment ago must not come back.
    await Promise.allSettled(this.#dropping)
    const kept = await this.#host.drafts()
    const all = new Map(kept.map((draft) => [draft.file, draft]))
    for (const draft of [...left.values()]) {
      const other = all.get(draft.file)
      if (other !== undefined && other.at > draft.at) {
        this.#settled(draft.file)
        continue
      }
      all.set(draft.file, draft)
      // Without the host it stays where it is.
      await this.#host.keepDraft({ ...draft, folder }).then(
        () => this.#settled(draft.file),
        () => undefined,
      )
    }
    return all
  }

  /** Something was typed or saved: what `unsaved` gives a moment later is kept, or forgotten if it gives nothing. */
  changed(file: string, unsaved: Unsaved): void {
    const before = this.#waiting.get(file)
    clearTimeout(before?.timer)
    const since = before?.since ?? Date.now()
    const wait = Math.min(QUIET_MS, Math.max(0, since + LONGEST_MS - Date.now()))
    this.#waiting.set(file, {
      unsaved,
      since,
      timer: setTimeout(() => void this.#write(file, unsaved), wait),
    })
  }

  /** Forgets the draft of a file. */
  async drop(file: string): Promise<void> {
    const dropping = this.#drop(file)
    this.#dropping.add(dropping)
    await dropping.finally(() => this.#dropping.delete(dropping))
  }

  async #drop(file: string): Promise<void> {
    clearTimeout(this.#waiting.get(file)?.timer)
    this.#waiting.delete(file)
    await this.#writing.get(file)
    this.#settled(file)
    await this.#host.dropDraft({ file, ...this.#workspace() })
  }

  /** Keeps what waits at once, as before another workspace is opened, to which it would not belong. */
  async flush(): Promise<void> {
    const waiting = [...this.#waiting]
    for (const [, { timer }] of waiting) clearTimeout(timer)
    await Promise.all(waiting.map(([file, { unsaved }]) => this.#write(file, unsaved)))
  }

  /** Another workspace is open: what waits is left with this window until the one before is opened again. */
  forget(): void {
    this.leave()
    for (const { timer } of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
    this.#left = undefined
    this.#folder = undefined
  }

  /** The page goes: what the host may not have is left with this window. False if there is no room for it. */
  leave(): boolean {
    const left = new Map(this.#leftOver())
    for (const [file, { unsaved }] of this.#waiting) {
      const now = unsaved()
      if (now === undefined) left.delete(file)
      else left.set(file, { file, ...now, at: Date.now() })
    }
    return this.#leave(left)
  }

  async #write(file: string, unsaved: Unsaved): Promise<void> {
    await this.#writing.get(file)
    const now = unsaved()
    const waiting = this.#waiting.get(file)
    const write =
      now === undefined
        ? this.#host.dropDraft({ file, ...this.#workspace() })
        : this.#host.keepDraft({ file, ...now, at: Date.now(), ...this.#workspace() })
    const done = write.then(
      () => {
        // What was typed meanwhile waits for its own turn.
        if (this.#waiting.get(file) === waiting) this.#waiting.delete(file)
        this.#settled(file)
      },
      // Without the host it stays in this page, and is left with the window when the page goes.
      () => undefined,
    )
    this.#writing.set(file, done)
    await done
    if (this.#writing.get(file) === done) this.#writing.delete(file)
  }

  /** Another window may have opened another workspace, which this one learns a moment later. */
  #workspace(): { folder?: string } {
    return this.#folder === undefined ? {} : { folder: this.#folder }
  }

  /** The host has it, or it is of no use any more. */
  #settled(file: string): void {
    const left = this.#leftOver()
    if (left.delete(file)) this.#leave(left)
  }

  #leave(left: ReadonlyMap<string, Draft>): boolean {
    if (this.#folder === undefined) return left.size === 0
    try {
      const key = keyOf(this.#folder)
      if (left.size === 0) this.#storage.removeItem(key)
      else this.#storage.setItem(key, JSON.stringify([...left.values()]))
      return true
    } catch {
      return false
    }
  }

  #leftOver(): Map<string, Draft> {
    if (this.#folder === undefined) return new Map()
    const kept = this.#storage.getItem(keyOf(this.#folder))
    this.#left ??= new Map(readLeft(kept).map((draft) => [draft.file, draft]))
    return this.#left
  }
}

/** Files of the same path are in many workspaces. */
function keyOf(folder: string): string {
  return `patchbay.editor.drafts ${folder}`
}

function readLeft(text: string | null): Draft[] {
  try {
    const left: unknown = text === null ? [] : JSON.parse(text)
    return Array.isArray(left) ? left.filter(isDraft) : []
  } catch {
    return []
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const { file, text, version, at } = value as Record<string, unknown>
  return (
    typeof file === 'string' &&
    typeof text === 'string' &&
    (version === null || typeof version === 'string') &&
    typeof at === 'number'
  )
}
