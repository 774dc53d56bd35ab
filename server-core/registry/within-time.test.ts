import { expect, it } from 'vitest'
import { OutOfTimeError, withinTime } from './within-time.ts'

const nothing = new Int32Array(new SharedArrayBuffer(4))

it('breaks off work that takes too long', () => {
  const work = (): void => {
    for (;;);
  }
  expect(() => withinTime(50, work)).toThrow(OutOfTimeError)
})

it('begins again when the time passed without the work', () => {
  let begun = 0
  const work = (): number => {
    begun += 1
    // Time without the processor, as on a busy machine.
    if (begun < 3) Atomics.wait(nothing, 0, 0, 120)
    return 42
  }
  expect(withinTime(50, work)).toBe(42)
  expect(begun).toBe(3)
})

it('gives up when that happens again and again', () => {
  const work = (): void => void Atomics.wait(nothing, 0, 0, 30)
  expect(() => withinTime(10, work)).toThrow(OutOfTimeError)
})

it('gives what the work throws', () => {
  const work = (): never => {
    throw new TypeError('mine')
  }
  expect(() => withinTime(1_000, work)).toThrow('mine')
})
