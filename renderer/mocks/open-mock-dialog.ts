import type { MockEntry } from '../../server-core/host/contract/mocks.ts'
import { Observable } from '../state/observable.ts'

/** What the dialog of mock entries is open for. */
export type MockDialogTarget =
  | { readonly type: 'new'; readonly kind: MockEntry['kind'] }
  /** A mock entry, by its key, e.g. `tool:greet`. */
  | { readonly type: 'edit'; readonly key: string }
  /** A tool of another source whose result is overridden. */
  | { readonly type: 'override'; readonly key: string }

/** What is open; `MockDialogs`, placed once in the page, shows it. */
export const mockDialogTarget = new Observable<MockDialogTarget | undefined>(undefined)

/** Opens the form for an entry without code. */
export function openMockDialog(target: MockDialogTarget): void {
  mockDialogTarget.set(target)
}
