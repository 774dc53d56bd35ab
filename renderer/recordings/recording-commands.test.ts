import { expect, test } from 'vitest'
import type { ListedRecording } from './list-order.ts'
import { diffCommand, recordingCommands } from './recording-commands.ts'

const RECORDING: ListedRecording = {
  id: '2026-11-22T14-00-00.000-birds-a1b2c3',
  serverId: 's',
  serverName: "bird's nest",
  side: 'client',
  startedAt: 0,
  endedAt: 0,
  bytes: 0,
  isOpen: false,
  facts: undefined,
}
const USUAL = { command: 'npx mcp-patchbay', profile: undefined }

test('commands name the recording, the stored server and the data folder, quoted for a shell', () => {
  expect(recordingCommands(RECORDING, USUAL).map(({ command }) => command)).toEqual([
    `npx mcp-patchbay recordings test ${RECORDING.id} --out tests/recorded.spec.ts`,
    String.raw`npx mcp-patchbay replay ${RECORDING.id} --server 'bird'\''s nest'`,
    `npx mcp-patchbay serve --replay ${RECORDING.id} --http`,
    `npx mcp-patchbay show ${RECORDING.id}`,
    `npx mcp-patchbay recordings verify ${RECORDING.id}`,
  ])
  const [, replay] = recordingCommands(
    { ...RECORDING, imported: true },
    { command: 'patchbay', profile: '/tmp/my profile' },
  )
  expect(replay?.command).toBe(`patchbay replay ${RECORDING.id} --profile '/tmp/my profile' -- COMMAND`)
  const dashed = recordingCommands({ ...RECORDING, serverName: '--url' }, USUAL)[1]
  expect(dashed?.command).toContain('--server=--url')
})

test('the command that compares recordings leaves out the same pointers', () => {
  expect(diffCommand('a', 'b', ['/result/**/at', 'x y'], true, USUAL)).toBe(
    "npx mcp-patchbay diff a b --ignore '/result/**/at' --ignore 'x y' --exact",
  )
})
