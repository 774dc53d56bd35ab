import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { profileFiles } from './profile-files.ts'
import type { Cipher } from './secret-files.ts'
import { chooseSecretStore } from './choose-secret-store.ts'

const cipher: Cipher = {
  encrypt: (text) => Promise.resolve(Buffer.from(text).map((byte) => byte ^ 0x5a)),
  decrypt: (bytes) =>
    Promise.resolve({
      text: Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString(),
      shouldReEncrypt: false,
    }),
}

async function setUp() {
  const files = profileFiles(await mkdtemp(path.join(tmpdir(), 'patchbay-choice-')))
  const choose = (given?: Cipher) => chooseSecretStore(files, given, () => undefined)
  return { files, choose }
}

it('stores readable text only in a profile that never had encrypted secrets', async () => {
  const { choose } = await setUp()
  const first = await choose()
  expect(first).toMatchObject({ kind: 'plain', isNew: true })
  await first.store.set('a', 'words')
  expect(await choose()).toMatchObject({ kind: 'plain', isNew: false })
})

it('stays with encrypted secrets while the key chain cannot be used, and has them again afterwards', async () => {
  const { files, choose } = await setUp()
  const sealed = await choose(cipher)
  await sealed.store.set('a', 'words')
  const { kind, store } = await choose()
  expect(kind).toBe('locked')
  expect(store.description).toContain('cannot be used now')
  await expect(store.get('a')).rejects.toMatchObject({ code: 'key-chain-locked' })
  await expect(store.set('b', 'new')).rejects.toMatchObject({ code: 'key-chain-locked' })
  expect(await store.get('b')).toBeUndefined()
  await expect(readFile(files.secrets)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await (await choose(cipher)).store.get('a')).toBe('words')
})

it('takes a file that cannot be read for encrypted secrets, and leaves it as it is', async () => {
  const { files, choose } = await setUp()
  await writeFile(files.sealedSecrets, 'broken')
  const { kind, store } = await choose()
  expect(kind).toBe('locked')
  await expect(store.get('a')).rejects.toMatchObject({ code: 'key-chain-locked' })
  expect(await readFile(files.sealedSecrets, 'utf8')).toBe('broken')
})
