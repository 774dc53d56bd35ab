import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  PlainFileSecretStore,
  renewSecretCopies,
  SealedFileSecretStore,
  type Cipher,
} from './secret-files.ts'

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
  const store = new SealedFileSecretStore(file, `${file}.plain`, cipher, ignore)
  await store.set('a', 'plain words')
  expect(await store.get('a')).toBe('plain words')
  const text = await readFile(file, 'utf8')
  expect(text).not.toContain('plain words')
  expect(text).not.toContain(Buffer.from('plain words').toString('base64'))
  locked = true
  await expect(store.get('a')).rejects.toMatchObject({ name: 'StorageError', code: 'sealed' })
})

it('encrypts a value again when the cipher says that its key changed', async () => {
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
  const store = new SealedFileSecretStore(file, `${file}.plain`, cipher, ignore)
  await store.set('a', 'words')
  const before = await readFile(file, 'utf8')
  expect(await store.get('a')).toBe('words')
  expect(await readFile(file, 'utf8')).toBe(before)
  key = 2
  expect(await store.get('a')).toBe('words')
  expect(await readFile(file, 'utf8')).toContain(Buffer.from('\u0002words').toString('base64'))
})

/** All text in a folder, of every file. */
async function textIn(folder: string): Promise<string> {
  const names = await readdir(folder)
  return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))).join('\n')
}

const halves: Cipher = {
  encrypt: (text) => Promise.resolve(Buffer.from(text).map((byte) => byte ^ 0x5a)),
  decrypt: (bytes) =>
    Promise.resolve({
      text: Buffer.from(bytes.map((byte) => byte ^ 0x5a)).toString(),
      shouldReEncrypt: false,
    }),
}

it.each([
  ['plain', (file: string) => new PlainFileSecretStore(file, ignore), (text: string) => text],
  [
    'sealed',
    (file: string) => new SealedFileSecretStore(file, `${file}.plain`, halves, ignore),
    (text: string) => Buffer.from(Buffer.from(text).map((byte) => byte ^ 0x5a)).toString('base64'),
  ],
])('leaves a secret that was removed or replaced in no file (%s)', async (_kind, open, stored) => {
  const file = await newFile()
  const folder = path.dirname(file)
  await open(file).set('a', 'the first value')
  await open(file).set('b', 'another value')
  await open(file).set('a', 'the second value')
  expect(await textIn(folder)).not.toContain(stored('the first value'))
  // Damaged and set aside by somebody: the value is still in it.
  await writeFile(`${file}.set-aside-2026-x`, `{"secrets":{"a":"${stored('the second value')}","b":"…`)
  await open(file).delete('a')
  const text = await textIn(folder)
  expect(text).not.toContain(stored('the second value'))
  expect(text).toContain(stored('another value'))
})

it('comes back whole from its copy when the file is damaged', async () => {
  const file = await newFile()
  const store = new PlainFileSecretStore(file, ignore)
  await store.set('a', 'first')
  await store.set('b', 'second')
  await writeFile(file, '{"secrets":')
  expect([await store.get('a'), await store.get('b')]).toEqual(['first', 'second'])
})

it('removes what an older Patchbay left in the copy', async () => {
  const file = await newFile()
  await new PlainFileSecretStore(file, ignore).set('b', 'present')
  await writeFile(`${file}.previous`, '{"version":1,"secrets":{"a":"long gone","b":"present"}}')
  await renewSecretCopies([file, `${file}.none`])
  expect(await textIn(path.dirname(file))).not.toContain('long gone')
  expect(await readdir(path.dirname(file))).toEqual(['secrets.json', 'secrets.json.previous'])
  await writeFile(file, 'damaged')
  await renewSecretCopies([file])
  expect(await new PlainFileSecretStore(file, ignore).get('b')).toBe('present')
})

it('removes a secret also from the readable file of a time without key chain', async () => {
  const file = await newFile()
  await new PlainFileSecretStore(`${file}.plain`, ignore).set('a', 'readable words')
  const store = new SealedFileSecretStore(file, `${file}.plain`, halves, ignore)
  await store.set('a', 'other words')
  await store.delete('a')
  expect(await textIn(path.dirname(file))).not.toContain('readable words')
})
