import type { Exchange } from '../../server-core/host/contract/traffic.ts'

/** A row as the host streams it: a tool call that was answered after 40 ms, unless told otherwise. */
export function sampleRow(id: string, more: Partial<Exchange> = {}): Exchange {
  return {
    id,
    serverId: 's',
    serverName: 'everything',
    side: 'client',
    kind: 'request',
    direction: 'sent',
    method: 'tools/call',
    label: 'get-sum',
    startedAt: 1_000,
    endedAt: 1_040,
    outcome: 'ok',
    bytes: 300,
    frames: [1, 2],
    count: 1,
    ...more,
  }
}

/** The same while it is open. */
export function openRow(id: string, more: Partial<Exchange> = {}): Exchange {
  const { endedAt: _ended, ...row } = sampleRow(id)
  return { ...row, outcome: 'open', ...more }
}
