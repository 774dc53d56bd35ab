import { listedTool } from '../listed-tool.ts'

type Arguments = { readonly a?: number; readonly b?: number; readonly text?: string }
type Call = {
  readonly id: number
  readonly method: string
  readonly params: { readonly name?: string; readonly arguments?: Arguments }
}

/** The tools that are only listed, serialised once. */
const TOOLS = JSON.stringify(
  Array.from({ length: Number(process.env['BENCH_TOOLS'] ?? 0) }, (_, index) => listedTool(index)),
)

/** The answer to a call of `add` or `echo`, or to `tools/list`, with nothing checked. */
export function bareAnswer(json: string): string {
  const { id, method, params } = JSON.parse(json) as Call
  if (method === 'tools/list') return `{"jsonrpc":"2.0","id":${id},"result":{"tools":${TOOLS}}}`
  const { a = 0, b = 0, text = String(a + b) } = params.arguments ?? {}
  return JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })
}
