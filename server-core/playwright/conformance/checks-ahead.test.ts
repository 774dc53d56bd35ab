import { expect, it } from 'vitest'
import { ChecksAhead } from './checks-ahead.ts'

const IDS = Array.from({ length: 20 }, (_, index) => `check-${index}`)

function recorded(): { ahead: ChecksAhead<string>; ran: string[] } {
  const ran: string[] = []
  const ahead = new ChecksAhead(IDS, (id) => {
    ran.push(id)
    return Promise.resolve(id)
  })
  return { ahead, ran }
}

it('runs a check alone until tests ask for them in order', async () => {
  const { ahead, ran } = recorded()
  expect(await ahead.take('check-3')).toBe('check-3')
  expect(ran).toEqual(['check-3'])
  expect(await ahead.take('check-4')).toBe('check-4')
  expect(ran).toEqual(IDS.slice(3, 12))
  await ahead.take('check-5')
  expect(ran).toEqual(IDS.slice(3, 13))
})

it('runs a check again for the next test that asks for it', async () => {
  const { ahead, ran } = recorded()
  await ahead.take('check-7')
  await ahead.take('check-7')
  expect(ran).toEqual(['check-7', 'check-7'])
})

it('runs a check that is not in order only when it is asked for', async () => {
  const { ahead, ran } = recorded()
  await ahead.take('check-0')
  await ahead.take('passive')
  await ahead.take('check-1')
  expect(ran).toEqual(['check-0', 'passive', 'check-1'])
})
