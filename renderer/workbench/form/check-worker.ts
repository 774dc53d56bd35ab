import { ArgumentsChecker } from './check-arguments.ts'

let known: { readonly source: string; readonly checker: ArgumentsChecker } | undefined

/** Checks large values off the page's main thread. A schema is prepared once for all that follow with it. */
self.addEventListener('message', (event: MessageEvent<{ id: number; schema: unknown; text: string }>) => {
  const { id, schema, text } = event.data
  const source = JSON.stringify(schema ?? true)
  if (known?.source !== source) known = { source, checker: new ArgumentsChecker(schema) }
  self.postMessage({ id, check: known.checker.check(text) })
})
