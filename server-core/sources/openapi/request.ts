import type { GuardedRequest } from '../../network/guarded-fetch.ts'
import type { ArgumentNames } from './argument-names.ts'
import { writeBody } from './body.ts'
import { CallError } from './call-error.ts'
import type { Media, Operation, Parameter } from './operation.ts'
import type { Admission } from './security.ts'
import { cookieParts, headerText, pathText, queryParts } from './serialise.ts'

export type RequestParts = {
  readonly operation: Operation
  readonly names: ArgumentNames
  /** Of the body, if there is one. */
  readonly media: Media | undefined
  /** The schema of a member of a form. */
  readonly memberOf: (name: string) => unknown
  /** Without a slash at its end. */
  readonly baseUrl: string
  readonly accept: string
}

export type BuiltRequest = { readonly url: string; readonly request: GuardedRequest }

/** Makes the request of a call. Throws a `CallError` that says which argument cannot be sent. */
export function buildRequest(
  parts: RequestParts,
  args: Readonly<Record<string, unknown>>,
  admission: Admission,
): BuiltRequest {
  const { operation, names, media, memberOf, baseUrl, accept } = parts
  const given = names.parameters.flatMap(([name, parameter]): (readonly [Parameter, unknown])[] => {
    const value = args[name]
    return value === undefined || value === null ? [] : [[parameter, asJson(parameter, value)]]
  })
  const of = (place: Parameter['in']) => given.filter(([parameter]) => parameter.in === place)
  const query = [...of('query').flatMap(([as, value]) => queryParts(as, value)), ...admission.query]
  const cookies = [...of('cookie').flatMap(([as, value]) => cookieParts(as, value)), ...admission.cookies]
  const path = filledPath(operation.path, of('path'))
  const headers: Record<string, string> = { accept }
  for (const [as, value] of of('header')) {
    const text = headerText(as, value) ?? ''
    // What HTTP cannot carry in a header would end the request in the middle, or the header.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      throw new CallError(
        'invalid-arguments',
        `"${as.name}" goes in a header, which takes one line of Latin-1 characters`,
      )
    }
    headers[as.name.toLowerCase()] = text
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ')
  const content = names.body === undefined ? undefined : args[names.body]
  const body = media === undefined || content === undefined ? undefined : writeBody(media, content, memberOf)
  if (body !== undefined) headers['content-type'] = body.contentType
  return {
    url: `${baseUrl}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    request: {
      method: operation.method.toUpperCase(),
      // What the configuration says stands over what the model says.
      headers: { ...headers, ...admission.headers, ...joinedCookies(headers, admission) },
      ...(body !== undefined && { body: body.bytes }),
    },
  }
}

function joinedCookies(headers: Readonly<Record<string, string>>, { headers: given }: Admission) {
  const { cookie: own } = headers
  const { cookie: configured } = given
  return own === undefined || configured === undefined ? {} : { cookie: `${configured}; ${own}` }
}

function asJson({ json }: Parameter, value: unknown): unknown {
  return json ? JSON.stringify(value) : value
}

function filledPath(path: string, given: readonly (readonly [Parameter, unknown])[]): string {
  const filled = path.replaceAll(/\{([^{}]+)\}|[^{}]+/g, (part: string, name: string | undefined) => {
    // What is percent-encoded in the document already stays so.
    if (name === undefined) return encodeURI(part).replaceAll('%25', '%')
    const found = given.find(([parameter]) => parameter.name === name)
    const text = found === undefined ? undefined : pathText(...found)
    if (text === undefined || text === '') {
      throw new CallError(
        'invalid-arguments',
        `"${name}" is part of the path and needs a value that is not empty`,
      )
    }
    return text
  })
  // These would lead to another operation than the one that was called.
  if (filled.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw new CallError('invalid-arguments', 'a value in the path cannot be "." or ".."')
  }
  return filled
}
