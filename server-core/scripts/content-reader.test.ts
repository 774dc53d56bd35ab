import { expect, it } from 'vitest'
import { isJsonObject } from '../protocol/json.ts'
import { encodeForPort, decodeFromPort } from './encode-for-port.ts'
import { ContentReader, type ReadingPool } from './content-reader.ts'
import { WorkerLink } from './worker-link.ts'

const OPTIONS = { env: {}, timeoutMs: 60_000, onNews: () => undefined, onCrash: () => undefined }
const START = { folder: '/workspace', env: {}, heapMegabytes: 1, memoryMegabytes: 1, outputBytes: 1 }
const CONTENT = {
  definitions: {
    tools: [],
    prompts: [],
    resources: [],
    templates: [],
    listStabilities: { tools: 'fixed', resources: 'fixed', prompts: 'fixed' },
  },
}

const scriptOf = (file: string) => ({ file, bundle: `/bundles/${file}` })

/** A pool of Workers that read nothing: `told` gets what each is to read, `opened` keeps it. */
function pool(told: (link: WorkerLink, file: string, id: unknown) => void) {
  const opened: string[][] = []
  const spare = {
    has: () => true,
    open: (file: () => string) => {
      const files: string[] = []
      opened.push(files)
      const link = new WorkerLink({
        worker: opened.length,
        file,
        graceMs: 60_000,
        send: (sent) => {
          const message = decodeFromPort(sent)
          if (!isJsonObject(message) || !isJsonObject(message['script'])) return
          const name = String(message['script']['file'])
          files.push(name)
          queueMicrotask(() => told(link, name, message['id']))
        },
        end: () => link.over({ reason: 'was ended' }),
        killProcess: () => undefined,
      })
      return link
    },
  }
  const reading: ReadingPool = { spare: () => Promise.resolve(spare), isSpare: (link) => !link.isOver }
  return { opened, reading }
}

it('blames no script for a process that one behind it ended before the reply got here', async () => {
  const { opened, reading } = pool((link, file, id) => {
    if (file === 'kills.ts') link.overWithProcess('was killed', 'perhaps')
    // What a Worker says last is lost with its process.
    else if (opened.at(-1)?.includes('kills.ts') !== true)
      link.receive(encodeForPort({ type: 'content', id, content: CONTENT }))
  })
  const reader = new ContentReader(reading, START, 60_000)
  const outcomes = await Promise.allSettled(
    ['good.ts', 'kills.ts', 'other.ts'].map((file) => reader.read(scriptOf(file), OPTIONS)),
  )
  reader.close()
  expect(outcomes).toMatchObject([
    { value: CONTENT },
    { reason: { message: 'kills.ts was killed, while it was loaded.' } },
    { value: CONTENT },
  ])
})
