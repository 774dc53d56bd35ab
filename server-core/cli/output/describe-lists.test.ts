import { expect, it } from 'vitest'
import { describeLists, type Lists } from './describe-lists.ts'
import type { Paint } from './paint.ts'
import { textWidth } from './text-width.ts'

const plain: Paint = (_format, text) => text
const number = { type: 'number' }
const tools = [
  {
    name: 'get-sum',
    description: 'Adds two numbers',
    inputSchema: { properties: { a: number, b: number }, required: ['a', 'b'] },
  },
  {
    name: 'echo',
    description: 'Says\nit back',
    inputSchema: { properties: { message: { type: 'string' } } },
  },
  {
    name: 'search-everything-there-is',
    description: 'A long description '.repeat(10),
    inputSchema: {
      properties: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`argument${at}`, number])),
    },
  },
]
const lists: Lists = {
  tools,
  resources: [
    { uri: 'demo://日本語', name: 'Japanese' },
    { uri: 'demo://x', name: 'x', description: 'One' },
  ],
  prompts: [],
}
const lines = (width: number): readonly string[] =>
  describeLists(lists, { tools: 'next' }, { width, paint: plain }).split('\n')

it('shows each tool with its arguments, aligned', () => {
  expect(lines(80).slice(0, 3)).toEqual([
    'Tools (3)',
    '  get-sum(a: number, b: number)  Adds two numbers',
    '  echo(message?: string)         Says it back',
  ])
  expect(lines(80)).toContain('  … more with --cursor "next"')
  expect(lines(80)).toContain('  demo://日本語  Japanese')
  expect(lines(80)).toContain('  demo://x       One')
})

it.each([40, 80, 200])('keeps within %i columns', (width) => {
  for (const line of lines(width)) expect(textWidth(line), line).toBeLessThanOrEqual(width)
  expect(lines(width).join(' ').replaceAll(/\s+/g, ' ')).toContain('argument8?: number)')
})

it('colours names alone, and lets no colour of the server through', () => {
  const paint: Paint = (format, text) => `<${format}>${text}</>`
  const evil = [{ name: 'a\u001b[31m', description: '\u001b]0;x\u0007red', inputSchema: {} }]
  expect(describeLists({ tools: evil }, {}, { width: 80, paint })).toBe(
    '<bold>Tools (1)</>\n  <cyan>a</>()  red',
  )
})
