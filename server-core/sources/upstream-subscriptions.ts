import type { RegistryView } from '../registry/entries.ts'
import type { Target } from './resource-targets.ts'

type Binding = {
  users: number
  view: RegistryView | undefined
  unsubscribe: (() => void) | undefined
}

/**
 * Subscriptions to resources, each at the view that has the resource at present. A subscription to a resource that no
 * view has waits for one; if its view is removed, it moves to the view that has the resource then.
 */
export class UpstreamSubscriptions {
  readonly #targetsOf: (uri: string) => readonly Target[]
  readonly #bindings = new Map<string, Binding>()

  /** @param targetsOf returns the views that may have a URI, the likeliest first */
  constructor(targetsOf: (uri: string) => readonly Target[]) {
    this.#targetsOf = targetsOf
  }

  /**
   * Subscribes to a resource.
   *
   * @returns an unsubscribe function
   * @throws the error of the last view that rejected the subscription
   */
  async subscribe(uri: string): Promise<() => void> {
    const binding = this.#bindings.get(uri) ?? { users: 0, view: undefined, unsubscribe: undefined }
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

  /** Finds again where each resource is. A subscription that is rejected there waits for the next change. */
  rebind(): void {
    for (const [uri, binding] of this.#bindings) this.#bind(uri, binding).catch(() => undefined)
  }

  async #bind(uri: string, binding: Binding): Promise<void> {
    const targets = this.#targetsOf(uri)
    const { view } = binding
    if (targets.length === 0 ? view === undefined : targets.some((target) => target.view === view)) return
    binding.unsubscribe?.()
    binding.unsubscribe = undefined
    binding.view = targets[0]?.view
    let lastError: unknown
    for (const target of targets) {
      if (target.view.upstream === undefined) return
      binding.view = target.view
      try {
        const unsubscribe = await target.view.upstream.subscribe(target.uri)
        if (binding.view === target.view && binding.users > 0) binding.unsubscribe = unsubscribe
        else unsubscribe()
        return
      } catch (error) {
        if (binding.view !== target.view) throw error
        lastError = error
      }
    }
    binding.view = undefined
    if (targets.length > 0) throw lastError
  }

  #leave(uri: string, binding: Binding): void {
    binding.users -= 1
    if (binding.users > 0) return
    if (this.#bindings.get(uri) === binding) this.#bindings.delete(uri)
    binding.unsubscribe?.()
    binding.unsubscribe = undefined
  }
}
