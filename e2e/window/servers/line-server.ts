import { createInterface } from 'node:readline'

/** A request as it was read. */
export type Incoming = {
  readonly id: unknown
  readonly method: string
  readonly params: Record<string, unknown>
  /** The line, byte for byte. */
  readonly line: string
}

/** Returns the member of the answer: `{ result }` or `{ error }`; undefined answers nothing. */
export type Answer = (request: Incoming) => object | undefined

/**
 * A stdio server of the revision 2025-11-25 with nothing in between: what `answer` gives is written as it is, so
 * that it can be as odd as no SDK allows.
 */
export function serveLines(answer: Answer): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line) as Partial<Incoming>
    const { id, method, params = {} } = message
    if (id === undefined || method === undefined) return
    const given = method === 'initialize' ? { result: initialized } : answer({ id, method, params, line })
    if (given !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...given })}\n`)
  })
}

const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'lines', version: '1.0.0' },
}

/** The error of JSON-RPC for a method that is not there. */
export const methodNotFound = { error: { code: -32601, message: 'Method not found' } }

/** A result of one text. */
export function textResult(text: string): object {
  return { result: { content: [{ type: 'text', text }] } }
}
