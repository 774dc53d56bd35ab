import { expect, it } from 'vitest'
import { Redaction } from './redaction.ts'

it('masks a value that was registered twice until it is forgotten twice', () => {
  const redaction = new Redaction()
  const [forget, forgetToo] = [redaction.register('s3cret-value'), redaction.register('s3cret-value')]
  expect(redaction.text('key s3cret-value')).toBe('key ⟨redacted⟩')
  forget()
  forget()
  expect(redaction.text('key s3cret-value')).toBe('key ⟨redacted⟩')
  forgetToo()
  expect(redaction.text('key s3cret-value')).toBe('key s3cret-value')
})

it('masks a secret that contains another one as a whole', () => {
  const redaction = new Redaction()
  redaction.register('abcd-1234')
  redaction.register('abcd-1234-efgh-5678')
  expect(redaction.text('abcd-1234-efgh-5678 and abcd-1234')).toBe('⟨redacted⟩ and ⟨redacted⟩')
})
