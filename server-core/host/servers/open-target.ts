import type { ClientTransport } from '../../transports/contract.ts'
import { httpTransport } from '../../transports/http-client.ts'
import { stdioTransport } from '../../transports/stdio-client.ts'
import type { Tap } from '../../transports/tap.ts'
import type { Approvable } from '../../workspace/approvals.ts'
import { guardedTransport } from '../processes/guarded-transport.ts'
import { pairsToRecord } from './pairs.ts'

/** The transport of an approved target. It starts a process or opens a socket when it is started, not before. */
export function openTarget(target: Approvable, tap: Tap): ClientTransport {
  if (target.transport === 'stdio') {
    const { command, args, cwd, env } = target
    return guardedTransport(stdioTransport({ command, args, cwd, env: pairsToRecord(env), tap }))
  }
  const headers = pairsToRecord(target.headers)
  if (target.bearerToken !== undefined) headers['authorization'] = `Bearer ${target.bearerToken}`
  return httpTransport({ url: target.url, headers, tap })
}
