import type { ReactNode } from 'react'

/** A place in a file; both count from 1. */
export type Place = { readonly line: number; readonly column: number }

/** What loading a script found wrong, at its place in a file of the workspace. */
export type ScriptFault = Place & { readonly file: string; readonly message: string }

/** What the page that holds the editor gives it. The open files themselves are in `open-files.ts`. */
export interface EditorProps {
  /** What stands between the tabs and the text of a file, such as the revision that was not loaded; null for nothing. */
  bar?: ((file: string) => ReactNode) | undefined
  /** Shown in the text, under their lines, beside what the language server finds. */
  faults?: readonly ScriptFault[] | undefined
  /** Controls at the end of the strip of tabs. */
  tabsEnd?: ReactNode
  /** What is shown while no file is open. */
  empty?: ReactNode
}
