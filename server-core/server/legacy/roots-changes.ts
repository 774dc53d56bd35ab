/**
 * What the client of a session says of changes of its roots (specification of the handshake revisions: Roots), for
 * handlers that wait for one. Deprecated with roots in 2026-07-28.
 */
export class RootsChanges {
  #count = 0
  #waiting: Set<() => void> | undefined

  /** How many there were. */
  get count(): number {
    return this.#count
  }

  /** `notifications/roots/list_changed` came. */
  changed(): void {
    this.#count += 1
    const waiting = this.#waiting
    this.#waiting = undefined
    for (const resolve of waiting ?? []) resolve()
  }

  /** Resolves as soon as there were more than `seen`; rejects with the signal's reason when it is aborted. */
  async after(seen: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#count > seen) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = (this.#waiting ??= new Set())
    waiting.add(resolve)
    signal.addEventListener(
      'abort',
      () => {
        resolve()
      },
      { once: true },
    )
    await promise
    waiting.delete(resolve)
    signal.throwIfAborted()
  }
}
