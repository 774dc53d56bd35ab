import { cp } from 'node:fs/promises'
import path from 'node:path'
import { conformance, expect, test } from 'patchbay/test'

const workspace = path.join(import.meta.dirname, 'decisions')

// Each test writes in a copy of its own.
test.use({
  server: async ({ identity }, use, info) => {
    const journal = info.outputPath(identity.name)
    await cp(path.join(workspace, 'decisions'), journal, { recursive: true })
    await use({ workspace, env: { DECISIONS_PATH: journal } })
  },
})

test('finds decisions, and keeps what is thought', async ({ mcp, timeline }) => {
  const found = await mcp.callTool('query_decisions', { query: 'which database for orders', limit: 1 })
  expect(found.structuredContent).toMatchObject({ decisions: [{ id: '3fa81c20' }] })
  expect(await mcp.callTool('record_thought', { text: 'A queue would decouple the two.' })).toSucceed()
  expect(await mcp.callTool('query_decisions')).toBeToolError()
  expect(timeline).toConform()
})

test.describe('keeps the specification', () => {
  test.describe.configure({ mode: 'default' })
  conformance({
    include: ['jsonrpc', 'tools'],
    transports: ['http'],
    revisions: ['2025-11-25'],
    callReadOnly: true,
  })
})
