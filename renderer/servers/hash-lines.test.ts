import { expect, it } from 'vitest'
import { hashLines } from './hash-lines.ts'

it('writes a hash in groups of four on two lines', () => {
  expect(hashLines('0123456789abcdef'.repeat(4))).toBe(
    'sha256  0123 4567 89ab cdef 0123 4567 89ab cdef\n        0123 4567 89ab cdef 0123 4567 89ab cdef',
  )
})
