import { expect, it } from 'vitest'
import type { DocumentFile } from '../workspace/document-file.ts'
import type { WorkspaceDocument } from '../workspace/server-entries.ts'
import { LiveDocument } from './live-document.ts'

it('takes what the disk has now, however long an earlier look at it lasts', async () => {
  const first = Promise.withResolvers<WorkspaceDocument>()
  const peeks = [() => first.promise, () => Promise.resolve({ servers: [], name: 'new' })]
  const file = { peek: () => peeks.shift()?.() } as unknown as DocumentFile<WorkspaceDocument>
  const nothing = (): void => undefined
  const document = new LiveDocument({ file, onData: nothing, onFaults: nothing, onChange: nothing })
  const reads = [document.read(), document.read()]
  await Promise.resolve()
  first.resolve({ servers: [], name: 'old' })
  await Promise.all(reads)
  expect(document.document).toMatchObject({ name: 'new' })
})
