import { expect, it } from 'vitest'
import { ConnectError, RequestFailedError, type ConnectFailureCode } from '../client/errors.ts'
import { TransportError } from '../ports/contract.ts'
import { Redaction } from '../capture/redaction.ts'
import { failureOf } from './failure.ts'

const masking = new Redaction()

const CODES: readonly ConnectFailureCode[] = [
  'spawn-failed', 'process-exited', 'connection-failed', 'certificate', 'http-status', 'unauthorized', 'host-refused', 'not-mcp',
  'limit', 'stalled', 'pipe-closed', 'closed', 'timeout', 'cancelled', 'refused', 'version-mismatch', 'invalid-answer',
] // prettier-ignore

it.each(CODES)('%s has words of its own, whatever is known about it', (code) => {
  for (const evidence of [
    {},
    { url: 'http://a.example:1/mcp', httpStatus: 418 },
    { command: 'x', pid: 1, exitCode: 1 },
  ]) {
    const error = new ConnectError(code, 'the words of the layer below', {
      steps: [],
      evidence,
      ended: Promise.resolve(),
    })
    for (const moment of ['connecting', 'connected'] as const) {
      const failure = failureOf(error, moment, { masking })
      expect(failure.code).toBe(code)
      expect(failure.title).not.toBe('The connection failed')
      expect(failure.title).not.toContain('undefined')
      expect(failure.explanation).not.toContain('undefined')
    }
  }
})

it('leaves the case of an address alone', () => {
  const error = new TransportError('not-mcp', 'https://a.example/mcp sent nothing', {
    url: 'https://a.example/mcp',
  })
  expect(failureOf(error, 'connecting', { masking }).explanation).toMatch(/^https:/)
})

it('says at an address of HTTP+SSE which other one to try', () => {
  for (const httpStatus of [404, 405]) {
    const url = 'http://a.example:1/notes/sse?key=1'
    const error = new TransportError('http-status', 'refused', { url, httpStatus })
    const { explanation } = failureOf(error, 'connecting', { masking })
    expect(explanation).toContain('HTTP+SSE (2024-11-05), which is tried where the transport is automatic')
    expect(explanation).toMatch(/try http:\/\/a\.example:1\/notes\/mcp\.$/)
  }
})

it('says of a server that never answers what it may be doing', () => {
  const error = new ConnectError('timeout', 'no answer to initialize within 60 s', {
    steps: [],
    ended: Promise.resolve(),
    evidence: { command: 'npx -y server', pid: 7, strayOutput: 'Installing…' },
  })
  expect(failureOf(error, 'connecting', { masking })).toMatchObject({
    title: 'The process does not answer',
    explanation:
      'No answer to initialize within 60 s. It runs and says nothing that answers. It may wait for input, still be ' +
      'installing, or be no MCP server. It wrote text on stdout that is not a message; it stands below.',
    pid: 7,
  })
})

it('says of a request that failed on a sound connection nothing about how that is made', () => {
  const late = failureOf(
    new RequestFailedError('timeout', 'no answer to tools/call within 60 s'),
    'connected',
    {
      masking,
      place: 'flags',
    },
  )
  expect(late).toMatchObject({
    title: 'The server does not answer',
    explanation:
      'No answer to tools/call within 60 s. It answered before: it may be busy, or its answer was lost. ' +
      '--timeout MS waits longer.',
  })
  const cancelled = new RequestFailedError('cancelled', 'tools/call was cancelled')
  expect(failureOf(cancelled, 'connected', { masking }).title).toBe('The request was cancelled')
  const broken = new TransportError('not-mcp', 'expected a JSON-RPC answer', { url: 'http://a.example/mcp' })
  const { title, explanation } = failureOf(broken, 'connected', { masking })
  expect(title).toBe('a.example sent an answer that is not MCP')
  expect(explanation).not.toContain('address')
  const html = { url: 'http://a.example/mcp', httpHeaders: { 'content-type': 'text/html' } }
  const page = new TransportError('not-mcp', 'expected a JSON-RPC answer', html)
  expect(failureOf(page, 'connected', { masking }).explanation).toContain(
    'It sent a web page. The connection',
  )
  expect(failureOf(page, 'connecting', { masking }).title).toBe('a.example sent a web page, not MCP')
})

it('finds the transport’s evidence behind other errors, and makes a peer’s text visible', () => {
  const cause = new TransportError('process-exited', 'exited', {
    exitCode: 2,
    stderr: '\u001b]0;evil\u0007\u202egnp.exe',
  })
  const failure = failureOf(new Error('wrapped', { cause }), 'connected', { masking })
  expect(failure).toMatchObject({ code: 'process-exited', exitCode: 2 })
  expect(failure.stderr).toBe('⟨U+202E⟩gnp.exe')
})
