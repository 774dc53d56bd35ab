import type { HandmadeEntry } from '../../server-core/host/contract/handmade.ts'
import { Observable } from '../state/observable.ts'

/** What the dialog of hand-made entries is open for. */
export type HandmadeTarget =
  | { readonly type: 'new'; readonly kind: HandmadeEntry['kind'] }
  /** An entry made by hand before, by its key, e.g. `tool:greet`. */
  | { readonly type: 'edit'; readonly key: string }
  /** A tool of another source that is to be answered by hand. */
  | { readonly type: 'override'; readonly key: string }

/** What is open; `HandmadeDialogs`, placed once in the page, shows it. */
export const handmadeTarget = new Observable<HandmadeTarget | undefined>(undefined)

/** Opens the form for an entry without code. */
export function openHandmade(target: HandmadeTarget): void {
  handmadeTarget.set(target)
}
