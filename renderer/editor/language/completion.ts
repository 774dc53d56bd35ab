import {
  insertCompletionText,
  pickedCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { LSPPlugin } from '@codemirror/lsp-client'
import type { ChangeSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import {
  completionItemSchema,
  completionsSchema,
  type CompletionItem,
  type Completions,
  type Documentation,
} from './replies.ts'
import { appendHtml } from '../../text/safe-html.ts'

/** What the language server's kinds are called here, which chooses the mark. */
const TYPES: Readonly<Record<number, string>> = {
  2: 'method',
  3: 'function',
  4: 'class',
  5: 'property',
  6: 'variable',
  7: 'class',
  8: 'interface',
  9: 'namespace',
  10: 'property',
  12: 'constant',
  13: 'enum',
  14: 'keyword',
  17: 'text',
  20: 'constant',
  21: 'constant',
  22: 'class',
  25: 'type',
}

/** What the language server would put in at the cursor. What it means, and which imports it needs, is asked when wanted. */
export async function completeByServer(context: CompletionContext): Promise<CompletionResult | null> {
  const plugin = context.view === undefined ? null : LSPPlugin.get(context.view)
  if (plugin === null) return null
  const typed = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos)
  const isWord = /[\w$]/.test(typed)
  const isTrigger = ['.', '"', "'", '`', '/', '@', '<'].includes(typed)
  if (!context.explicit && !isWord && !isTrigger) return null
  plugin.client.sync()
  const params = {
    textDocument: { uri: plugin.uri },
    position: plugin.toPosition(context.pos),
    context:
      isTrigger && !context.explicit ? { triggerKind: 2, triggerCharacter: typed } : { triggerKind: 1 },
  }
  context.addEventListener('abort', () => plugin.client.cancelRequest(params))
  const found = completionsSchema.safeParse(
    await plugin.client.request<typeof params, unknown>('textDocument/completion', params).catch(() => null),
  )
  if (!found.success || found.data === null || context.aborted) return null
  const from = startOf(found.data, plugin, context)
  return {
    from,
    options: found.data.items.map((item) => optionOf(item, plugin)),
    ...(found.data.isIncomplete !== true && { validFor: /^[\w$]*$/ }),
  }
}

function startOf(found: Completions, plugin: LSPPlugin, context: CompletionContext): number {
  const defaults = found.itemDefaults?.editRange
  const edit = found.items[0]?.textEdit
  const range =
    (defaults !== undefined && 'insert' in defaults ? defaults.insert : defaults) ??
    edit?.range ??
    edit?.insert
  if (range !== undefined) return Math.min(plugin.fromPosition(range.start), context.pos)
  return context.matchBefore(/[\w$]+$/)?.from ?? context.pos
}

function optionOf(item: CompletionItem, plugin: LSPPlugin): Completion {
  let resolving: Promise<CompletionItem> | undefined
  const resolved = (): Promise<CompletionItem> => (resolving ??= resolve(item, plugin))
  const type = item.kind === undefined ? undefined : TYPES[item.kind]
  const detail = item.labelDetails?.description ?? item.labelDetails?.detail
  return {
    label: item.filterText ?? item.label,
    displayLabel: item.label,
    ...(type !== undefined && { type }),
    ...(detail !== undefined && { detail }),
    ...(item.sortText !== undefined && { sortText: item.sortText }),
    ...(item.commitCharacters !== undefined && { commitCharacters: item.commitCharacters }),
    info: async () => describe(await resolved(), plugin),
    apply: (view, completion, from, to) => {
      const text = item.textEdit?.newText ?? item.insertText ?? item.label
      view.dispatch({
        ...insertCompletionText(view.state, text, from, to),
        annotations: pickedCompletion.of(completion),
      })
      void addImports(view, resolved)
    },
  }
}

async function resolve(item: CompletionItem, plugin: LSPPlugin): Promise<CompletionItem> {
  const answer = await plugin.client
    .request<CompletionItem, unknown>('completionItem/resolve', item)
    .catch(() => item)
  const parsed = completionItemSchema.safeParse(answer)
  return parsed.success ? parsed.data : item
}

/** What else must be changed for it, such as an import at the top, unless that text was changed meanwhile. */
async function addImports(view: EditorView, resolved: () => Promise<CompletionItem>): Promise<void> {
  const plugin = LSPPlugin.get(view)
  if (plugin === null) return
  const { client, uri } = plugin
  client.sync()
  await client.withMapping(async (mapping) => {
    const before = view.state.doc
    const { additionalTextEdits = [] } = await resolved()
    if (additionalTextEdits.length === 0 || LSPPlugin.get(view)?.uri !== uri) return
    const changed = mapping.getMapping(uri)
    const changes: ChangeSpec[] = []
    for (const { range, newText } of additionalTextEdits) {
      const from = plugin.fromPosition(range.start, before)
      const to = plugin.fromPosition(range.end, before)
      if (changed?.touchesRange(from, to) === 'cover') return
      changes.push({
        from: changed?.mapPos(from, -1) ?? from,
        to: changed?.mapPos(to, 1) ?? to,
        insert: newText,
      })
    }
    view.dispatch({ changes, userEvent: 'input.complete' })
  })
}

function describe(item: CompletionItem, plugin: LSPPlugin): Node | null {
  const parts: string[] = []
  if (item.detail !== undefined)
    parts.push(plugin.docToHTML({ kind: 'markdown', value: fenced(item.detail) }))
  if (item.documentation !== undefined) parts.push(htmlOf(item.documentation, plugin))
  if (parts.length === 0) return null
  const dom = document.createElement('div')
  dom.className = 'cm-lsp-documentation'
  for (const part of parts) appendHtml(dom, part)
  return dom
}

function htmlOf(documentation: Documentation, plugin: LSPPlugin): string {
  return typeof documentation === 'string'
    ? plugin.docToHTML(documentation, 'plaintext')
    : plugin.docToHTML(documentation)
}

function fenced(code: string): string {
  return `\`\`\`typescript\n${code.replaceAll('```', '` ` `')}\n\`\`\``
}
