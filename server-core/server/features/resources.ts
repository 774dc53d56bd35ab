import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { ResourceNotFoundError } from '../../registry/errors.ts'
import { UNCACHED } from '../caching.ts'
import type { WireResult } from '../result-metadata.ts'
import type { Feature } from './feature.ts'

/** resources/read (specification: Resources, Reading Resources). A missing resource is an error, never empty. */
export const readResource: Feature = ({ core, params }) => {
  const uri = resourceUri(params, 'resources/read')
  const resource = core.registry.resourceFor(uri)
  if (resource === undefined) throw new ResourceNotFoundError(uri)
  return {
    type: 'handler',
    timeoutMs: core.limits.handlerMs,
    reentrant: resource.reentrant,
    mayAsk: true,
    cache: resource.cache ?? UNCACHED,
    run: async (run) => {
      const outcome = await resource.read(run)
      const result: WireResult = { ...outcome.others, contents: outcome.contents }
      if (outcome.meta !== undefined) result['_meta'] = outcome.meta
      return result
    },
  }
}

/** The `uri` of a request. Throws a `ProtocolError` (`invalidParams`) if it is not a string. */
export function resourceUri(params: JsonObject, method: string): string {
  const uri = params['uri']
  if (typeof uri !== 'string') {
    throw new ProtocolError(ErrorCode.invalidParams, `${method} needs the URI of a resource in params.uri`)
  }
  return uri
}
