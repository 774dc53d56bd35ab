import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { CompositionError } from '../composition-error.ts'
import type { Documents } from './documents.ts'
import type { Operation } from './operation.ts'

/**
 * Where requests of an operation go: what the configuration says, else the first server of the operation, of its path,
 * of the document, or the place of the document itself (OpenAPI, Server Object). Throws a `CompositionError` if none of
 * them is an address.
 */
export function baseUrlOf(documents: Documents, operation: Operation, given: string | undefined): URL {
  const { servers } = documents.root
  const ofDocument = Array.isArray(servers) ? servers.filter(isJsonObject) : []
  const [server] = operation.servers ?? ofDocument
  const text = given ?? (server === undefined ? '/' : withVariables(server))
  const url = URL.parse(text, documents.uri)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    url.hash = ''
    url.search = ''
    return url
  }
  const message = `"${text}" is not where requests can go; give baseUrl, such as "https://api.example.com/v1"`
  throw new CompositionError('configuration', message)
}

/** Variables have their defaults. */
function withVariables(server: JsonObject): string {
  const { url, variables } = server
  const values = isJsonObject(variables) ? variables : {}
  return (typeof url === 'string' ? url : '/').replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = Object.hasOwn(values, name) ? values[name] : undefined
    const text = isJsonObject(variable) ? variable['default'] : undefined
    return typeof text === 'string' || typeof text === 'number' ? String(text) : whole
  })
}
