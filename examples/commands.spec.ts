import path from 'node:path'
import { conformance, expect, test } from 'patchbay/test'

const env = { COMMANDS_FOLDER: path.join(import.meta.dirname, 'commands') }
test.use({ server: { workspace: path.join(import.meta.dirname, 'commands'), env } })

test('runs declared programs and nothing else', async ({ mcp, timeline }) => {
  const sorted = await mcp.callTool('sort_lines', { text: '10\n9\n10\n', numeric: true, unique: true })
  expect(sorted).toSucceed()
  expect(sorted.structuredContent).toMatchObject({ stdout: '9\n10\n' })
  expect(await mcp.callTool('list_files', { path: '..' })).toBeToolError()
  expect(timeline).toConform()
})

test.describe('keeps the specification', () => {
  test.describe.configure({ mode: 'default' })
  conformance({ include: ['jsonrpc', 'tools'], transports: ['http'], revisions: ['2025-11-25'] })
})
