import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { CompletionRef } from '../../registry/entries.ts'
import type { Feature } from './feature.ts'
import { stringMap } from './prompts.ts'

/** Values in one answer (specification: Completion). */
const MOST_VALUES = 100

/** completion/complete (specification: Completion). A reference that is unknown is an error. */
export const complete: Feature = ({ core, params }) => {
  const ref = readRef(params['ref'])
  const argument = params['argument']
  if (
    !isJsonObject(argument) ||
    typeof argument['name'] !== 'string' ||
    typeof argument['value'] !== 'string'
  ) {
    throw invalid('completion/complete needs params.argument with the strings "name" and "value"')
  }
  const asked = { name: argument['name'], value: argument['value'] }
  const context = params['context']
  const others = stringMap(
    isJsonObject(context) ? context['arguments'] : undefined,
    'completion/complete takes an object of strings in params.context.arguments',
  )
  return {
    type: 'handler',
    timeoutMs: core.limits.handlerMs,
    reentrant: true,
    mayAsk: false,
    run: async (run) => {
      const outcome = await core.registry.complete(ref, asked, others, run)
      if (outcome === undefined) {
        throw invalid(`Unknown reference: ${ref.type === 'ref/prompt' ? ref.name : ref.uri}`)
      }
      const { values, total, hasMore } = outcome
      const more = hasMore ?? (values.length > MOST_VALUES ? true : undefined)
      return {
        completion: {
          values: values.slice(0, MOST_VALUES),
          ...(total === undefined ? {} : { total }),
          ...(more === undefined ? {} : { hasMore: more }),
        },
      }
    },
  }
}

function readRef(ref: unknown): CompletionRef {
  if (isJsonObject(ref)) {
    const { type, name, uri } = ref
    if (type === 'ref/prompt' && typeof name === 'string') return { type, name }
    if (type === 'ref/resource' && typeof uri === 'string') return { type, uri }
  }
  throw invalid(
    'completion/complete needs params.ref: a "ref/prompt" with a name or a "ref/resource" with a uri',
  )
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.invalidParams, message)
}
