import type { Extension } from '@codemirror/state'
import { EditorView, ViewPlugin, type PluginValue, type ViewUpdate } from '@codemirror/view'

/** Milliseconds after the last letter before the cursor blinks again. */
const QUIET_MS = 600
const HELD = 'cm-cursorHeld'

/**
 * The cursor stands still while somebody types, as that of the system does: an animation that begins again with every
 * letter makes the page draw three more frames for each.
 */
class SteadyCursor implements PluginValue {
  readonly #scroller: HTMLElement
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor({ scrollDOM }: EditorView) {
    this.#scroller = scrollDOM
  }

  update({ docChanged, selectionSet }: ViewUpdate): void {
    if (!docChanged && !selectionSet) return
    clearTimeout(this.#timer)
    this.#scroller.classList.add(HELD)
    this.#timer = setTimeout(() => this.#scroller.classList.remove(HELD), QUIET_MS)
  }

  destroy(): void {
    clearTimeout(this.#timer)
    this.#scroller.classList.remove(HELD)
  }
}

export const steadyCursor: Extension = [
  ViewPlugin.fromClass(SteadyCursor),
  EditorView.theme({ [`.${HELD} > .cm-cursorLayer`]: { animation: 'none !important' } }),
]
