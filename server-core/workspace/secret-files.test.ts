import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { PlainFileSecretStore, SealedFileSecretStore, type Cipher } from './secret-files.ts'

async function newFile(): Promise<string> {
  return path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-secrets-')), 'secrets.json')
}

const ignore = (): void => undefined

it('keeps secrets in a file of the owner alone and says that it is not encrypted', async () => {
  const file = await newFile()
  const store = new PlainFileSecretStore(file, ignore)
  await store.set('a', 'secret of a')
  await store.set('__proto__', 'polluting')
  expect(await new PlainFileSecretStore(file, ignore).get('a')).toBe('secret of a')
  expect(await store.get('constructor')).toBeUndefined()
  expect(store.description).toContain('not encrypted')
  expect(store.encrypted).toBe(false)
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  await store.delete('a')
  expect(await store.get('a')).toBeUndefined()
})

it('writes no readable secret where there is a cipher, and says when one cannot be opened', async () => {
  const file = await newFile()
  let locked = false
  const cipher: Cipher = {
    encrypt: (text) => Promise.resolve(Buffer.from(text).map((byte) => byte ^ 0x5a)),
    decrypt: (bytes) =>
      locked
        ? Promise.reject(new Error('the key chain is locked'))
        : Promise.resolve({
            text: Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString(),
            shouldReEncrypt: false,
          }),
  }
  const store = new SealedFileSecretStore(file, cipher, ignore)
  await store.set('a', 'plain words')
  expect(await store.get('a')).toBe('plain words')
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain('plain words')
  expect(text).not.toContain(Buffer.from('plain words').toString('base64'))
  locked = true
  await expect(store.get('a')).rejects.toMatchObject({ name: 'StorageError', code: 'sealed' })
})

it('encrypts a value anew when the cipher says that its key changed', async () => {
  const file = await newFile()
  let key = 1
  const cipher: Cipher = {
    encrypt: (text) => Promise.resolve(Buffer.concat([Buffer.of(key), Buffer.from(text)])),
    decrypt: (bytes) =>
      Promise.resolve({
        text: Buffer.from(bytes.subarray(1)).toString(),
        shouldReEncrypt: bytes[0] !== key,
      }),
  }
  const store = new SealedFileSecretStore(file, cipher, ignore)
  await store.set('a', 'words')
  const before = await readFile(file, 'utf8')
  expect(await store.get('a')).toBe('words')
  expect(await readFile(file, 'utf8')).toBe(before)
  key = 2
  expect(await store.get('a')).toBe('words')
  expect(await readFile(file, 'utf8')).toContain(Buffer.from('\u0002words').toString('base64'))
})
