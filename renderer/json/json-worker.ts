import { indexJson, type JsonIndexed } from './json-index.ts'

/** Indexes large JSON off the page's main thread. */
self.addEventListener('message', (event: MessageEvent<{ id: number; text: string }>) => {
  const indexed = indexJson(event.data.text)
  self.postMessage(answerOf(event.data.id, indexed), {
    transfer: indexed.ok ? [indexed.index.table.buffer] : [],
  })
})

function answerOf(id: number, indexed: JsonIndexed): object {
  // The page has the text already.
  if (!indexed.ok) return { id, ok: false, problem: indexed.problem }
  return { id, ok: true, table: indexed.index.table, nodes: indexed.index.nodes }
}
