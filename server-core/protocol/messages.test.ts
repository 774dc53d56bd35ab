import { describe, expect, it } from 'vitest'
import { classifyMessage } from './messages.ts'

describe('classifyMessage', () => {
  it.each([
    ['request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['request', { jsonrpc: '2.0', id: '', method: 'ping', params: {} }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['result', { jsonrpc: '2.0', id: 'a', result: {} }],
    ['error', { jsonrpc: '2.0', id: 1, error: { code: -1, message: '' } }],
    ['error', { jsonrpc: '2.0', error: { code: -1, message: 'no id' } }],
    ['error', { jsonrpc: '2.0', id: null, error: { code: -1, message: 'null' } }],
  ])('knows a %s and gives it as it is: %j', (type, value) => {
    const classified = classifyMessage(value)
    expect(classified.type).toBe(type)
    expect('message' in classified && classified.message).toBe(value)
  })

  it('gives the items of an array', () => {
    expect(classifyMessage([1])).toEqual({ type: 'batch', items: [1] })
  })

  it.each([
    ['expected a JSON object, got null', null, undefined],
    ['"jsonrpc" must be "2.0"', { id: 1, method: 'ping' }, 1],
    ['"method" must be a string', { jsonrpc: '2.0', id: 1, method: 1 }, 1],
    ['"params" must be an object', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 1],
    ['"params" must be an object', { jsonrpc: '2.0', method: 'ping', params: null }, undefined],
    ['"id" must be a string or an integer', { jsonrpc: '2.0', id: null, method: 'ping' }, undefined],
    ['"id" must be a string or an integer', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, undefined],
    ['has both', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }, 1],
    ['neither "method" nor', { jsonrpc: '2.0', id: 1 }, 1],
    ['a result needs the id', { jsonrpc: '2.0', result: {} }, undefined],
    ['"result" must be an object', { jsonrpc: '2.0', id: 1, result: 1 }, 1],
    ['"error" must be an object with', { jsonrpc: '2.0', id: 1, error: { code: 1.5, message: '' } }, 1],
    ['"id" must be a string', { jsonrpc: '2.0', id: {}, error: { code: 1, message: '' } }, undefined],
  ])('says what is wrong: %s', (reason, value, id) => {
    const classified = classifyMessage(value)
    expect(classified).toMatchObject({
      type: 'invalid',
      reason: expect.stringContaining(reason) as string,
      ...(id !== undefined && { id }),
    })
    if (id === undefined) expect(classified).not.toHaveProperty('id')
  })
})
