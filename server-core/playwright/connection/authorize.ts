import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import type { AuthorizationOption } from '../options.ts'

/** The headers or the OAuth client of an `authorization` option. */
export type Authorized = {
  readonly headers?: Readonly<Record<string, string>>
  readonly authorization?: ClientAuthorization
}

/** What requests to a URL carry. OAuth is loaded only where it is used. */
export async function authorize(option: AuthorizationOption | undefined, url: string): Promise<Authorized> {
  if (option === undefined) return {}
  if ('bearer' in option) return { headers: { authorization: `Bearer ${option.bearer}` } }
  if ('username' in option) {
    const credentials = Buffer.from(`${option.username}:${option.password}`).toString('base64')
    return { headers: { authorization: `Basic ${credentials}` } }
  }
  const { clientCredentials } = await import('./client-credentials.ts')
  return { authorization: await clientCredentials(option, url) }
}
