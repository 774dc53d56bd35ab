import type { EditorView } from '@codemirror/view'

/**
 * Text typed over a selection is put in here. Chromium's own editing would carry the look of what it replaces over
 * as a style attribute, which the content security policy refuses.
 */
export function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event
  if (inputType !== 'insertText' || data === null || isComposing || view.state.selection.main.empty)
    return false
  event.preventDefault()
  view.dispatch({ ...view.state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true })
  return true
}
