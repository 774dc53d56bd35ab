/**
 * A host that connects to such servers and closes them again, three at a time, until it is killed. Words: the folder of
 * its journal, and a seed. Sends the pids of every tree that is up.
 */
import { ProcessJournal } from '../../server-core/processes/process-journal.ts'
import {
  ALL_KINDS,
  stubbornArgs,
  toldPids,
} from '../../server-core/processes/testing/stubborn.test-support.ts'
import { stdioTransport } from '../../server-core/transports/stdio/stdio-client.ts'
import { Random } from '../random.ts'

const [folder = '', seed = '0'] = process.argv.slice(2)
const random = new Random(Number(seed))
const processes = await ProcessJournal.begin(folder, (error) => {
  throw error
})
const nothing = (): void => undefined

async function connection(): Promise<never> {
  for (;;) {
    const words = ALL_KINDS.filter((kind) => kind !== 'bare' && random.probability(0.5))
    const up = Promise.withResolvers<readonly number[]>()
    const transport = stdioTransport({
      command: process.execPath,
      args: stubbornArgs(random.probability(0.5) ? [...words, 'stubborn'] : words),
      env: {},
      processes,
      tap: {
        record: ({ kind }) => {
          const pids = kind === 'stderr' ? toldPids(transport.evidence().stderr) : undefined
          if (pids !== undefined) up.resolve(pids)
        },
      },
    })
    await transport.start({ message: nothing, invalid: nothing, requestFailed: nothing, closed: nothing })
    // Some are closed before they are up.
    if (random.probability(0.7)) process.send?.(await up.promise)
    await transport.close()
  }
}

await Promise.all([connection(), connection(), connection()])
