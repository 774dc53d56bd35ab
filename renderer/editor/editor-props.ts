import type { ReactNode } from 'react'
import type { IconName } from '../controls/icon.tsx'

/** A place in a file; both count from 1. */
export type Place = { readonly line: number; readonly column: number }

/** What loading a script found wrong, at its place in a file of the workspace. */
export type ScriptFault = Place & {
  readonly file: string
  readonly message: string
  /** Its kind, in a few words that follow the message. */
  readonly kind: string
}

/** Something that is not a file and has a tab among theirs. */
export interface EditorPage {
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** It is shown in place of the file in front, whose tab is then not the selected one. */
  readonly isFront: boolean
  readonly onSelect: () => void
  /** Missing where it cannot be closed. */
  readonly onClose?: (() => void) | undefined
  readonly content: ReactNode
}

/** What the page that holds the editor gives it. The open files themselves are in `open-files.ts`. */
export interface EditorProps {
  /** The open workspace. Another one closes all files; trusting it brings completion and checking. */
  workspace?: { readonly folder: string; readonly isTrusted: boolean } | undefined
  /** Shown between the tabs and the text of a file, such as the revision that was not loaded; null for nothing. */
  bar?: ((file: string) => ReactNode) | undefined
  /** Shown in the text, under their lines, beside what the language server finds. */
  faults?: readonly ScriptFault[] | undefined
  /** Behind the tabs of the files. `onFile` is called when the user chooses a file while a page is in front. */
  pages?: readonly EditorPage[] | undefined
  onFile?: (() => void) | undefined
  /** Controls at the end of the strip of tabs. */
  tabsEnd?: ReactNode
  /** What is shown while no file is open. */
  empty?: ReactNode
}
