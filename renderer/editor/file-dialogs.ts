import { Observable } from '../state/observable.ts'

/** A question about files that is open. */
export type FileDialog =
  | { readonly kind: 'open' }
  | { readonly kind: 'rename'; readonly file: string }
  | { readonly kind: 'close'; readonly file: string }

/** The one that is shown; `FileDialogs` draws it. */
export const fileDialog = new Observable<FileDialog | undefined>(undefined)
