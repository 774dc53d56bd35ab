import { expect, it } from 'vitest'
import { BREAKAGES, broken } from './breakages.ts'
import { composerText } from './text.ts'

const TEXT = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":{"a":1},"name":"echo"}}'

it.each(BREAKAGES)('$name changes the message', (breakage) => {
  const text = broken(TEXT, breakage)
  expect(text).toBeTypeOf('string')
  expect(text).not.toBe(TEXT)
})

it('breaks only what its name says', () => {
  const apply = (name: string): unknown => {
    const breakage = BREAKAGES.find((each) => each.name === name)
    return breakage === undefined ? undefined : JSON.parse(broken(TEXT, breakage) ?? '')
  }
  const message = JSON.parse(TEXT) as object
  expect(apply(composerText.breakages.leaveOutMeta)).toEqual({ ...message, params: { name: 'echo' } })
  expect(apply(composerText.breakages.fractionalId)).toEqual({ ...message, id: 1.5 })
  expect(apply(composerText.breakages.batch)).toEqual([message])
})

it('leaves a text alone that is not a JSON object', () => {
  for (const breakage of BREAKAGES) {
    expect(broken('[]', breakage)).toBeUndefined()
    expect(broken('{"id":', breakage)).toBeUndefined()
  }
})
