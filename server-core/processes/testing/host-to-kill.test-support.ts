/**
 * A process that starts one such server, with a journal in the folder of its first word, sends the pids of the server's
 * tree to its parent and stays. Told `close`, it closes the server and ends.
 */
import { stdioTransport } from '../../transports/stdio/stdio-client.ts'
import { ProcessJournal } from '../process-journal.ts'
import { stubbornArgs, toldPids } from './stubborn.test-support.ts'

const [folder = '', ...words] = process.argv.slice(2)
const processes = await ProcessJournal.begin(folder, (error) => {
  throw error
})
const transport = stdioTransport({
  command: process.execPath,
  args: stubbornArgs(words),
  env: {},
  processes,
  tap: {
    record: ({ kind }) => {
      const pids = kind === 'stderr' ? toldPids(transport.evidence().stderr) : undefined
      if (pids !== undefined) process.send?.(pids)
    },
  },
})
const nothing = (): void => undefined
process.on('message', () => {
  void transport.close().then(() => {
    processes.close()
    process.exit(0)
  })
})
await transport.start({ message: nothing, invalid: nothing, requestFailed: nothing, closed: nothing })
