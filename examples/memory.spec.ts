import path from 'node:path'
import { conformance, expect, test } from 'patchbay/test'

const workspace = path.join(import.meta.dirname, 'memory')

test.use({
  server: async ({ identity }, use, info) => {
    const env = { MEMORY_PATH: info.outputPath(identity.name), MEMORY_STORE: 'files' }
    await use({ workspace, env })
  },
})

test('keeps conversations over a restart', async ({ mcp, server, timeline }) => {
  const snapshot = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], summary: null })
  const saved = await mcp.callTool('save_conversation', { conversation_id: 'one', snapshot })
  expect(saved.structuredContent).toEqual({ saved: true, conversation_id: 'one' })
  await server.restart()
  const [contents] = await mcp.readResource('memory://conversations/one')
  expect(JSON.parse(contents?.text ?? '')).toMatchObject({ messages: [{ content: 'Hello' }] })
  expect(timeline).toConform()
})

test.describe('keeps the specification', () => {
  test.describe.configure({ mode: 'default' })
  conformance({
    include: ['jsonrpc', 'resources'],
    transports: ['http'],
    revisions: ['2026-07-28'],
    callReadOnly: true,
  })
})
