import { expect, it } from 'vitest'
import { messagesOf, resourceText, resultBlocks, toolChoiceOf, toolsOf } from './sampling-params.ts'

const text = { type: 'text', text: 'Hello' }

it('reads messages with one block or several', () => {
  const messages = [
    { role: 'user', content: text },
    { role: 'assistant', content: [text, text] },
  ]
  expect(messagesOf({ messages }).map(({ role, blocks }) => [role, blocks.length])).toEqual([
    ['user', 1],
    ['assistant', 2],
  ])
  expect(() => messagesOf({ messages: [{ role: 'system', content: text }] })).toThrow('messages.0')
  expect(() => messagesOf({})).toThrow('messages must be an array')
})

it('reads tools and how the model may use them', () => {
  expect(toolsOf({ tools: [{ name: 'echo' }] })).toEqual([{ name: 'echo', inputSchema: { type: 'object' } }])
  expect(() => toolsOf({ tools: [{}] })).toThrow('tools.0 must be an object with a name')
  expect([toolChoiceOf({}), toolChoiceOf({ toolChoice: { mode: 'required' } })]).toEqual(['auto', 'required'])
  expect(() => toolChoiceOf({ toolChoice: { mode: 'maybe' } })).toThrow('"auto", "required" or "none"')
})

it('puts structured results and resources as text', () => {
  expect(resultBlocks({ structuredContent: { a: 1 } })).toEqual([{ type: 'text', text: '{"a":1}' }])
  expect(resultBlocks({ content: [text], structuredContent: { a: 1 } })).toEqual([text])
  expect(resourceText({ type: 'resource', resource: { uri: 'demo://a', text: 'A' } })).toBe('demo://a\nA')
  expect(resourceText({ type: 'resource_link', name: 'a', uri: 'demo://a' })).toBe('a: demo://a')
  expect(resourceText(text)).toBeUndefined()
})
