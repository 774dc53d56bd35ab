import { EditorView } from '@codemirror/view'

/**
 * Puts in what is typed, also over a selection. Chromium's own editing takes longer for a letter than everything else
 * that happens with it, and carries the look of what it replaces over as a style attribute, which the content security
 * policy refuses. What an input method composes, and what replaces something that is not selected, is left to it.
 */
export function typeText(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event
  if (inputType !== 'insertText' || data === null || isComposing || view.compositionStarted) return false
  const { state } = view
  const { from, to, empty } = state.selection.main
  const [replaced] = event.getTargetRanges()
  if (state.readOnly || (replaced !== undefined && replaced.collapsed !== empty)) return false
  event.preventDefault()
  const insert = () =>
    state.update({ ...state.replaceSelection(data), userEvent: 'input.type', scrollIntoView: true })
  // Such as the bracket that is put behind one.
  const isTaken = state.facet(EditorView.inputHandler).some((take) => take(view, from, to, data, insert))
  if (!isTaken) view.dispatch(insert())
  return true
}
