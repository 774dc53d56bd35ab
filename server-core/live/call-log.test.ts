import { expect, it } from 'vitest'
import { MemoryStore } from '../registry/memory-store.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { Redaction } from '../capture/redaction.ts'
import { CallCounts } from './call-counts.ts'
import { CallLog } from './call-log.ts'
import { ScriptLog } from './script-log.ts'

const STORED = `stored-${'x'.repeat(100)}`

it('reports what a script was called with, but no secret: by its name, or because it is known', () => {
  const masking = new Redaction()
  masking.register(STORED)
  const log = new ScriptLog(() => undefined, masking)
  const calls = new CallLog(new CallCounts(), log, masking, () => undefined)
  const args = {
    city: 'Bergen',
    password: 'hunter2',
    nested: [{ apiKey: 'k-1', accessToken: { value: 't-1' }, pin: 4711, maxTokens: 5 }],
    header: `Bearer ${STORED}`,
    [STORED]: '',
    secret: '',
  }
  const invocation = new ScriptedInvocation({ store: new MemoryStore() })
  calls
    .began('tool:say', 'say', args, invocation, { file: 'tools/say.ts', revision: 1 })
    .ended(`no: ${STORED}`)
  log.write({ file: 'tools/say.ts', revision: 1, kind: 'stdout', text: `asked with ${STORED}` })
  const shown = {
    city: 'Bergen',
    password: '⟨redacted⟩',
    nested: [{ apiKey: '⟨redacted⟩', accessToken: '⟨redacted⟩', pin: '⟨redacted⟩', maxTokens: 5 }],
    header: 'Bearer ⟨redacted⟩',
    '⟨redacted⟩': '',
    secret: '',
  }
  expect(log.lines().map(({ text }) => text.replace(/\(after .*\)/, '(after a while)'))).toEqual([
    `say ${JSON.stringify(shown)} from a client without a name`,
    'no: ⟨redacted⟩ (after a while)',
    'asked with ⟨redacted⟩',
  ])
  const headers = { Cookie: 'c-1', Accept: '*/*' }
  calls.began('tool:get', 'get', { headers }, invocation, { file: 'tools/get.ts', revision: 1 })
  const [line] = log.lines('tools/get.ts')
  expect(line?.text).toContain('{"headers":{"Cookie":"⟨redacted⟩","Accept":"*/*"}}')
})
