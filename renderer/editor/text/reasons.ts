import { setDiagnosticsEffect, type Diagnostic } from '@codemirror/lint'
import { StateField, type EditorState, type Extension, type Range } from '@codemirror/state'
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view'
import { visibleText } from '../../../server-core/protocol/visible-text.ts'

/** Reasons under one line, and in one text: more are not read. */
const MOST_A_LINE = 3
const MOST = 100

const SVG = 'http://www.w3.org/2000/svg'

/** Why a line is wrong, under it. */
class Reason extends WidgetType {
  readonly #one: Diagnostic

  constructor(one: Diagnostic) {
    super()
    this.#one = one
  }

  override eq(other: Reason): boolean {
    const { message, source, severity } = other.#one
    return message === this.#one.message && source === this.#one.source && severity === this.#one.severity
  }

  override toDOM(): HTMLElement {
    const { message, source, severity } = this.#one
    const dom = document.createElement('div')
    dom.className = `cm-reason cm-reason-${severity}`
    const word = document.createElement('span')
    word.className = 'vh'
    word.textContent = severity === 'error' ? 'Error: ' : 'Warning: '
    const text = document.createElement('span')
    text.className = 'cm-reasonText'
    text.textContent = visibleText(message)
    dom.append(icon(severity === 'error' ? 'kind-error' : 'warn'), word, text)
    if (source !== undefined && source !== '') {
      const mark = document.createElement('span')
      mark.className = 'cm-reasonSource'
      mark.textContent = ` ${visibleText(source)}`
      text.append(mark)
    }
    return dom
  }

  override ignoreEvent(): boolean {
    return false
  }
}

function icon(name: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', 'ic')
  svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `#i-${name}`)
  svg.append(use)
  return svg
}

function decorate(state: EditorState, found: readonly Diagnostic[]): DecorationSet {
  const byLine = new Map<number, Diagnostic[]>()
  for (const one of found) {
    if (one.severity !== 'error' && one.severity !== 'warning') continue
    const { number } = state.doc.lineAt(Math.min(one.from, state.doc.length))
    byLine.set(number, [...(byLine.get(number) ?? []), one])
  }
  const ranges: Range<Decoration>[] = []
  for (const [number, ones] of [...byLine].toSorted(([one], [other]) => one - other).slice(0, MOST)) {
    const { from, to } = state.doc.line(number)
    const severity = ones.some((one) => one.severity === 'error') ? 'error' : 'warning'
    ranges.push(Decoration.line({ class: `cm-wrongLine cm-wrongLine-${severity}` }).range(from))
    for (const one of ones.slice(0, MOST_A_LINE)) {
      ranges.push(Decoration.widget({ widget: new Reason(one), block: true, side: 1 }).range(to))
    }
  }
  return Decoration.set(ranges, true)
}

/** Follows the diagnostics of the text. */
export const reasons: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    let next = shown.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (effect.is(setDiagnosticsEffect)) next = decorate(transaction.state, effect.value)
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})
