import type { UpstreamSession, SessionEnd } from '../registry/upstream.ts'
import type { RegistryView } from '../registry/entries.ts'

/** Sessions with clients, each open at every view that wants to know of them, whichever came first. */
export class UpstreamSessions {
  readonly #views = new Set<RegistryView>()
  readonly #sessions = new Map<SessionEnd, Map<RegistryView, UpstreamSession>>()

  add(view: RegistryView): void {
    if (view.upstream === undefined) return
    this.#views.add(view)
    for (const [end, parts] of this.#sessions) parts.set(view, view.upstream.session(end))
  }

  remove(view: RegistryView): void {
    this.#views.delete(view)
    for (const parts of this.#sessions.values()) {
      parts.get(view)?.ended()
      parts.delete(view)
    }
  }

  open(end: SessionEnd): UpstreamSession {
    const parts = new Map<RegistryView, UpstreamSession>()
    for (const view of this.#views)
      if (view.upstream !== undefined) parts.set(view, view.upstream.session(end))
    this.#sessions.set(end, parts)
    return {
      onMessage: (method, params) => {
        for (const part of parts.values()) part.onMessage(method, params)
      },
      ended: () => {
        this.#sessions.delete(end)
        for (const part of parts.values()) part.ended()
      },
    }
  }
}
