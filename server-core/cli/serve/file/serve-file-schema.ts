import { realpathSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { holds } from '../../../sources/inside-folder.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { SUPPORTED } from '../../../protocol/revisions.ts'
import { serveSchema } from '../../../workspace-file/serve-member.ts'
import { SERVE_TRANSPORTS } from '../../../workspace-file/serve-values.ts'
import { UsageError } from '../../output/exit-code.ts'
import { withSecrets } from './serve-authorization.ts'
import { faultWords } from './fault-options.ts'
import { readHostName } from '../host-names.ts'
import { suggest } from '../../flags/suggest.ts'
import type { ServeFileOptions } from '../serve-options.ts'
import { tokensOfMembers } from '../serve-tokens.ts'

/** What a file says, and what is odd about how it says it. */
export type FileOptions = {
  readonly options: ServeFileOptions
  readonly warnings: readonly string[]
}

/** Reads the member `serve` of a `patchbay.json`. Throws a `UsageError` with the path of each fault. */
export function readServeMember(member: unknown, file: string): FileOptions {
  const read = serveSchema.safeParse(member, { error: faultWords })
  if (!read.success) {
    const faults = read.error.issues.map(
      (issue) => `  ${['serve', ...issue.path].join('.')}: ${wordsOf(issue)}`,
    )
    throw new UsageError(`${file} does not say what to serve:\n${faults.join('\n')}`)
  }
  const {
    host,
    port,
    token,
    tokens: named,
    sessionTtl,
    enabled,
    allowHost,
    allowOrigin,
    logLevel,
    authorization,
    record,
    revision: revisions,
  } = read.data
  const tokens = tokensOfMembers(file, token, named)
  const excluded = SERVE_TRANSPORTS.filter((name) => read.data[name] === false)
  const transports = SERVE_TRANSPORTS.filter((name) => read.data[name] ?? read.data.all === true)
  const options: ServeFileOptions = {
    ...(transports.length > 0 ? { transports } : excluded.length > 0 && { excluded }),
    ...(host !== undefined && { host: readHostName(host, `${file}: serve.host`) }),
    ...(port !== undefined && { port }),
    ...(authorization !== undefined && { authorization: withSecrets(authorization, file) }),
    ...(tokens.length > 0 && { tokens }),
    ...(sessionTtl !== undefined && { sessionTtl }),
    ...(enabled === false && { off: true }),
    ...(allowHost !== undefined && {
      allowedHosts: allowHost.map((name) => readHostName(name, `${file}: serve.allowHost`)),
    }),
    ...(allowOrigin !== undefined && { allowedOrigins: allowOrigin }),
    ...(logLevel !== undefined && { logLevel }),
    ...(record !== undefined && { record: recordWithin(record, file) }),
    ...(revisions !== undefined && { revisions: SUPPORTED.filter((known) => revisions.includes(known)) }),
  }
  const known = Object.keys(serveSchema.shape)
  const strangers = Object.keys(isJsonObject(member) ? member : {}).filter((name) => !known.includes(name))
  return { options, warnings: strangers.map((name) => `${file}: ${strangerWords(name, known)}`) }
}

/** A file that came with a folder says nothing about places elsewhere, by a link neither. */
function recordWithin(record: string, file: string): string {
  const folder = path.dirname(file)
  const place = path.resolve(folder, record)
  if (path.isAbsolute(record) || !holds(folder, path.dirname(place)))
    throw new UsageError(
      `${file}: serve.record: expected a file in the folder of this file, got "${record}"; --record takes any`,
    )
  const real = realFolder(path.dirname(place))
  if (real !== undefined && !holds(realFolder(folder) ?? folder, real))
    throw new UsageError(`${file}: serve.record: "${record}" leads out of the folder by a link`)
  return place
}

/** Undefined if it does not exist, which is reported when the file is created. */
function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder)
  } catch {
    return undefined
  }
}

function strangerWords(name: string, known: readonly string[]): string {
  const [near] = suggest(name, known)
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean serve.${near}?`
  return `serve.${name} is not known and is ignored; ${hint}`
}

/** The words of the fault in the variant of a union that went furthest. */
function wordsOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_union') return issue.message
  const inner = issue.errors.flat().findLast((each) => each.path.length > 0) ?? issue.errors.flat()[0]
  if (inner === undefined) return issue.message
  const place = inner.path.length === 0 ? '' : `${inner.path.join('.')}: `
  return `${place}${inner.message}`
}
