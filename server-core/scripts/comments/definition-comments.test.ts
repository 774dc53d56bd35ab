import { describe, expect, it } from 'vitest'
import { definitionComments } from './definition-comments.ts'

const IMPORT = "import { tool, resource, template, prompt, z } from 'patchbay'\n"
const read = (source: string, extension = '.ts') => definitionComments(`${IMPORT}${source}`, extension)
const descriptions = (source: string) => read(source).map(({ description }) => description)
const args = (source: string) => read(source)[0]?.arguments

describe('the comment above a definition', () => {
  it('is its description, wherever the definition is written', () => {
    expect(
      descriptions(`
        /** One. */
        export default tool({})
        /** Two. */
        export const two = tool({})
        /** Three. */
        const three = (resource({}) satisfies unknown), four = /** Four. */ template({}), five = prompt({})
        export const list = [/** Six. */ tool({}), tool({})]
        /** Seven. */
        // another comment
        const seven: Kept = tool<A, B>({})
        export { three, four, five, seven }`),
    ).toEqual(['One.', 'Two.', 'Three.', 'Four.', 'Six.', 'Seven.'])
  })

  it('is neither the comment of something else nor an ordinary comment', () => {
    expect(
      read(`
        /** Of the list. */
        export const list = [tool({})]
        /* Not a doc comment. */
        export const a = tool({})
        // Nor this.
        export const b = tool({})
        /** Of the function. */
        function made() { return tool({}) }
        /** Of another tool. */
        export const other = maker.tool({})
        /***/
        export const c = tool({})`),
    ).toEqual([])
  })

  it('knows functions by other names, and the module as a whole', () => {
    const source = `import { tool as t } from "patchbay"\nimport * as p from 'patchbay'\n/** A. */ t({})\n/** B. */ p.prompt({})\n/** C. */ tool({})`
    expect(definitionComments(source, '.mjs')).toMatchObject([
      { description: 'A.', line: 3, column: 11 },
      { description: 'B.', line: 4, column: 11 },
    ])
    expect(definitionComments("import { tool } from 'other'\n/** A. */ tool({})", '.js')).toEqual([])
  })

  it('says where the call is, in UTF-16', () => {
    expect(read(`const smile = '😀'; /** A. */ tool({})`)).toEqual([
      { description: 'A.', line: 2, column: 31, endColumn: 35 },
    ])
  })

  it('is joined line by line, up to the first tag; lists and code keep their lines', () => {
    expect(
      descriptions(`
        /**
         * Plans a journey
         * by train.
         *
         * With {@link places} and {@link https://a.test|a map}:
         * - first
         * - second
         * \`\`\`
         * code  here
         * \`\`\`
         *
         * @example tool
         * and more
         */
        tool({})`),
    ).toEqual([
      'Plans a journey by train.\n\nWith places and a map:\n- first\n- second\n```\ncode  here\n```',
    ])
  })
})

describe('comments above members of an input', () => {
  it('describe arguments, in zod and in other libraries, however deep', () => {
    expect(
      args(`tool({
        input: z.object({
          /** The city. */
          city: z.string(),
          /** Days
           *  to stay. */
          'how-long': z.number(),
          place: z.object({ /** Where. */ at: z.string() }).strict().optional(),
          list: z.array(z.object({ /** Of each. */ name: z.string() })),
          plain: z.string(),
        }).strict() as never,
      })`),
    ).toEqual({
      city: 'The city.',
      'how-long': 'Days to stay.',
      'place.at': 'Where.',
      'list.name': 'Of each.',
    })
    for (const call of ['v.object', 'v.strictObject', 'type', 'Type.Object', 'Compile(Type.Object'])
      expect(args(`tool({ input: ${call}({ /** A. */ a: x })${call.includes('(') ? ')' : ''} })`)).toEqual({
        a: 'A.',
      })
  })

  it('describe arguments in a JSON Schema, and in a constant of the module', () => {
    expect(
      args(`
        const where = { type: 'object', properties: { /** At. */ at: { type: 'string' } } } as const
        export const input = { type: 'object', properties: {
          /** The city. */
          city: { type: 'string' }, where, few: { type: 'array', items: where },
        } }
        tool({ input })`),
    ).toEqual({ city: 'The city.', 'where.at': 'At.', 'few.at': 'At.' })
  })

  it('describe arguments of prompts', () => {
    expect(
      args(`prompt({ arguments: [/** The city. */ { name: 'city', required: true }, { name: 'days' }] })`),
    ).toEqual({ city: 'The city.' })
  })

  it('win over @param tags of the definition', () => {
    expect(
      read(`
        /**
         * Plans.
         * @param {string} city - The city
         *   to plan for.
         * @param [args.days=3] How long.
         * @param note
         * @returns nothing
         */
        tool({ input: z.object({ /** Days. */ days: z.number() }) })`),
    ).toMatchObject([{ description: 'Plans.', arguments: { city: 'The city to plan for.', days: 'Days.' } }])
  })

  it('follow no constant in a circle, and read what is half written', () => {
    expect(args(`const a = b; const b = a; /** A. */ tool({ input: a })`)).toBeUndefined()
    expect(descriptions(`/** A. */ tool({ input: z.object({ /** x`)).toEqual(['A.'])
    expect(descriptions(`/** A. */ tool({ input: z.object({ /** x */ a: `)).toEqual(['A.'])
  })
})
