import { LSPPlugin } from '@codemirror/lsp-client'
import type { Diagnostic } from '@codemirror/lint'
import type { Extension } from '@codemirror/state'
import { ViewPlugin, type EditorView, type PluginValue, type ViewUpdate } from '@codemirror/view'
import { setFound, type FoundProblem } from '../text/found-problems.ts'
import { diagnosticReportSchema } from './replies.ts'

/** Milliseconds after the last letter: what is half typed is not wrong yet. */
const QUIET_MS = 350

const SEVERITIES: Readonly<Record<number, Diagnostic['severity']>> = {
  1: 'error',
  2: 'warning',
  3: 'info',
  4: 'hint',
}
const UNNECESSARY = 1
/** TypeScript numbers its syntax errors from 1000 to 1999. */
const FIRST_SEMANTIC_CODE = 2_000

/** Asks the language server what is wrong, whenever the text was left alone for a moment. */
class Checker implements PluginValue {
  readonly #view: EditorView
  #timer: ReturnType<typeof setTimeout> | undefined
  #round = 0
  #isGone = false

  constructor(view: EditorView) {
    this.#view = view
    this.soon(0)
  }

  update({ docChanged }: ViewUpdate): void {
    if (docChanged) this.soon(QUIET_MS)
  }

  destroy(): void {
    this.#isGone = true
    clearTimeout(this.#timer)
  }

  /** Asks again after so many milliseconds, once. */
  soon(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), milliseconds)
  }

  async #ask(): Promise<void> {
    const plugin = LSPPlugin.get(this.#view)
    if (plugin === null) return
    const round = (this.#round += 1)
    const { client, uri } = plugin
    client.sync()
    await client.withMapping(async (mapping) => {
      const answer = await client
        .request('textDocument/diagnostic', { textDocument: { uri } })
        .catch(() => undefined)
      const report = diagnosticReportSchema.safeParse(answer)
      if (this.#isGone || round !== this.#round || !report.success || report.data.items === undefined) return
      const { doc } = this.#view.state
      const found = report.data.items.map((item): FoundProblem => {
        const from = Math.min(mapping.mapPosition(uri, item.range.start, 1), doc.length)
        const to = Math.min(Math.max(mapping.mapPosition(uri, item.range.end, -1), from), doc.length)
        const isUnnecessary = item.tags?.includes(UNNECESSARY) === true || item.code === 6133
        return {
          from,
          to,
          severity: SEVERITIES[item.severity ?? 1] ?? 'error',
          message: item.message,
          source: [item.source, item.code].filter((part) => part !== undefined).join(' '),
          isSyntax: typeof item.code === 'number' && item.code < FIRST_SEMANTIC_CODE,
          ...(isUnnecessary && { markClass: 'cm-unnecessary' }),
        }
      })
      this.#view.dispatch({ effects: setFound.of({ by: 'language', found }) })
    })
  }
}

const checker = ViewPlugin.fromClass(Checker)

/** Keeps what the language server finds in the text. */
export const checking: Extension = checker

/** Looks again: the server started, or says that something elsewhere changed. */
export function checkAgain(view: EditorView): void {
  view.plugin(checker)?.soon(0)
}
