import type { SessionBehind, SessionEnd } from '../registry/behind.ts'
import type { RegistryView } from '../registry/entries.ts'

/** Sessions with clients, each open at every view that wants to know of them, whichever came first. */
export class SessionsBehind {
  readonly #views = new Set<RegistryView>()
  readonly #sessions = new Map<SessionEnd, Map<RegistryView, SessionBehind>>()

  add(view: RegistryView): void {
    if (view.behind === undefined) return
    this.#views.add(view)
    for (const [end, parts] of this.#sessions) parts.set(view, view.behind.session(end))
  }

  remove(view: RegistryView): void {
    this.#views.delete(view)
    for (const parts of this.#sessions.values()) {
      parts.get(view)?.ended()
      parts.delete(view)
    }
  }

  open(end: SessionEnd): SessionBehind {
    const parts = new Map<RegistryView, SessionBehind>()
    for (const view of this.#views) if (view.behind !== undefined) parts.set(view, view.behind.session(end))
    this.#sessions.set(end, parts)
    return {
      heard: (method, params) => {
        for (const part of parts.values()) part.heard(method, params)
      },
      ended: () => {
        this.#sessions.delete(end)
        for (const part of parts.values()) part.ended()
      },
    }
  }
}
