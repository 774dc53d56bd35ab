import path from 'node:path'
import { withFileLock } from './file-lock.ts'

/** Holds the lock of a file until it is killed. */
const [folder = ''] = process.argv.slice(2)
await withFileLock(path.join(folder, 'held.json'), async () => {
  process.send?.('held')
  await new Promise(() => setInterval(() => undefined, 60_000))
})
