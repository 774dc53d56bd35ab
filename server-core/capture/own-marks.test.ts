import { expect, test } from 'vitest'
import { call, encoder, facts, message, result, SOURCE, talk } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const discover = { jsonrpc: '2.0', id: 'd', method: 'server/discover', params: {} }
const refusal = { jsonrpc: '2.0', id: 'd', error: { code: -32601, message: 'Method not found' } }

test('marks the probe of a client until the two sides agreed', () => {
  const { rows } = talk(
    message('sent', discover),
    message('sent', { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }),
    message('received', refusal),
    message('received', result(0)),
    message('sent', discover),
    message('received', refusal),
  )
  expect(rows.map(({ method, probe, outcome }) => [method, probe, outcome])).toEqual([
    ['server/discover', true, 'error'],
    ['initialize', undefined, 'ok'],
    ['server/discover', undefined, 'error'],
  ])
})

test('does not mark what other clients request from our own server', () => {
  const log = new TrafficLog()
  log.tap({ ...SOURCE, side: 'server' }).record(message('received', discover))
  expect(log.rows()[0]?.probe).toBeUndefined()
})

test.each([
  ['over HTTP', facts(1)],
  ['over stdio', undefined],
])('marks the request that a fault hit (%s)', (_, http) => {
  const log = new TrafficLog()
  const tap = log.tap({ ...SOURCE, side: 'server' })
  tap.record(message('received', call(1), http))
  tap.record({
    kind: 'fault',
    direction: 'sent',
    bytes: encoder.encode('delay: 300 ms'),
    ...(http === undefined ? {} : { http }),
  })
  tap.record(message('sent', result(1), http && { ...http, status: 200 }))
  const [request, fault] = log.rows()
  expect(request).toMatchObject({ outcome: 'ok', faults: ['delay: 300 ms'] })
  expect(fault).toMatchObject({ kind: 'fault', parentId: request?.id })
})
