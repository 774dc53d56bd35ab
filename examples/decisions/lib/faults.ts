/** What the caller asked for cannot be done as it was asked: told as `validation_error`. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** The body of an error as clients of a decision server know it. */
export type FaultBody = { readonly error: 'validation_error' | 'internal_error'; readonly message: string }

/**
 * Makes the result of a tool from its error: a text block that holds `{ error, message }`. A fault that is not the caller's
 * doing goes to the log as well.
 */
export function faultResult(error: unknown, tool: string) {
  const isInput = error instanceof Error && (error.name === 'ArgumentsError' || error instanceof InputError)
  if (!isInput) console.error(`${tool} failed:`, error)
  const message = error instanceof Error ? error.message : String(error)
  const body: FaultBody = isInput
    ? { error: 'validation_error', message }
    : { error: 'internal_error', message: `${tool} failed: ${message} The log of the server says more.` }
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true }
}
