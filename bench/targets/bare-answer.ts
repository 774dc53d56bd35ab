type Sum = { readonly a: number; readonly b: number }
type Call = { readonly id: number; readonly params: { readonly arguments?: Sum } }

/** The answer to a call of `add`, with nothing checked. */
export function bareAnswer(text: string): string {
  const { id, params } = JSON.parse(text) as Call
  const { a, b } = params.arguments ?? { a: 0, b: 0 }
  const sum = String(a + b)
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: sum }] } })
}
