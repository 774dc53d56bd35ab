/** A message at a place in the text. */
export type EditorMark = { readonly from: number; readonly to: number; readonly message: string }

export interface JsonEditorProps {
  /** Its accessible name. */
  label: string
  text: string
  onTextChange: (text: string) => void
  /** Mod-Enter. */
  onRun?: (() => void) | undefined
  marks?: readonly EditorMark[]
  /** The line of this place is marked: where the focused field of the form stands. */
  markedOffset?: number | undefined
  /** The place of the cursor, when it moves. */
  onCursor?: ((offset: number) => void) | undefined
}
