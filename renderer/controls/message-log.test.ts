import { expect, it } from 'vitest'
import { addMessage, clearMessages, messages } from './message-log.ts'

it('stores the newest 50 errors, newest first, until they are cleared', () => {
  clearMessages()
  for (let index = 1; index <= 60; index += 1) addMessage({ title: `error ${index}`, detail: undefined })
  const titles = messages.get().map(({ title }) => title)
  expect(titles).toHaveLength(50)
  expect(titles.at(0)).toBe('error 60')
  expect(titles.at(-1)).toBe('error 11')
  clearMessages()
  expect(messages.get()).toEqual([])
})
