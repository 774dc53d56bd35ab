import { setDiagnosticsEffect, type Diagnostic } from '@codemirror/lint'
import {
  RangeSet,
  StateField,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Range,
} from '@codemirror/state'
import {
  Decoration,
  EditorView,
  GutterMarker,
  gutterLineClass,
  WidgetType,
  type DecorationSet,
} from '@codemirror/view'
import { visibleText } from '../../../server-core/protocol/visible-text.ts'
import { editorTextText } from './text.ts'

/** Reasons under one line, and in one text: more are not read. */
const MOST_A_LINE = 3
const MOST = 100

const SVG = 'http://www.w3.org/2000/svg'

/** Lines of a message that are shown before "Show all" is pressed. */
const FIRST_LINES = 3

/** Why a line is wrong, under it. It stays in sight when the code scrolls sideways. */
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
    const whole = visibleText(message)
    const lines = whole.split('\n')
    const first = document.createElement('span')
    first.textContent = lines.slice(0, FIRST_LINES).join('\n')
    text.append(first)
    dom.append(icon(severity === 'error' ? 'kind-error' : 'warn'), word, text)
    if (lines.length > FIRST_LINES) dom.append(showAll(() => (first.textContent = whole)))
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

/** A button that disappears once it was pressed. */
function showAll(show: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'cm-reasonMore'
  button.textContent = editorTextText.reasons.showAll
  button.addEventListener('click', () => {
    show()
    button.remove()
  })
  return button
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

class WrongNumber extends GutterMarker {
  override readonly elementClass: string

  constructor(severity: 'error' | 'warning') {
    super()
    this.elementClass = `cm-wrongNumber-${severity}`
  }
}

const WRONG = { error: new WrongNumber('error'), warning: new WrongNumber('warning') }

type Shown = { readonly lines: DecorationSet; readonly numbers: RangeSet<GutterMarker> }
const NOTHING: Shown = { lines: Decoration.none, numbers: RangeSet.of<GutterMarker>([]) }

function decorate(state: EditorState, found: readonly Diagnostic[]): Shown {
  const byLine = new Map<number, Diagnostic[]>()
  for (const one of found) {
    if (one.severity !== 'error' && one.severity !== 'warning') continue
    const { number } = state.doc.lineAt(Math.min(one.from, state.doc.length))
    byLine.set(number, [...(byLine.get(number) ?? []), one])
  }
  const lines: Range<Decoration>[] = []
  const numbers: Range<GutterMarker>[] = []
  for (const [number, ones] of [...byLine].toSorted(([one], [other]) => one - other).slice(0, MOST)) {
    const { from, to } = state.doc.line(number)
    const severity = ones.some((one) => one.severity === 'error') ? 'error' : 'warning'
    lines.push(Decoration.line({ class: `cm-wrongLine-${severity}` }).range(from))
    numbers.push(WRONG[severity].range(from))
    for (const one of ones.slice(0, MOST_A_LINE)) {
      lines.push(Decoration.widget({ widget: new Reason(one), block: true, side: 1 }).range(to))
    }
  }
  return { lines: Decoration.set(lines, true), numbers: RangeSet.of(numbers, true) }
}

function moved({ lines, numbers }: Shown, changes: ChangeDesc): Shown {
  return { lines: lines.map(changes), numbers: numbers.map(changes) }
}

/** Follows the diagnostics of the text. */
export const reasons: Extension = StateField.define<Shown>({
  create: () => NOTHING,
  update(shown, transaction) {
    let next = transaction.docChanged && shown !== NOTHING ? moved(shown, transaction.changes) : shown
    for (const effect of transaction.effects) {
      if (effect.is(setDiagnosticsEffect)) next = decorate(transaction.state, effect.value)
    }
    return next
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ lines }) => lines),
    gutterLineClass.from(field, ({ numbers }) => numbers),
  ],
})
