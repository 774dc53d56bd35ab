import { expect, test } from 'vitest'
import { GivenAnswers } from './given-answers.ts'

const taken = (): boolean => true

test('a question is answered once, however often that is pressed until it is seen to be over', async () => {
  const given = new GivenAnswers()
  const sent: string[] = []
  const send = (answer: string) => async () => {
    sent.push(answer)
    await Promise.resolve()
    return answer
  }
  const first = given.give('a', send('yes'), taken)
  expect(await given.give('a', send('no'), taken)).toBeUndefined()
  expect(await first).toBe('yes')
  expect(await given.give('a', send('no'), taken)).toBeUndefined()
  expect(await given.give('b', send('another'), taken)).toBe('another')
  expect(sent).toEqual(['yes', 'another'])
})

test('a rejected or failed answer can be given again', async () => {
  const given = new GivenAnswers()
  expect(
    await given.give(
      'a',
      () => Promise.resolve('does not fit'),
      (reply) => reply === 'taken',
    ),
  ).toBe('does not fit')
  await expect(given.give('a', () => Promise.reject(new Error('lost')), taken)).rejects.toThrow('lost')
  expect(await given.give('a', () => Promise.resolve('fits'), taken)).toBe('fits')
})

test('of questions that are over nothing is kept', async () => {
  const given = new GivenAnswers()
  await given.give('a', () => Promise.resolve('first'), taken)
  given.keepOnly(new Set(['a']))
  expect(await given.give('a', () => Promise.resolve('second'), taken)).toBeUndefined()
  given.keepOnly(new Set())
  expect(await given.give('a', () => Promise.resolve('second'), taken)).toBe('second')
})
