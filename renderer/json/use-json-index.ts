import { useEffect, useMemo, useState } from 'react'
import { startWorker } from '../csp/trusted-types.ts'
import { indexJson, type JsonIndexed, type JsonProblem } from './json-index.ts'
import workerUrl from './json-worker.ts?worker&url'

/** Text up to this many characters is indexed at once: it takes less than a frame. */
const AT_ONCE = 256 * 1024

type Answer =
  | { readonly id: number; readonly ok: true; readonly table: Int32Array; readonly nodes: number }
  | { readonly id: number; readonly ok: false; readonly problem: JsonProblem }

/** The index of JSON text; undefined while a worker is at it. */
export function useJsonIndex(text: string): JsonIndexed | undefined {
  const isSmall = text.length <= AT_ONCE
  const small = useMemo(() => (isSmall ? indexJson(text) : undefined), [isSmall, text])
  const [large, setLarge] = useState<{ text: string; indexed: JsonIndexed } | undefined>(undefined)

  useEffect(() => {
    if (isSmall) return undefined
    let isWanted = true
    void indexInWorker(text).then((indexed) => {
      if (isWanted) setLarge({ text, indexed })
    })
    return () => {
      isWanted = false
    }
  }, [isSmall, text])

  if (isSmall) return small
  return large?.text === text ? large.indexed : undefined
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (answer: Answer) => void>()

function indexInWorker(text: string): Promise<JsonIndexed> {
  worker ??= startIndexing()
  lastId += 1
  const id = lastId
  const indexing = worker
  return new Promise((resolve) => {
    waiting.set(id, (answer) => {
      resolve(
        answer.ok
          ? { ok: true, index: { text, table: answer.table, nodes: answer.nodes } }
          : { ok: false, problem: answer.problem },
      )
    })
    indexing.postMessage({ id, text })
  })
}

function startIndexing(): Worker {
  const started = startWorker(workerUrl)
  started.addEventListener('message', (event: MessageEvent<Answer>) => {
    waiting.get(event.data.id)?.(event.data)
    waiting.delete(event.data.id)
  })
  started.addEventListener('error', () => {
    // Without a worker the text is at least shown as text.
    const problem = {
      message: 'the worker that reads large JSON did not start',
      offset: 0,
      line: 1,
      column: 1,
    }
    for (const [id, answer] of waiting) answer({ id, ok: false, problem })
    waiting.clear()
    worker = undefined
  })
  return started
}
