import { LSPPlugin } from '@codemirror/lsp-client'
import { hoverTooltip, type EditorView, type Tooltip } from '@codemirror/view'
import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { appendHtml } from '../../text/safe-html.ts'

/**
 * Returns what the language server knows of the name under the pointer. An answer for a text that is not there any more,
 * since it was edited or its view went on to another file, is shown nowhere: its places mean nothing.
 */
export const hover = hoverTooltip(tooltipAt, { hideOn: (transaction) => transaction.docChanged })

async function tooltipAt(view: EditorView, pos: number): Promise<Tooltip | null> {
  const plugin = LSPPlugin.get(view)
  if (plugin === null || plugin.client.serverCapabilities?.hoverProvider === false) return null
  const { doc } = view.state
  plugin.client.sync()
  const found: unknown = await plugin.client.request('textDocument/hover', {
    position: plugin.toPosition(pos),
    textDocument: { uri: plugin.uri },
  })
  const text = textOf(isJsonObject(found) ? found['contents'] : undefined)
  if (text === undefined || view.state.doc !== doc) return null
  return {
    pos,
    above: true,
    create: () => {
      const dom = document.createElement('div')
      dom.className = 'cm-lsp-hover-tooltip cm-lsp-documentation'
      appendHtml(dom, plugin.docToHTML(text, 'markdown'))
      return { dom }
    },
  }
}

/** The Markdown of a hover (Language Server Protocol: `MarkupContent`, or a text). */
function textOf(contents: unknown): string | undefined {
  if (typeof contents === 'string') return contents
  const value = isJsonObject(contents) ? contents['value'] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
