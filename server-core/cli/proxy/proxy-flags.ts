import path from 'node:path'
import { readCertificateFlags } from '../connection/client-flags.ts'
import { UsageError } from '../output/exit-code.ts'
import { parseFlags } from '../flags/parse-flags.ts'
import { SERVE_FLAGS, serveFlagsOf, type ServeFlags } from '../serve/serve-options.ts'
import type { CertificateFlags } from '../connection/trusted-certificates.ts'
import { readTarget, type Target } from '../connection/target.ts'

/** `patchbay proxy`: which servers, and how they are served on. */
export type ProxyCommand = {
  readonly type: 'proxy'
  readonly flags: ServeFlags
  /** Those of the file if there are none. */
  readonly targets: readonly Target[]
  /** Entries on a page of a list; the usual number unless told. */
  readonly pageItems?: number
  /** Patchbay's data folder. */
  readonly profile?: string
  readonly certificates?: CertificateFlags
}

const FLAGS = {
  ...SERVE_FLAGS,
  url: { type: 'string' },
  server: { type: 'string', multiple: true },
  header: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  cwd: { type: 'string' },
  transport: { type: 'string' },
  'page-items': { type: 'string' },
  cacert: { type: 'string' },
  insecure: { type: 'boolean' },
} as const

/** Reads the words after `proxy`. Throws a `UsageError` that says what was expected. */
export function readProxy(words: readonly string[]): ProxyCommand | 'help' {
  const at = words.indexOf('--')
  const ours = at === -1 ? words : words.slice(0, at)
  const command = at === -1 ? undefined : words.slice(at + 1)
  const { values, positionals } = parseFlags(ours, FLAGS)
  if (values.help === true) return 'help'
  const [stray] = positionals
  if (stray !== undefined)
    throw new UsageError(
      `proxy does not take "${stray}"; a command goes after --, a stored server after --server`,
    )
  const { url, server, header, env, cwd, profile, workspace, transport } = values
  const pageItems = values['page-items']
  const isNamed = url !== undefined || server !== undefined || command !== undefined
  const targets = () => {
    if (server === undefined) return [readTarget({ url, header, env, cwd, transport }, command)]
    return server.map((name) =>
      readTarget({ url, header, env, cwd, transport, server: name, profile, workspace }, command),
    )
  }
  if (!isNamed) refuseQualifiers({ header, env, cwd, transport })
  return {
    type: 'proxy',
    flags: serveFlagsOf(values),
    targets: isNamed ? targets() : [],
    ...(pageItems !== undefined && { pageItems: readPageItems(pageItems) }),
    ...(profile !== undefined && { profile: path.resolve(profile) }),
    ...readCertificateFlags(values, command),
  }
}

function refuseQualifiers(flags: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(flags)) {
    if (value !== undefined)
      throw new UsageError(`--${name} goes with a server: --url, --server or -- COMMAND`)
  }
}

function readPageItems(text: string): number {
  const count = Number(text)
  if (!/^\d+$/.test(text) || count < 1 || count > 100_000)
    throw new UsageError(`--page-items expects a number from 1 to 100000, got "${text}"`)
  return count
}
