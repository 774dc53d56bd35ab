import path from 'node:path'
import { conformance, expect, test } from 'patchbay/test'

test.use({ server: { workspace: path.join(import.meta.dirname, 'birds') }, revision: '2026-07-28' })

test('asks for what it needs to identify a bird', async ({ mcp, answers, timeline }) => {
  answers.elicitation('Where does it live?').always().accept({ answer: 'unknown' })
  answers.elicitation().always().accept({ answer: 'other' })
  const facts = { bill: 'flat', feet: 'webbed', feeds: 'surface', flight: 'agile', head: 'green' }
  const result = await mcp.callTool('identify_bird', { facts })
  expect(result).toSucceed()
  expect(result.structuredContent).toMatchObject({ status: 'identified', bird: { id: 'mallard' } })
  expect(timeline).toConform()
})

test('explains why a bird does not fit', async ({ mcp }) => {
  const facts = { feet: 'talons', bill: 'hooked', awake: 'night', head: 'ear_tufts' }
  const result = await mcp.callTool('explain_bird', { bird: 'barn_owl', facts })
  expect(result.structuredContent).toMatchObject({ verdict: 'does not fit' })
  await expect(mcp.readResource('birds://bird/dodo')).toFailWith(-32602)
})

test.describe('keeps the specification', () => {
  test.describe.configure({ mode: 'default' })
  conformance({
    include: ['jsonrpc', 'tools'],
    transports: ['http'],
    revisions: ['2026-07-28'],
    callReadOnly: true,
  })
})
