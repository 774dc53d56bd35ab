import type { ToolChoice } from '../sources/proxy/member-names.ts'
import { proxyMemberSchema } from '../workspace-file/proxy-member.ts'
import { UsageError } from './exit-code.ts'
import { faultWords } from './fault-options.ts'

/** A server of the file: a stored one, and which of its tools are shown. */
export type FileServer = { readonly alias: string; readonly name: string; readonly tools: ToolChoice }

/** What the member `proxy` of a `patchbay.json` says. */
export type ProxyFile = { readonly servers: readonly FileServer[]; readonly pageItems?: number }

/**
 * Reads the member `proxy` of a `patchbay.json`. It names stored servers alone: those were approved, and nothing is
 * started because a file says so.
 *
 * @param file for errors
 * @throws UsageError with the path of each fault
 */
export function readProxyMember(member: unknown, file: string): ProxyFile {
  if (member === undefined) return { servers: [] }
  const read = proxyMemberSchema.safeParse(member, { error: faultWords })
  if (!read.success) {
    const faults = read.error.issues.map(
      ({ path: at, message }) => `  ${['proxy', ...at].join('.')}: ${message}`,
    )
    throw new UsageError(`${file} has an invalid member:\n${faults.join('\n')}`)
  }
  const { servers, pageItems } = read.data
  return {
    servers: Object.entries(servers).map(([alias, { server = alias, include, exclude, rename }]) => ({
      alias,
      name: server,
      tools: {
        ...(include !== undefined && { include }),
        ...(exclude !== undefined && { exclude }),
        ...(rename !== undefined && { rename }),
      },
    })),
    ...(pageItems !== undefined && { pageItems }),
  }
}
