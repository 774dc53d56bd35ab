import { expect, it } from 'vitest'
import { readOtherFormats } from './other-formats.ts'

it.each([
  ['# mine\n[mcp_servers.docs]\ncommand = "npx"\nargs = ["docs"]\n'],
  ['model: x\nmcp:\n  servers:\n    docs:\n      command: npx\n      args: [docs]\n'],
  ['mcpServers: # mine\n  docs:\n    command: npx\n    args:\n      - docs\n'],
])('reads %j', async (text) => {
  expect(await readOtherFormats(text)).toEqual({
    drafts: [{ name: 'docs', target: { transport: 'stdio', command: 'npx', args: ['docs'], env: [] } }],
    problems: [],
  })
})

it.each([
  'npx -y docs',
  'https://docs.example/mcp',
  '{ "mcpServers": {} }',
  'curl -H "servers: x" https://x/',
])('leaves %j to the others', async (text) => {
  expect(await readOtherFormats(text)).toBeUndefined()
})

it('says in which line it is broken', async () => {
  expect(await readOtherFormats('[mcp_servers.docs]\ncommand = \n')).toMatchObject({
    drafts: [],
    problems: [{ reason: expect.stringMatching(/^Line 2: it is not TOML/) as string }],
  })
})
