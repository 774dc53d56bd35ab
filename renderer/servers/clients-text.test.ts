import { expect, it } from 'vitest'
import { clientsText } from './clients-text.ts'

it('tells the other clients apart from Patchbay itself', () => {
  expect(clientsText(0, true)).toBe('No other client yet.')
  expect(clientsText(1, true)).toBe('No other client yet.')
  expect(clientsText(2, true)).toBe('Patchbay itself and 1 other connected.')
  expect(clientsText(3, true)).toBe('Patchbay itself and 2 others connected.')
  expect(clientsText(0, false)).toBe('No client yet.')
  expect(clientsText(1, false)).toBe('1 client connected.')
})
