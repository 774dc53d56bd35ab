import type { CopiedExchange } from './copied-exchange.ts'

/** A call of a tool as the window copies it, apart from what a test says. */
export function exchangeWith(
  method: string,
  params: object,
  more: Partial<CopiedExchange> = {},
): CopiedExchange {
  return {
    request: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
    answer: '{"jsonrpc":"2.0","id":7,"result":{}}',
    http: undefined,
    server: { type: 'unknown' },
    storedName: undefined,
    serverName: 'everything',
    at: Date.parse('2026-11-22T14:00:00Z'),
    durationMs: 12,
    commandLine: { command: 'patchbay', profile: undefined },
    ...more,
  }
}
