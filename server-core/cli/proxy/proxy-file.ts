import type { z } from 'zod'
import type { UpstreamServer } from '../../sources/proxy/downstream-server.ts'
import type { ToolSelection } from '../../sources/proxy/member-names.ts'
import { proxyMemberSchema } from '../../workspace-file/proxy-member.ts'
import { UsageError } from '../output/exit-code.ts'
import { faultWords } from '../serve/file/fault-options.ts'

/** A stored server of the file, and which of its tools are exposed under which names. */
export type FileServer = Pick<UpstreamServer, 'prefix' | 'separator'> & {
  readonly alias: string
  readonly name: string
  readonly tools: ToolSelection
}

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
    servers: Object.entries(servers).map(([alias, server]) => ({
      alias,
      name: server.server ?? alias,
      ...(server.prefix !== undefined && { prefix: server.prefix }),
      ...(server.separator !== undefined && { separator: server.separator }),
      tools: selectionOf(server),
    })),
    ...(pageItems !== undefined && { pageItems }),
  }
}

function selectionOf({
  include,
  exclude,
  only = include,
  except = exclude,
  rename,
}: z.infer<typeof proxyMemberSchema>['servers'][string]): ToolSelection {
  return {
    ...(only !== undefined && { only }),
    ...(except !== undefined && { except }),
    ...(rename !== undefined && { rename }),
  }
}
