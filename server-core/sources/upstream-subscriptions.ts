import type { RegistryView } from '../registry/entries.ts'

/** Where a URI leads just now. */
export type Target = { readonly view: RegistryView; readonly uri: string }

type Binding = {
  users: number
  view: RegistryView | undefined
  release: (() => void) | undefined
}

/**
 * Subscriptions to resources, each at the view that has the resource just now. One that nobody has yet waits; one whose
 * view went goes on where the resource is then.
 */
export class UpstreamSubscriptions {
  readonly #targetOf: (uri: string) => Target | undefined
  readonly #bindings = new Map<string, Binding>()

  constructor(targetOf: (uri: string) => Target | undefined) {
    this.#targetOf = targetOf
  }

  /** Gives what ends it. Rejects with what the view refuses it with. */
  async subscribe(uri: string): Promise<() => void> {
    const known = this.#bindings.get(uri)
    const binding = known ?? { users: 0, view: undefined, release: undefined }
    this.#bindings.set(uri, binding)
    binding.users += 1
    try {
      await this.#bind(uri, binding)
    } catch (error) {
      this.#leave(uri, binding)
      throw error
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#leave(uri, binding)
    }
  }

  /** Looks anew where each resource is. What cannot be subscribed to there waits for the next change. */
  rebind(): void {
    for (const [uri, binding] of this.#bindings) {
      if (this.#targetOf(uri)?.view !== binding.view) this.#bind(uri, binding).catch(() => undefined)
    }
  }

  async #bind(uri: string, binding: Binding): Promise<void> {
    const target = this.#targetOf(uri)
    if (target !== undefined && target.view === binding.view) return
    binding.release?.()
    binding.release = undefined
    binding.view = target?.view
    if (target?.view.upstream === undefined) return
    try {
      const release = await target.view.upstream.subscribe(target.uri)
      if (binding.view === target.view && binding.users > 0) binding.release = release
      else release()
    } catch (error) {
      if (binding.view === target.view) binding.view = undefined
      throw error
    }
  }

  #leave(uri: string, binding: Binding): void {
    binding.users -= 1
    if (binding.users > 0) return
    if (this.#bindings.get(uri) === binding) this.#bindings.delete(uri)
    binding.release?.()
    binding.release = undefined
  }
}
