import { expect, test } from 'vitest'
import { followPresses, pressesSoFar } from './presses.ts'

test('keys and the pointer count, keys that do nothing alone do not', () => {
  const page = new EventTarget()
  followPresses(page)
  const before = pressesSoFar()
  const press = (type: string, key?: string): void => {
    page.dispatchEvent(Object.assign(new Event(type), key === undefined ? {} : { key }))
  }
  for (const key of ['Shift', 'Control', 'Alt', 'Meta']) press('keydown', key)
  press('keyup', 'a')
  press('pointermove')
  expect(pressesSoFar()).toBe(before)
  press('keydown', 'a')
  press('pointerdown')
  expect(pressesSoFar()).toBe(before + 2)
})
