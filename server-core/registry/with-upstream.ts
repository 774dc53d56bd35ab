import type { Upstream } from './upstream.ts'
import type { RegistryView } from './entries.ts'
import { ForwardedView } from './forwarded-view.ts'

/** The view with something else behind it. */
export function withUpstream(view: RegistryView, upstream: Upstream): RegistryView {
  return new BackedView(view, upstream)
}

class BackedView extends ForwardedView {
  readonly #upstream: Upstream

  constructor(view: RegistryView, upstream: Upstream) {
    super(view)
    this.#upstream = upstream
  }

  override get upstream(): Upstream {
    return this.#upstream
  }
}
