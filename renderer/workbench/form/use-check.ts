import { useEffect, useState } from 'react'
import type { Check } from './check-arguments.ts'
import { checkRunner } from './check-runner.ts'

/** Characters from which a value is copied to the worker only after a pause. */
const LARGE_TEXT = 64 * 1024
/** Milliseconds without a keystroke before a large value is checked. */
const PAUSE_MS = 120

type Known = { readonly schema: unknown; readonly check: Check }

/**
 * Checks JSON text against a schema, away from the page's own thread. Until a changed text is checked, the verdict on
 * the one before stays.
 *
 * @param text must be JSON; undefined where there is nothing to check
 * @returns undefined while nothing is known for this schema
 */
export function useCheck(schema: unknown, text: string | undefined): Check | undefined {
  const [owner] = useState(() => ({}))
  const [known, setKnown] = useState<Known | undefined>(undefined)

  useEffect(() => {
    if (text === undefined) return undefined
    let isWanted = true
    const start = (): void => {
      void checkRunner.check(owner, schema, text).then((check) => {
        if (isWanted && check !== undefined) setKnown((before) => afterCheck(before, { schema, check }))
      })
    }
    const timer = setTimeout(start, text.length > LARGE_TEXT ? PAUSE_MS : 0)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [owner, schema, text])

  return text === undefined || known === undefined || known.schema !== schema ? undefined : known.check
}

/** The same object for the same verdict, so that nothing renders again. */
function afterCheck(before: Known | undefined, now: Known): Known {
  if (before === undefined || before.schema !== now.schema) return now
  return before.check.state === 'valid' && now.check.state === 'valid' ? before : now
}
