import { UpstreamSessions } from '../sources/upstream-sessions.ts'
import { UpstreamSubscriptions } from '../sources/upstream-subscriptions.ts'
import type { Upstream } from '../registry/upstream.ts'
import type { ListStability, RegistryChange, RegistryView } from '../registry/entries.ts'
import { ForwardedView } from '../registry/forwarded-view.ts'
import { RegistryChanges } from '../registry/registry-changes.ts'
import { Registry } from '../registry/registry.ts'

const NOTHING: RegistryView = new Registry()

/**
 * A registry that can be replaced, or emptied, while it is served. Its clients stay, and are notified of what
 * changed for them.
 */
export class SwitchedRegistry extends ForwardedView {
  readonly #changes = new RegistryChanges({
    tools: () => [this.tools()],
    resources: () => [this.resources(), this.resourceTemplates()],
    prompts: () => [this.prompts()],
  })
  readonly #sessions = new UpstreamSessions()
  readonly #subscriptions = new UpstreamSubscriptions((uri) => [{ view: this.view, uri }])
  #chosen: RegistryView | undefined
  #isOn = true
  #stop: (() => void) | undefined
  readonly #upstream: Upstream = {
    offers: (feature) => this.view.upstream?.offers(feature) ?? true,
    subscribe: (uri) => this.#subscriptions.subscribe(uri),
    session: (end) => this.#sessions.open(end),
  }

  constructor() {
    super(NOTHING)
  }

  override get upstream(): Upstream {
    return this.#upstream
  }

  /** Whether anything is shown at all. */
  get isOn(): boolean {
    return this.#isOn
  }

  /** Shows what was put in its place, or nothing. */
  switch(isOn: boolean): void {
    if (this.#isOn === isOn) return
    this.#isOn = isOn
    this.#show()
  }

  /** Puts a registry in its place; undefined: nothing is offered. */
  put(view: RegistryView | undefined): void {
    this.#chosen = view
    this.#show()
  }

  /** Anything may come, with another registry. */
  override listStability(): ListStability {
    return 'may-appear'
  }
  override onChange(listener: (change: RegistryChange) => void): () => void {
    return this.#changes.listen(listener)
  }

  #show(): void {
    const shown = (this.#isOn ? this.#chosen : undefined) ?? NOTHING
    if (shown === this.view) return
    this.#changes.batch(() => {
      this.#stop?.()
      this.#sessions.remove(this.view)
      this.view = shown
      this.#sessions.add(shown)
      this.#stop = shown.onChange((change) => {
        this.#changes.publish(change)
      })
    })
    this.#subscriptions.rebind()
  }
}
