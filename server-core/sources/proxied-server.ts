import type { ToolSelection } from './proxy/member-names.ts'
import { SharedRemote } from './proxy/shared-remote.ts'
import type { OpenUpstream } from './proxy/upstream.ts'
import type { Identity } from '../client/envelope.ts'
import type { ProxyData } from './config-data.ts'
import type { OpenedSource } from './opened-source.ts'
import type { EntryFault, Source } from './source.ts'

export type ProxiedServer = OpenedSource & {
  /** Resolves once the server was tried: with nothing if it is there, else with the reason. */
  readonly settled: Promise<Error | undefined>
}

export type ProxyParts = {
  readonly id: string
  /** The way to an approved entry: nothing is started because a configuration says so. */
  readonly open: OpenUpstream
  readonly identity: Identity
  readonly file?: string | undefined
  readonly amend?: Source['amend']
  /** Milliseconds before a disconnected server is tried again, twice as many each time; 1,000. */
  readonly retryMs?: number
}

/**
 * Serves another server on as a source: progress, logs, questions, cancellation and subscriptions go on. While it is
 * down its entries are listed as failing, and it is tried again by itself.
 */
export function openProxy(data: ProxyData, parts: ProxyParts): ProxiedServer {
  const { server, prefix, separator, only, except } = data
  const { id, open, identity, file, amend, retryMs } = parts
  const tools: ToolSelection = {
    ...(only !== undefined && { only }),
    ...(except !== undefined && { except }),
  }
  const remote = new SharedRemote({ alias: server, open, identity, tools, retryMs })
  const failure = (): EntryFault | undefined =>
    remote.down === undefined ? undefined : { code: 'unreachable', message: remote.down }
  return {
    source: {
      id,
      origin: { kind: 'proxy', label: server, ...(file !== undefined && { file }) },
      view: remote.view,
      prefix,
      separator,
      amend,
      trouble: { failure, onChange: (listener) => remote.onState(listener) },
    },
    fault: failure,
    onFault: (listener) => remote.onState(listener),
    settled: remote.settled,
    close: () => remote.close(),
  }
}
