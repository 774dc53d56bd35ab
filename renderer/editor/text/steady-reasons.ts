import type { Extension } from '@codemirror/state'
import { ViewPlugin, type EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view'

/** Keeps the reasons under lines within the visible part of the code, however far it scrolls sideways. */
class SteadyReasons implements PluginValue {
  constructor(view: EditorView) {
    this.#measure(view)
  }

  update({ geometryChanged, view }: ViewUpdate): void {
    if (geometryChanged) this.#measure(view)
  }

  #measure(view: EditorView): void {
    view.requestMeasure({
      key: this,
      read: ({ scrollDOM, contentDOM }) => {
        const gutters = contentDOM.offsetLeft
        return { gutters, width: scrollDOM.clientWidth - gutters }
      },
      write: ({ gutters, width }, { dom }) => {
        dom.style.setProperty('--reason-left', `${gutters}px`)
        dom.style.setProperty('--reason-width', `${width}px`)
      },
    })
  }
}

/** Keeps the messages under wrong lines in sight. */
export const steadyReasons: Extension = ViewPlugin.fromClass(SteadyReasons)
