import type { Parsed } from '../../server-core/protocol/parsed.ts'
import type { Request } from './use-call.ts'

/** Builds requests for a tool or prompt of that name. The text of the arguments stays as it was typed. */
export function namedRequest(
  method: 'tools/call' | 'prompts/get',
  name: string,
  members: { readonly isTask?: boolean } = {},
): (argumentsText: string) => Parsed<Request> {
  const task = members.isTask === true ? ',"task":{}' : ''
  return (text) => ({
    ok: true,
    value: { method, paramsText: `{"name":${JSON.stringify(name)},"arguments":${text}${task}}` },
  })
}
