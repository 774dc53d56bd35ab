import { mkdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { builtModules, call, said, ScriptWorkspace } from './testing/script-workspace.test-support.ts'

let modules = ''
let workspace: ScriptWorkspace
beforeAll(async () => {
  modules = await builtModules()
  workspace = await ScriptWorkspace.open(modules)
})
afterAll(async () => {
  await workspace.close()
  await rm(modules, { recursive: true, force: true })
})

/** Installs our own packages in the workspace. */
async function install(...names: readonly string[]): Promise<void> {
  const ours = path.join(import.meta.dirname, '../../node_modules')
  for (const name of names) {
    const link = path.join(workspace.folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(path.join(ours, name), link, 'dir')
  }
}

describe('comments', () => {
  it('describe what is exported, where the definition does not', async () => {
    await workspace.write({
      'lib/shared.ts': `import { tool } from 'patchbay'
        /** From another module. */
        export const shared = tool({ run: () => '' })`,
      'tools/all.ts': `import { tool, resource, template, prompt, z } from 'patchbay'
        export { shared } from '../lib/shared.ts'
        /**
         * Adds two numbers.
         * @param b The second.
         */
        export default tool({
          input: z.object({
            /** The first. */
            a: z.number(),
            b: z.number(),
            c: z.number().describe('its own').optional(),
            place: z.object({ /** Where. */ at: z.string() }).nullable(),
          }),
          run: ({ a, b }) => \`\${a + b} \${import.meta.filename.endsWith('all.ts')}\`,
        })
        /** Not this. */
        export const own = tool({ description: 'Its own.', run: () => '' })
        /** A resource. */
        export const readme = resource({ uri: 'docs://readme', read: 'Read me' })
        /** Pages. */
        export const page = template({ uriTemplate: 'docs://page/{n}', read: () => '' })
        /** Asks. */
        export const ask = prompt({ arguments: [/** What. */ { name: 'what' }], get: () => '' })
        export const list = [
          /** Of a list. */
          tool({ name: 'listed', run: () => '' }),
        ]`,
    })
    const script = await workspace.host.load('tools/all.ts')
    const { view } = script
    const described = [
      ...view.tools(),
      ...view.resources(),
      ...view.resourceTemplates(),
      ...view.prompts(),
    ].map(({ name, description }) => [name, description])
    expect(Object.fromEntries(described)).toEqual({
      all: 'Adds two numbers.',
      own: 'Its own.',
      shared: 'From another module.',
      listed: 'Of a list.',
      readme: 'A resource.',
      page: 'Pages.',
      ask: 'Asks.',
    })
    expect(view.prompts()[0]?.arguments).toEqual([{ name: 'what', description: 'What.' }])
    expect(view.tool('all')?.inputSchema).toMatchObject({
      properties: {
        a: { description: 'The first.' },
        b: { description: 'The second.' },
        c: { description: 'its own' },
        place: { anyOf: [{ properties: { at: { description: 'Where.' } } }, { type: 'null' }] },
      },
    })
    // A Worker that runs says the same of itself as the one that read the script.
    const before = view.tools()
    expect(said(await call(script, 'all', { a: 1, b: 2, place: null }))).toBe('3 true')
    expect(view.tools()).toEqual(before)
  })

  it('are read again when only they change', async () => {
    const first = await workspace.script(
      'tools/said.ts',
      '/** One. */\nexport default tool({ run: () => 1 })',
    )
    expect(first.view.tool('said')?.description).toBe('One.')
    const second = await workspace.script(
      'tools/said.ts',
      '/** Two. */\nexport default tool({ run: () => 1 })',
    )
    expect(second.view.tool('said')?.description).toBe('Two.')
    expect(second.revision).toBeGreaterThan(first.revision)
  })
})

describe('schemas of other libraries', () => {
  it('are taken where the workspace has the library', async () => {
    await install('valibot', 'arktype', 'typebox')
    const VALIBOT = `import * as v from 'valibot'
      export default tool({ input: v.object({ city: v.pipe(v.string(), v.minLength(2)) }), run: ({ city }) => city })`
    await expect(workspace.script('tools/valibot.ts', VALIBOT)).rejects.toThrow(
      'Cannot write the input of tool "valibot" as JSON Schema: Valibot needs the package @valibot/to-json-schema',
    )
    await install('@valibot/to-json-schema')
    const valibot = await workspace.script('tools/valibot.ts', `${VALIBOT}\n`)
    const arktype = await workspace.script(
      'tools/arktype.ts',
      `import { type } from 'arktype'
       export default tool({ input: type({ /** Of a comment. */ city: 'string >= 2' }), run: ({ city }) => city })`,
    )
    const typebox = await workspace.script(
      'tools/typebox.ts',
      `import Type from 'typebox'
       export default tool({ input: Type.Object({ city: Type.String({ minLength: 2 }) }), run: ({ city }) => city })`,
    )
    for (const script of [valibot, arktype, typebox]) {
      const [tool] = script.view.tools()
      expect(tool?.inputSchema).toMatchObject({ properties: { city: { type: 'string', minLength: 2 } } })
      expect(said(await call(script, tool?.name ?? '', { city: 'Oslo' }))).toBe('Oslo')
    }
    expect(arktype.view.tools()[0]?.inputSchema).toMatchObject({
      properties: { city: { description: 'Of a comment.' } },
    })
    expect(await call(valibot, 'valibot', { city: 'X' })).toMatchObject({ isError: true })
    expect(await call(arktype, 'arktype', { city: 'X' })).toMatchObject({ isError: true })
  })
})

describe('what wraps handlers', () => {
  it('is configured for all scripts in the configuration, and for one entry in its definition', async () => {
    const around = await ScriptWorkspace.open(modules, {
      'patchbay.config.ts': `import { config, ErrorCode, ProtocolError } from 'patchbay'
        export default config({
          metadata: { team: 'weather', level: 1 },
          guards: [{ name: 'no-moon', allows: ({ arguments: { city } }) => city !== 'Moon' || 'Nobody goes there.' }],
          interceptors: [async (call, next) => ['config', await next()].flat()],
          mapErrors: [
            (error) => (error instanceof RangeError ? new ProtocolError(ErrorCode.invalidParams, error.message, { of: 'config' }) : undefined),
            (error) => (error instanceof TypeError ? 'The script has a mistake.' : undefined),
          ],
        })`,
      'tools/go.ts': `import { tool, ProtocolError } from 'patchbay'
        const run = ({ city }, ctx) => {
          if (city === 'Rome') throw new RangeError('too far')
          if (city === 'Oslo') throw new TypeError('undefined is not a function')
          if (city === 'Nice') throw new SyntaxError('own')
          return [\`\${city} \${JSON.stringify(ctx.metadata)} \${ctx.state.seen}\`]
        }
        export const go = tool({
          tags: ['travel'],
          metadata: { level: 2 },
          guards: [{ name: 'tagged', allows: ({ name, tags }, ctx) => { ctx.state.seen = tags.join(); return ctx.metadata.level === 2 } }],
          interceptors: [async (call, next) => ['own', await next({ ...call.arguments })].flat()],
          mapError: (error) => (error instanceof SyntaxError ? new ProtocolError(4711, 'mapped', { own: true }) : undefined),
          run,
        })
        export const plain = tool({ run })`,
      'resources/r.ts': `import { resource } from 'patchbay'
        export const far = resource({ uri: 'a://far', guards: [{ name: 'closed', allows: () => false }], read: 'x' })`,
    })
    try {
      const { view } = await around.host.load('tools/go.ts')
      const script = { view } as Parameters<typeof call>[0]
      expect(said(await call(script, 'go', { city: 'Bern' }))).toBe(
        '["config","own","Bern {\\"team\\":\\"weather\\",\\"level\\":2} travel"]',
      )
      expect(said(await call(script, 'plain', { city: 'Bern' }))).toBe(
        '["config","Bern {\\"team\\":\\"weather\\",\\"level\\":1} undefined"]',
      )
      await expect(call(script, 'go', { city: 'Moon' })).rejects.toMatchObject({
        code: -31403,
        message: expect.stringContaining('Nobody goes there.'),
        data: { type: 'FORBIDDEN', guard: 'no-moon' },
      })
      await expect(call(script, 'go', { city: 'Rome' })).rejects.toMatchObject({
        code: -32602,
        data: { of: 'config' },
      })
      await expect(call(script, 'go', { city: 'Nice' })).rejects.toMatchObject({
        code: 4711,
        data: { own: true },
      })
      expect(await call(script, 'plain', { city: 'Nice' })).toMatchObject({ isError: true })
      expect(said(await call(script, 'go', { city: 'Oslo' }))).toBe('The script has a mistake.')
      const { view: resources } = await around.host.load('resources/r.ts')
      await expect(resources.resourceFor('a://far')?.read(new ScriptedInvocation())).rejects.toMatchObject({
        code: -31403,
        data: { guard: 'closed' },
      })
    } finally {
      await around.close()
    }
  })
})
