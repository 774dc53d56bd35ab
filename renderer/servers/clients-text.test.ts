import { expect, it } from 'vitest'
import { clientsText } from './clients-text.ts'

it('counts the connected clients', () => {
  expect(clientsText(0)).toBe('No clients connected.')
  expect(clientsText(1)).toBe('1 client connected.')
  expect(clientsText(3)).toBe('3 clients connected.')
})
