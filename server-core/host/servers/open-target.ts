import type { ProcessRegistry } from '../../processes/process-registry.ts'
import type { ClientAuthorization } from '../../ports/client-authorization.ts'
import { transportsFor, type TransportFactory } from '../../transports/opener.ts'
import type { Tap } from '../../ports/tap.ts'
import type { Approvable } from '../../profile/approvals.ts'
import { adoptLoginPath } from '../processes/login-path.ts'
import { pairsToRecord } from '../../profile/pairs.ts'

/** The ways to an approved target. They start a process or open a socket when they are used, not before. */
export function openTarget(
  target: Approvable,
  parts: { readonly tap: Tap; readonly processes: ProcessRegistry },
  authorization?: ClientAuthorization,
): TransportFactory {
  if (target.transport === 'stdio') {
    const { transport, command, args, cwd, env } = target
    const { open } = transportsFor({ transport, command, args, cwd, env: pairsToRecord(env) }, parts)
    return {
      open: async () => {
        await adoptLoginPath()
        return open()
      },
    }
  }
  const { transport, url } = target
  const headers = pairsToRecord(target.headers)
  if (target.bearerToken !== undefined) headers['authorization'] = `Bearer ${target.bearerToken}`
  return transportsFor(
    { transport, url, headers, ...(authorization === undefined ? {} : { authorization }) },
    parts,
  )
}
