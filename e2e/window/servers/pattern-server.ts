/** Tools whose schemas have a pattern on which an engine that backtracks never ends; which one, its argument says. */
import { methodNotFound, serveLines, textResult } from './line-server.ts'

/** Patterns, each with a text on which it takes longer than anyone waits. */
export const PATTERNS: readonly { readonly pattern: string; readonly text: string }[] = [
  { pattern: '^(a+)+$', text: `${'a'.repeat(40)}!` },
  { pattern: '^(a|a)*$', text: `${'a'.repeat(40)}!` },
  { pattern: '^(a|aa)+$', text: `${'a'.repeat(60)}!` },
  { pattern: '^([a-zA-Z]+)*$', text: `${'a'.repeat(40)}!` },
  { pattern: '(x+x+)+y', text: 'x'.repeat(60) },
  { pattern: '^(\\w+\\s?)*$', text: `${'a'.repeat(40)}!` },
  { pattern: '(.*)*(.*)*=', text: 'a'.repeat(60) },
  { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', text: 'a'.repeat(60) },
  // Only an engine that backtracks can do these.
  { pattern: '^(?=a)(a+)+$', text: `${'a'.repeat(40)}!` },
  { pattern: '^(a+)+\\1$', text: `${'a'.repeat(40)}!` },
]

const object = (schema: object): object => ({ type: 'object', ...schema })

/** One tool for each place in a schema in which a pattern is tested. */
const toolsWith = (pattern: string, text: string) => [
  {
    name: 'with_default',
    inputSchema: object({
      properties: { s: { type: 'string', pattern, default: text } },
      required: ['s'],
    }),
  },
  { name: 'with_text', inputSchema: object({ properties: { s: { type: 'string', pattern } } }) },
  { name: 'with_names', inputSchema: object({ propertyNames: { pattern } }) },
  { name: 'with_members', inputSchema: object({ patternProperties: { [pattern]: false } }) },
  { name: 'plain', inputSchema: object({ properties: { n: { type: 'integer', minimum: 1 } } }) },
]

if (import.meta.main) {
  const tools = PATTERNS.filter((_each, index) => index === Number(process.argv[2])).flatMap(
    ({ pattern, text }) => toolsWith(pattern, text),
  )
  serveLines((request) => {
    if (request.method === 'tools/list') return { result: { tools } }
    if (request.method === 'resources/list') return { result: { resources: [] } }
    if (request.method === 'resources/templates/list') return { result: { resourceTemplates: [] } }
    if (request.method === 'prompts/list') return { result: { prompts: [] } }
    return request.method === 'tools/call' ? textResult('called') : methodNotFound
  })
}
