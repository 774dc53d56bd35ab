import { describe, expect, it } from 'vitest'
import type { Failure, ServerState } from '../../server-core/host/contract/servers.ts'
import { accusedLine, evidenceOf, failureReport, numberedLines } from './failure-report.ts'

const failure: Failure = {
  code: 'exited',
  title: 'exited with code 1',
  explanation: 'It ended before initialize was answered.',
  stderr: "node:internal\nError: Cannot find module './rules.js'\n    at load\nNode.js v24\n",
  strayOutput: 'loading',
  exitCode: 1,
  at: 0,
}
const server: ServerState = {
  id: 'b',
  name: 'birds',
  origin: 'user',
  transport: 'stdio',
  chosen: { transport: 'stdio', protocol: 'auto' },
  declaration: { identity: { name: 'patchbay', version: '0' }, capabilities: {}, isChosen: false },
  summary: 'node birds.js',
  approval: 'approved',
  status: 'failed',
  failure,
  probe: [{ step: 'initialize', outcome: 'process ended' }],
}

describe('the report of a failure', () => {
  it('numbers lines and finds the one that names the error', () => {
    const lines = numberedLines(failure.stderr ?? '')
    expect(lines).toHaveLength(4)
    expect(accusedLine(lines)).toBe(2)
    expect(accusedLine(numberedLines('all is well\n'))).toBeUndefined()
  })

  it('returns evidence of every kind and omits empty parts', () => {
    expect(evidenceOf({ ...failure, stderr: '', httpStatus: 503, httpHeaders: { server: 'x' } })).toEqual([
      { title: 'stdout, first line that is not JSON', text: 'loading', matters: 'first' },
      { title: 'HTTP 503', text: 'server: x', matters: 'first' },
    ])
  })

  it('contains all details of the failure', () => {
    const report = failureReport(server, failure, '0.1.0')
    for (const part of [
      'exited with code 1',
      'node birds.js',
      'exit code: 1',
      'rules.js',
      'process ended',
      '0.1.0',
    ]) {
      expect(report).toContain(part)
    }
  })
})
