import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { DraftStore } from './draft-store.ts'

it('says which draft could not be stored and why, and stores the next one', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-drafts-'))
  const blocked = path.join(folder, 'a-file')
  await writeFile(blocked, '')
  const draft = { file: 'tools/a.ts', text: 'x', version: null, at: 1 }
  const store = new DraftStore(blocked, '/workspace')
  const failure = { name: 'StorageError', code: 'unavailable' }
  await expect(store.keep(draft)).rejects.toMatchObject({
    ...failure,
    message: expect.stringMatching(
      /^What was typed in tools\/a\.ts could not be stored in .*a-file.*: .+/,
    ) as string,
  })
  await expect(store.drop('tools/a.ts')).rejects.toMatchObject(failure)

  const good = new DraftStore(folder, '/workspace')
  await good.keep(draft)
  expect(await good.list()).toEqual([draft])
})
