import type { Behind } from './behind.ts'
import type { RegistryView } from './entries.ts'
import { ForwardedView } from './forwarded-view.ts'

/** The view with something else behind it. */
export function withBehind(view: RegistryView, behind: Behind): RegistryView {
  return new BackedView(view, behind)
}

class BackedView extends ForwardedView {
  readonly #behind: Behind

  constructor(view: RegistryView, behind: Behind) {
    super(view)
    this.#behind = behind
  }

  override get behind(): Behind {
    return this.#behind
  }
}
