import { describe, expect, it } from 'vitest'
import { indexJson, valueSource, type JsonIndex } from '../../json/json-index.ts'
import { readAnswer, type Answer, type ResultKind } from './answer.ts'
import { readBlock } from './block.ts'
import { outcomeLook } from './outcome-look.ts'

function indexOf(text: string): JsonIndex {
  const indexed = indexJson(text)
  if (!indexed.ok) throw new Error(indexed.problem.message)
  return indexed.index
}

function answerOf(result: string, kind: ResultKind): Answer {
  return readAnswer(indexOf(`{"jsonrpc":"2.0","id":1,"result":${result}}`), kind)
}

describe('readAnswer', () => {
  it('takes a result apart and leaves numbers as they were written', () => {
    const answer = answerOf(
      '{"content":[{"type":"text","text":"a"}],"structuredContent":{"n":9007199254740993}}',
      'tool',
    )
    expect(answer.structured === undefined ? '' : valueSource(answer.structured, 0)).toBe(
      '{"n":9007199254740993}',
    )
    expect(answer.parts.map((part) => part.source)).toEqual(['{"type":"text","text":"a"}'])
    expect(answer.isError).toBe(false)
  })

  it('stands answers that are not what they should be', () => {
    expect(answerOf('{"content":"none","isError":"yes"}', 'tool')).toMatchObject({
      parts: [],
      isError: false,
    })
    expect(answerOf('{}', 'prompt').parts).toEqual([])
  })
})

describe('readBlock', () => {
  it('knows every content type of the specification, and says what is wrong with one', () => {
    const kinds = [
      '{"type":"text","text":"a"}',
      '{"type":"image","data":"aGk=","mimeType":"image/png"}',
      '{"type":"audio","data":"aGk=","mimeType":"audio/wav"}',
      '{"type":"resource","resource":{"uri":"a:b","text":"x"}}',
      '{"type":"resource_link","uri":"a:b","name":"b"}',
      '{"type":"hologram"}',
      '{"type":"image","data":5}',
      '[1]',
    ].map((source) => readBlock(source).type)
    expect(kinds).toEqual(['text', 'image', 'audio', 'contents', 'link', 'unknown', 'unknown', 'unknown'])
  })
})

describe('outcomeLook', () => {
  const result = (messageText: string) =>
    outcomeLook({
      type: 'result',
      durationMs: 1,
      revision: '2025-11-25',
      messageText,
      bytes: 1,
      outputCheck: { state: 'no-schema' },
    }).word

  it('tells a tool error from a result that only speaks of one', () => {
    expect(result('{"result":{"content":[],"isError":true}}')).toBe('tool error')
    expect(result('{"result":{"content":[],"structuredContent":{"isError":true}}}')).toBe('result')
  })
})
