import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { RuleError } from './rule-error.ts'
import { fillTemplate } from './template.ts'

const QUESTION: JsonObject = {
  kind: 'sampling',
  server: { name: 'weather' },
  params: {
    maxTokens: 100,
    systemPrompt: 'Be brief.',
    messages: [
      { role: 'user', content: { type: 'text', text: 'first' } },
      { role: 'user', content: { type: 'text', text: 'last' } },
    ],
  },
}

function filled(text: string): unknown {
  return fillTemplate({ text }, QUESTION)['text']
}

function faultOf(text: string): string {
  try {
    filled(text)
  } catch (error) {
    expect(error).toBeInstanceOf(RuleError)
    return (error as RuleError).message
  }
  return expect.fail(`${text} was filled in`)
}

describe('a template', () => {
  it('is filled in wherever it occurs in a text', () => {
    const template = {
      role: 'assistant',
      content: { type: 'text', text: '{{server.name}} asked: {{params.messages.-1.content.text}}' },
      model: '{{kind}}',
      more: [{ deep: ['{{params.messages.0.role}}'] }, 1, null],
    }
    expect(fillTemplate(template, QUESTION)).toEqual({
      role: 'assistant',
      content: { type: 'text', text: 'weather asked: last' },
      model: 'sampling',
      more: [{ deep: ['user'] }, 1, null],
    })
  })

  it.each([
    ['{{params.maxTokens}}', 100],
    ['{{params.messages.0.content}}', { type: 'text', text: 'first' }],
    ['at most {{params.maxTokens}}', 'at most 100'],
    ['{{ params.messages.0.content }}!', '{"type":"text","text":"first"}!'],
    ['{{params.temperature | 0.5}}', 0.5],
    ['{{params.temperature | params.systemPrompt}}', 'Be brief.'],
    ['{{params.temperature | "a | b }} c"}}', 'a | b }} c'],
    ['{{"{{"}}', '{{'],
    ['no placeholder } here {', 'no placeholder } here {'],
  ])('with %s has the value at that place', (text, value) => {
    expect(filled(text)).toEqual(value)
  })

  it.each([
    ['{{params.temperature}}', 'the question has no params.temperature.'],
    ['{{params.messages.7.role}}', 'the question has no params.messages.7.role.'],
    ['{{params.constructor}}', 'the question has no params.constructor.'],
    ['{{params.messages.length}}', 'the question has no params.messages.length.'],
    ['{{__proto__.x}}', 'the question has no __proto__.x.'],
    ['{{process.exit()}}', '{{process.exit()}} is neither a path nor JSON.'],
    ['{{params.a', '{{params.a has no end.'],
    ['{{}}', 'a placeholder names nothing.'],
  ])('with %s cannot be filled in', (text, words) => {
    expect(faultOf(text)).toContain(words)
  })

  it('that grows beyond all bounds is given up', () => {
    const question = { big: 'x'.repeat(1024 * 1024) }
    expect(() => fillTemplate({ a: '{{big}}{{big}}', b: '-{{big}}{{big}}{{big}}' }, question)).toThrow(
      /more than/,
    )
  })

  it('of any text returns JSON or a reported fault', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '|',
      '"',
      '\\',
      'params',
      '.',
      '-1',
      ' ',
      '0.5',
      'x',
      'null',
      '{',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          JSON.stringify(filled(pieces.join('')))
        } catch (error) {
          expect(error).toBeInstanceOf(RuleError)
        }
      }),
    )
  })
})
