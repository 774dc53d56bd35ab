import { expect, it } from 'vitest'
import { isOver, taskLook } from './task-look.ts'

it.each([
  ['working', false, 'st-busy'],
  ['input_required', false, 'st-ask'],
  ['completed', true, 'check'],
  ['failed', true, 'st-fail'],
  ['cancelled', true, 'close'],
] as const)('%s: over %s, shown as %s', (status, over, icon) => {
  expect(isOver({ status })).toBe(over)
  expect(taskLook({ status }).icon).toBe(icon)
})
