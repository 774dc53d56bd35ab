/** Records numbered messages to the file it is given, without an end, and tells its parent what is on the disk. */
import { Recorder } from './recorder.ts'
import { SOURCE } from './recorder.test-support.ts'

const [file = ''] = process.argv.slice(2)
const recorder = await Recorder.create(file, {
  onTrouble: (text) => {
    throw new Error(text)
  },
})
const tap = recorder.tap(SOURCE)
const padding = 'x'.repeat(200)
for (let number = 0; ;) {
  for (const end = number + 500; number < end; number += 1)
    tap.record({
      kind: 'message',
      direction: 'received',
      bytes: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: number, method: 'ping', params: { padding } })),
    })
  await recorder.flushed()
  process.send?.(number)
}
