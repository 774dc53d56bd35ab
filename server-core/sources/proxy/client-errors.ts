import { versionClaim } from '../../protocol/era.ts'
import type { Declaration } from '../../client/declaration.ts'
import { TASKS_EXTENSION } from '../../protocol/extension-ids.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { JsonRpcRequest } from '../../protocol/messages.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'

/** Who a client is and what it answers, by its own words, for servers behind that are asked in its place. */
export function clientErrorText(message: JsonRpcRequest, proxy: Declaration['identity']): Declaration {
  const { params = {}, method } = message
  const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
  if (method !== 'initialize' && versionClaim(message) === undefined)
    return { identity: proxy, capabilities: {} }
  const [info, capabilities] =
    method === 'initialize'
      ? [params['clientInfo'], params['capabilities']]
      : [meta[MetaKey.clientInfo], meta[MetaKey.clientCapabilities]]
  return declarationOf(info, capabilities, proxy)
}

/** What a client said of itself, as a declaration; `proxy` replaces a missing name. */
export function declarationOf(
  info: unknown,
  capabilities: unknown,
  proxy: Declaration['identity'],
): Declaration {
  return { identity: identityOf(info) ?? proxy, capabilities: declared(capabilities) }
}

function identityOf(info: unknown): Declaration['identity'] | undefined {
  if (!isJsonObject(info)) return undefined
  const { name, version } = info
  return typeof name === 'string' && typeof version === 'string' ? { ...info, name, version } : undefined
}

/** A client that knows tasks of one kind gets those of the other kind too, as far as a proxy can say them. */
function declared(capabilities: unknown): JsonObject {
  if (!isJsonObject(capabilities)) return {}
  if (!isJsonObject(capabilities['tasks'])) return capabilities
  const extensions = isJsonObject(capabilities['extensions']) ? capabilities['extensions'] : {}
  return { ...capabilities, extensions: { [TASKS_EXTENSION]: {}, ...extensions } }
}
