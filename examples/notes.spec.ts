import path from 'node:path'
import { conformance, expect, test } from 'patchbay/test'

test.use({ server: { workspace: path.join(import.meta.dirname, 'notes') }, transport: 'http' })

test('creates a note, asks before it is deleted, and tells subscribers', async ({
  mcp,
  answers,
  timeline,
}) => {
  await mcp.listenForChanges()
  const note = { title: 'Oats', text: 'Two kilos', tags: ['todo'] }
  const created = await mcp.callTool('create_note', note)
  expect(created).toMatchOutputSchema()
  const { id, uri } = created.structuredContent as { id: string; uri: string }
  expect((await mcp.listResources()).map((resource) => resource.uri)).toContain(uri)
  await expect(timeline).toHaveNotified('notifications/resources/list_changed')
  answers.elicitation(/^Delete/).accept({ confirm: true })
  expect(await mcp.callTool('delete_note', { id })).toSucceed()
  await expect(timeline).toHaveAsked('elicitation', /^Delete/)
  expect(timeline).toConform()
})

test.describe('keeps the specification', () => {
  test.describe.configure({ mode: 'default' })
  conformance({
    include: ['jsonrpc', 'resources', 'prompts'],
    transports: ['http'],
    revisions: ['2025-11-25'],
    callReadOnly: true,
  })
})
