import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { Redaction } from '../../capture/redaction.ts'
import { leftOpen } from '../../left-open.test-support.ts'
import { CallFiles } from '../window-state/call-files.ts'
import { CallHistory } from './call-history.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-history-'))
  leftOpen.push(() => rm(folder, { recursive: true, force: true }))
})

function files(): CallFiles {
  const masks = new Redaction()
  const opened = new CallFiles({
    folder,
    masks: () => masks,
    onSetAside: ({ reason }) => expect.unreachable(reason),
    onTrouble: (detail) => expect.unreachable(detail),
  })
  leftOpen.push(() => opened.close())
  return opened
}

const call = (callId: string, message = '') => ({
  callId,
  at: 1,
  argumentsText: '{}',
  outcome: { type: 'failure', code: 'timeout', message, durationMs: 1, revision: '' } as const,
})

it('keeps the newest fifty calls of each tab', async () => {
  const history = new CallHistory(files())
  history.add('other', call('its own'), true)
  for (let index = 0; index < 60; index += 1) history.add('tab', call(String(index)), true)
  expect((await history.of('tab')).map(({ callId }) => callId)).toEqual(
    Array.from({ length: 50 }, (_, index) => String(59 - index)),
  )
  expect(await history.of('other')).toHaveLength(1)
  expect(history.outcome('9')).toBeUndefined()
})

it('discards the oldest calls beyond a bound of characters, and always keeps the newest', async () => {
  const history = new CallHistory(files())
  const large = 'x'.repeat(30 * 1024 * 1024)
  const counts = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await history.of(id)).length))
  for (const id of ['a', 'b', 'c']) history.add(id, call(id, large), true)
  expect(await counts(['a', 'b', 'c'])).toEqual([0, 1, 1])
  history.add('d', call('d', 'x'.repeat(70 * 1024 * 1024)), true)
  expect(await counts(['b', 'c', 'd'])).toEqual([0, 0, 1])
})

it('has the calls of earlier runs, and those that never ended as interrupted', async () => {
  const before = files()
  const killed = new CallHistory(before)
  killed.started('tab', { callId: 'answered', at: 1, argumentsText: '{}' })
  killed.add('tab', call('answered', 'no'), true)
  killed.started('tab', { callId: 'open', at: 2, argumentsText: '{ "n": 1 }' })
  await before.close()

  const history = new CallHistory(files())
  history.started('tab', { callId: 'new', at: 3, argumentsText: '{}' })
  history.add('tab', { ...call('new'), at: 3 }, true)
  expect(await history.of('tab')).toMatchObject([
    { callId: 'new' },
    { callId: 'open', argumentsText: '{ "n": 1 }', outcome: { code: 'interrupted' }, isEarlier: true },
    { callId: 'answered', outcome: { message: 'no' }, isEarlier: true },
  ])
  expect((await history.of('tab'))[0]).not.toHaveProperty('isEarlier')
})

it('stores no call of a server whose traffic is not recorded', async () => {
  const before = files()
  const history = new CallHistory(before)
  history.add('tab', call('unrecorded'), false)
  expect(await history.of('tab')).toHaveLength(1)
  await before.close()
  expect(await new CallHistory(files()).of('tab')).toEqual([])
})
