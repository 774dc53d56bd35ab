import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { samplingFaults } from './sampling-rules.ts'

const text = { type: 'text', text: 'hello' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })

describe('sampling messages', () => {
  it.each([
    ['none', []],
    ['blocks alone and in lists', [{ role: 'user', content: text }, assistant(text), user(text, text)]],
    ['a tool asked for and answered', [user(text), assistant(text, use('a')), user(result('a'))]],
    ['several at once, in any order', [assistant(use('a'), use('b')), user(result('b'), result('a'))]],
    [
      'the same id in another turn',
      [assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
    ],
    ['one block that is not a list', [assistant(use('a')), { role: 'user', content: result('a') }]],
  ])('may hold %s', (_what, messages) => {
    expect(samplingFaults(messages)).toEqual([])
  })

  it.each([
    ['a tool_use without an answer', [assistant(use('a'))], [0, 'content', 0], /no tool_result for .*"a"/],
    [
      'an answer that comes late',
      [assistant(use('a')), user(text), user(result('a'))],
      [0, 'content', 0],
      /next/,
    ],
    ['an answer to nothing', [user(result('a'))], [0, 'content', 0], /no tool_use .* waits/],
    [
      'an answer given twice',
      [assistant(use('a')), user(result('a'), result('a'))],
      [1, 'content', 1],
      /waits/,
    ],
    ['text beside an answer', [assistant(use('a')), user(result('a'), text)], [1, 'content', 1], /only/],
    ['an id used twice', [assistant(use('a'), use('a')), user(result('a'))], [0, 'content', 1], /twice/],
    ['a tool_use of the user', [user(use('a'))], [0, 'content', 0], /"assistant"/],
    ['a tool_result of the model', [assistant(result('a'))], [0, 'content', 0], /"user"/],
  ])('may not hold %s', (_what, messages, path, message) => {
    const [fault] = samplingFaults(messages)
    expect(fault).toEqual({ path, message: expect.stringMatching(message) as string })
  })

  it('give faults and no exception whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (messages) => {
        expect(Array.isArray(samplingFaults(messages))).toBe(true)
      }),
    )
  })
})
