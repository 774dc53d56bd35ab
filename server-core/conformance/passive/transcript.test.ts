import { expect, it } from 'vitest'
import type { HttpFacts } from '../../ports/tap.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { messagesOf } from './transcript.ts'

const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }

function revisionsOf(
  own: Revision,
  messages: readonly { from: 'client' | 'server'; value: Record<string, unknown>; version?: string }[],
): readonly Revision[] {
  const log = new FrameLog()
  const connection = log.connection('http', own)
  for (const { from, value, version } of messages) {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version }
    const http: HttpFacts = { exchange: 1, method: 'POST', url: '/mcp', headers }
    log.record(connection, {
      kind: 'message',
      from,
      bytes: Buffer.from(JSON.stringify(value)),
      value,
      http,
    })
  }
  return messagesOf(log.frames, own).map(({ revision }) => revision)
}

it('reads an older session beside modern requests by its own revision', () => {
  const revisions = revisionsOf('2026-07-28', [
    { from: 'client', value: { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } } },
    { from: 'server', value: { id: 1, result: {} } },
    { from: 'client', value: { id: 2, method: 'ping' }, version: '2025-11-25' },
    { from: 'server', value: { id: 2, result: {} } },
    {
      from: 'client',
      value: { id: 3, method: 'tools/list', params: { _meta: META } },
      version: '2026-07-28',
    },
    { from: 'server', value: { id: 3, result: {} } },
  ])
  expect(revisions).toEqual([...Array.from({ length: 4 }, () => '2025-11-25'), '2026-07-28', '2026-07-28'])
})

it('keeps the revision of the connection for what names no older one', () => {
  expect(
    revisionsOf('2026-07-28', [
      // The header contradicts the body: a modern request, which the server has to refuse.
      {
        from: 'client',
        value: { id: 1, method: 'tools/list', params: { _meta: META } },
        version: '2025-06-18',
      },
      { from: 'client', value: { id: 2, method: 'tools/list' }, version: 'v999' },
      { from: 'server', value: { id: 9, result: {} } },
    ]),
  ).toEqual(['2026-07-28', '2026-07-28', '2026-07-28'])
  expect(
    revisionsOf('2025-06-18', [{ from: 'client', value: { id: 1, method: 'ping' }, version: '2025-11-25' }]),
  ).toEqual(['2025-06-18'])
})
