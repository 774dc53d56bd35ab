import { expect, it } from 'vitest'
import type { ClientTransport } from '../ports/contract.ts'
import { stdioTransport } from '../transports/stdio/stdio-client.ts'
import { alive } from './testing/alive.test-support.ts'
import { ALL_KINDS, stubbornArgs, toldPids } from './testing/stubborn.test-support.ts'

const nothing = (): void => undefined

/** Starts such a server and gives the pids of its tree, itself first. */
async function startTree(words: readonly string[]): Promise<{ transport: ClientTransport; pids: number[] }> {
  const up = Promise.withResolvers<number[]>()
  const transport = stdioTransport({
    command: process.execPath,
    args: stubbornArgs(words),
    env: {},
    graceMs: 300,
    tap: {
      record: ({ kind }) => {
        const pids = kind === 'stderr' ? toldPids(transport.evidence().stderr) : undefined
        if (pids !== undefined) up.resolve(pids)
      },
    },
  })
  await transport.start({ message: nothing, invalid: nothing, requestFailed: nothing, closed: nothing })
  return { transport, pids: await up.promise }
}

it.each([
  { name: 'a server that ends politely', words: ALL_KINDS },
  { name: 'a server that ignores every polite end', words: [...ALL_KINDS, 'stubborn'] },
])('ends $name with its descendants of every kind', async ({ words }) => {
  const { transport, pids } = await startTree(words)
  expect(pids).toHaveLength(1 + ALL_KINDS.length)
  expect(await alive(pids)).toEqual(pids)
  await transport.close()
  expect(await alive(pids)).toEqual([])
})

it('ends what a server left that was killed by somebody', async () => {
  // Without a mark nothing would lead to the bare one any more.
  const { transport, pids } = await startTree(['child', 'group', 'session', 'orphan'])
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await expect.poll(() => alive(pids)).toEqual([])
  await transport.close()
})

it('leaves others alone', async () => {
  const other = stdioTransport({ command: process.execPath, args: stubbornArgs(['session']), env: {} })
  await other.start({ message: nothing, invalid: nothing, requestFailed: nothing, closed: nothing })
  const { transport } = await startTree(['child', 'orphan'])
  await transport.close()
  expect(await alive([other.evidence().pid ?? 0])).toHaveLength(1)
  await other.close()
})
