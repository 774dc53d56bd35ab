import { expect, test } from 'vitest'
import type { OAuthStep } from '../../oauth/steps.ts'
import { TrafficLog } from '../../capture/traffic-log.ts'
import { StepFrames } from './step-frames.ts'

const URL_OF_TOKENS = 'https://auth.example/token'

function step(id: string, part: Partial<OAuthStep>): OAuthStep {
  return { id, at: 0, kind: 'token', state: 'running', decision: '', why: '', ...part }
}

test('shows each request of a step once, with its response or the reason why it is missing', () => {
  const log = new TrafficLog()
  const frames = new StepFrames(log.tap({ serverId: 's', serverName: 'notes', side: 'client' }))
  const request = { method: 'POST', url: URL_OF_TOKENS, headers: {}, body: 'code=⟨code⟩' } as const
  const response = { status: 400, headers: {}, body: '{"error":"invalid_grant"}' }
  frames.note(step('s1', { state: 'waiting', request }))
  frames.note(step('s1', { request }))
  frames.note(step('s1', { request }))
  frames.note(step('s1', { request, response }))
  frames.note(step('s1', { request, response, state: 'failed', decision: 'The code is invalid.' }))
  frames.note(step('s2', { request }))
  frames.note(step('s2', { request, state: 'failed', decision: 'https://auth.example could not be asked' }))
  frames.note(step('s3', { kind: 'authorization-request', request }))
  const rows = log.rows()
  expect(rows).toMatchObject([
    { kind: 'http', method: 'POST', label: URL_OF_TOKENS, serverId: 's', errorCode: 400, frames: [1, 2] },
    { kind: 'http', outcome: 'lost', errorMessage: 'https://auth.example could not be asked' },
  ])
  expect(log.frames([1, 2]).frames.map(({ text }) => text)).toEqual(['code=⟨code⟩', response.body])
})
