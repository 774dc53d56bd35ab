import type { ToolChoice } from '../bridge/member-names.ts'
import type { OpenUpstream } from '../bridge/upstream.ts'
import type { Identity } from '../client/envelope.ts'
import type { ProxyData } from './config-data.ts'
import type { Source } from './source.ts'

export type ProxiedServer = {
  readonly source: Source
  /** Resolves once the server was tried: with nothing if it is there, else with the reason. */
  readonly settled: Promise<Error | undefined>
  close(): Promise<void>
}

export type ProxyParts = {
  readonly id: string
  /** The way to an approved entry: nothing is started because a configuration says so. */
  readonly open: OpenUpstream
  readonly identity: Identity
  readonly file?: string | undefined
  readonly amend?: Source['amend']
  /** Milliseconds before a server that is gone is tried again, twice as many each time; 1,000. */
  readonly retryMs?: number
}

/**
 * Serves another server on as a source: progress, logs, questions, cancellation and subscriptions go on. While it is
 * down its entries are listed as failing, and it is tried again by itself.
 */
export async function openProxy(data: ProxyData, parts: ProxyParts): Promise<ProxiedServer> {
  const { SharedRemote } = await import('../bridge/shared-remote.ts')
  const { server, prefix, separator, only, except } = data
  const { id, open, identity, file, amend, retryMs } = parts
  const tools: ToolChoice = {
    ...(only !== undefined && { include: only }),
    ...(except !== undefined && { exclude: except }),
  }
  const remote = new SharedRemote({ alias: server, open, identity, tools, retryMs })
  return {
    source: {
      id,
      origin: { kind: 'proxy', label: server, ...(file !== undefined && { file }) },
      view: remote.view,
      prefix,
      separator,
      amend,
      trouble: {
        failure: () =>
          remote.down === undefined ? undefined : { code: 'unreachable', message: remote.down },
        onChange: (listener) => remote.onState(listener),
      },
    },
    settled: remote.settled,
    close: () => remote.close(),
  }
}
