import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { spoiled } from '../scripts/channel-messages.test-support.ts'
import { parseHostToShell, parseShellToHost } from './shell-message-parsers.ts'

const id = z.int()
const text = z.string()
const bytes = z.instanceof(Uint8Array)
const data = z.union([text, bytes])

const shellToHostSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    options: z.object({
      profile: text,
      workspace: text.optional(),
      startFolder: text.optional(),
      mcpPort: z.number().optional(),
      version: text,
      distFolder: text,
      encryption: z.enum(['system', 'plain']),
    }),
  }),
  z.object({ type: z.literal('window'), windowId: id, data }),
  z.object({ type: z.literal('window-closed'), windowId: id }),
  z.object({ type: z.literal('open-workspace'), folder: text }),
  z.object({ type: z.literal('process-started'), processId: id, pid: id }),
  z.object({ type: z.literal('process-failed'), processId: id, message: text }),
  z.object({ type: z.literal('process-message'), processId: id, message: z.unknown() }),
  z.object({ type: z.literal('process-output'), processId: id, stream: z.enum(['stdout', 'stderr']), bytes }),
  z.object({ type: z.literal('process-exited'), processId: id, code: z.number().nullable() }),
  z.object({
    type: z.literal('cipher-done'),
    requestId: id,
    result: data,
    shouldReEncrypt: z.boolean().optional(),
  }),
  z.object({ type: z.literal('cipher-failed'), requestId: id, message: text }),
  z.object({ type: z.literal('stop') }),
])

const hostToShellSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('activate') }),
  z.object({ type: z.literal('failed'), message: text }),
  z.object({ type: z.literal('window'), windowId: id, data }),
  z.object({
    type: z.literal('process-start'),
    processId: id,
    request: z.object({
      entry: text,
      args: z.array(text),
      execArgv: z.array(text).optional(),
      env: z.record(text, text),
      name: text,
    }),
  }),
  z.object({ type: z.literal('process-post'), processId: id, message: z.unknown() }),
  z.object({ type: z.literal('process-kill'), processId: id }),
  z.object({ type: z.literal('cipher-encrypt'), requestId: id, text }),
  z.object({ type: z.literal('cipher-decrypt'), requestId: id, bytes }),
])

const START = { profile: '/p', version: '1', distFolder: '/d', encryption: 'plain', mcpPort: 1 }
const REQUEST = { entry: '/d/a.js', args: ['x'], execArgv: ['--y'], env: { LANG: 'C' }, name: 'n' }
const SHELL = [
  { type: 'start', options: START },
  { type: 'window', windowId: 1, data: 'x' },
  { type: 'window-closed', windowId: 1 },
  { type: 'open-workspace', folder: '/f' },
  { type: 'process-started', processId: 1, pid: 2 },
  { type: 'process-failed', processId: 1, message: 'no' },
  { type: 'process-message', processId: 1, message: { type: 'ready' } },
  { type: 'process-output', processId: 1, stream: 'stdout', bytes: new Uint8Array(1) },
  { type: 'process-exited', processId: 1, code: null },
  { type: 'cipher-done', requestId: 1, result: new Uint8Array(1), shouldReEncrypt: true },
  { type: 'cipher-failed', requestId: 1, message: 'no' },
  { type: 'stop' },
]
const HOST = [
  { type: 'ready' },
  { type: 'activate' },
  { type: 'failed', message: 'no' },
  { type: 'window', windowId: 1, data: new Uint8Array(1) },
  { type: 'process-start', processId: 1, request: REQUEST },
  { type: 'process-post', processId: 1, message: { type: 'setup' } },
  { type: 'process-kill', processId: 1 },
  { type: 'cipher-encrypt', requestId: 1, text: 'x' },
  { type: 'cipher-decrypt', requestId: 1, bytes: new Uint8Array(1) },
]

describe.each([
  ['the shell', SHELL, parseShellToHost, shellToHostSchema],
  ['the host', HOST, parseHostToShell, hostToShellSchema],
] as const)('messages of %s', (_, valid, parse, schema) => {
  it('are read as they are', () => {
    for (const message of valid) {
      expect(parse(message)).toEqual(message)
      expect(schema.parse(message)).toEqual(message)
    }
  })

  it('pass exactly if the schema lets them pass, spoiled in any way', () => {
    fc.assert(
      fc.property(fc.constantFrom(...valid), fc.infiniteStream(fc.nat()), (message, numbers) => {
        const sent = spoiled(message, (count) => ([...numbers.take(1)][0] ?? 0) % count)
        expect([sent, parse(sent) !== undefined]).toEqual([sent, schema.safeParse(sent).success])
      }),
      { numRuns: 2_000 },
    )
  })
})
