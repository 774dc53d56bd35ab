import { resourcesOf, type ResourceServerOptions } from './options.ts'

/** One resource of the server, and where its metadata is. */
export type DescribedResource = {
  readonly path: string
  readonly metadataPath: string
  readonly metadataUrl: string
  readonly document: string
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** Describes each resource (RFC 9728): the document, and the path-inserted place where clients look for it. */
export function describeResources(
  options: ResourceServerOptions,
  scopes: readonly string[],
): readonly DescribedResource[] {
  const { authorizationServers, name, documentation } = options
  const listed = (options.scopesSupported ?? scopes).filter((scope) => scope !== 'offline_access')
  return resourcesOf(options).map((resource) => {
    const { origin, pathname, search } = new URL(resource)
    const path = pathname === '/' ? '' : pathname
    return {
      path,
      metadataPath: `${WELL_KNOWN}${path}`,
      metadataUrl: `${origin}${WELL_KNOWN}${path}${search}`,
      document: JSON.stringify({
        resource,
        authorization_servers: authorizationServers.map(({ issuer }) => issuer),
        ...(listed.length === 0 ? {} : { scopes_supported: listed }),
        bearer_methods_supported: ['header'],
        ...(name === undefined ? {} : { resource_name: name }),
        ...(documentation === undefined ? {} : { resource_documentation: documentation }),
      }),
    }
  })
}

/** The documents by path; the first resource's is at the root too, where some clients look only. */
export function documentsByPath(resources: readonly DescribedResource[]): ReadonlyMap<string, string> {
  const documents = new Map(resources.map(({ metadataPath, document }) => [metadataPath, document]))
  const [first] = resources
  if (first !== undefined && !documents.has(WELL_KNOWN)) documents.set(WELL_KNOWN, first.document)
  return documents
}
