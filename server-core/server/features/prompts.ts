import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import { messagesFor } from '../downgrade/blocks.ts'
import type { WireResult } from '../result-metadata.ts'
import type { Feature } from './feature.ts'

/** prompts/get (specification: Prompts, Getting a Prompt). */
export const getPrompt: Feature = ({ core, row, params }) => {
  const name = params['name']
  if (typeof name !== 'string') {
    throw new ProtocolError(ErrorCode.invalidParams, 'prompts/get needs the name of a prompt in params.name')
  }
  const prompt = core.registry.prompt(name)
  if (prompt === undefined)
    throw new ProtocolError(ErrorCode.invalidParams, `Unknown prompt: ${visibleLine(name, 100)}`)
  const args = stringMap(params['arguments'], 'prompts/get takes an object of strings in params.arguments')
  return {
    type: 'handler',
    timeoutMs: core.limits.handlerMs,
    reentrant: prompt.reentrant,
    mayAsk: true,
    run: async (run) => {
      const outcome = await prompt.get(args, run)
      const result: WireResult = { ...outcome.others, messages: messagesFor(row, outcome.messages) }
      if (outcome.description !== undefined) result['description'] = outcome.description
      if (outcome.meta !== undefined) result['_meta'] = outcome.meta
      return result
    },
  }
}

/** An object whose members are all strings; missing is empty. Throws a `ProtocolError` with `message` otherwise. */
export function stringMap(value: unknown, message: string): Readonly<Record<string, string>> {
  if (value === undefined) return {}
  if (!isJsonObject(value)) throw new ProtocolError(ErrorCode.invalidParams, message)
  const strings: [string, string][] = []
  for (const [key, member] of Object.entries(value)) {
    if (typeof member !== 'string') throw new ProtocolError(ErrorCode.invalidParams, message)
    strings.push([key, member])
  }
  return Object.fromEntries(strings)
}
