import { Observable } from '../state/observable.ts'
import type { Place } from './editor-props.ts'

/** A place where a symbol is used, with its line of text. */
export type Reference = Place & { readonly file: string; readonly text: string }

/** A question about files that is open. */
export type FileDialog =
  | { readonly kind: 'open' }
  | { readonly kind: 'rename'; readonly file: string }
  | { readonly kind: 'close'; readonly file: string }
  /** `rename` rejects with why it cannot. */
  | { readonly kind: 'symbol'; readonly symbol: string; readonly rename: (to: string) => Promise<void> }
  | { readonly kind: 'references'; readonly symbol: string; readonly references: readonly Reference[] }

/** The one that is shown; `FileDialogs` draws it. */
export const fileDialog = new Observable<FileDialog | undefined>(undefined)
