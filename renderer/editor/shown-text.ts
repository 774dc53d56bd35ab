import { Observable } from '../state/observable.ts'

/** What can be done with the text that is shown. */
export type TextCommand = 'save' | 'format' | 'find' | 'rename' | 'definition' | 'references' | 'focus'

/** The text that is shown, for menus and dialogs outside of it. */
export type ShownText = {
  readonly file: string
  readonly isScript: boolean
  run(command: TextCommand): void
  /** Returns true once the file is saved. */
  save(): Promise<boolean>
}

/** Undefined while no text is shown. */
export const shownText = new Observable<ShownText | undefined>(undefined)
