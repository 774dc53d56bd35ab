import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { ArgumentsChecker, type Check } from './check-arguments.ts'

/** Schemas and values up to these sizes are checked on the page, after the keystroke was painted. */
const SMALL_SCHEMA = 48 * 1024
const SMALL_TEXT = 16 * 1024
/** Milliseconds without a keystroke before a large value is handed to the worker. */
const PAUSE_MS = 120

/**
 * How JSON text stands to a schema; undefined while that is not known yet. Never on the way of a keystroke: small
 * values are checked when the page has time, large ones by a worker. `text` must be JSON, or undefined.
 */
export function useCheck(schema: unknown, text: string | undefined): Check | undefined {
  const size = useMemo(() => JSON.stringify(schema ?? true).length, [schema])
  const isSmall = size <= SMALL_SCHEMA && (text?.length ?? 0) <= SMALL_TEXT
  const calm = useDeferredValue(text)
  const checker = useMemo(
    () => (size <= SMALL_SCHEMA ? new ArgumentsChecker(schema) : undefined),
    [schema, size],
  )
  const small = useMemo(
    () => (isSmall && calm !== undefined ? checker?.check(calm) : undefined),
    [isSmall, calm, checker],
  )
  const [large, setLarge] = useState<{ text: string; schema: unknown; check: Check } | undefined>(undefined)

  useEffect(() => {
    if (isSmall || text === undefined) return undefined
    let isWanted = true
    const timer = setTimeout(() => {
      void checkInWorker(schema, text).then((check) => {
        if (isWanted) setLarge({ text, schema, check })
      })
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [isSmall, schema, text])

  if (text === undefined) return undefined
  if (isSmall) return small
  return large?.text === text && large.schema === schema ? large.check : undefined
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (check: Check) => void>()

function checkInWorker(schema: unknown, text: string): Promise<Check> {
  worker ??= startWorker()
  lastId += 1
  const id = lastId
  const checking = worker
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    checking.postMessage({ id, schema, text })
  })
}

function startWorker(): Worker {
  const started = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', (event: MessageEvent<{ id: number; check: Check }>) => {
    waiting.get(event.data.id)?.(event.data.check)
    waiting.delete(event.data.id)
  })
  started.addEventListener('error', () => {
    for (const resolve of waiting.values()) {
      resolve({ state: 'not-checked', reason: 'the worker that checks large values did not start' })
    }
    waiting.clear()
    worker = undefined
  })
  return started
}
