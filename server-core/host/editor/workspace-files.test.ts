import {
  chmod,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { templateNameSchema } from '../contract/editor.ts'
import { WorkspaceFiles } from './workspace-files.ts'

let folder: string
let files: WorkspaceFiles
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-editor-')))
  files = new WorkspaceFiles(folder)
  await mkdir(path.join(folder, 'tools'))
  await writeFile(path.join(folder, 'tools', 'a.ts'), 'one\ntwo\n')
})

const onDisk = (file: string): Promise<string> => readFile(path.join(folder, file), 'utf8')

describe('saving', () => {
  it('replaces what was read, and keeps mode and line ends', async () => {
    await writeFile(path.join(folder, 'tools', 'b.ts'), 'one\r\ntwo\r\n')
    await chmod(path.join(folder, 'tools', 'b.ts'), 0o751)
    const { text, version } = await files.read('tools/b.ts')
    expect(text).toBe('one\ntwo\n')
    const saved = await files.save('tools/b.ts', 'one\nand a half\ntwo\n', version)
    expect(await onDisk('tools/b.ts')).toBe('one\r\nand a half\r\ntwo\r\n')
    expect((await stat(path.join(folder, 'tools', 'b.ts'))).mode & 0o777).toBe(0o751)
    const again = await files.read('tools/b.ts')
    expect(saved).toEqual({ state: 'saved', version: again.version })
    expect(await readdir(path.join(folder, 'tools'))).toEqual(['a.ts', 'b.ts'])
  })

  it('writes nothing over what somebody else wrote, and shows that', async () => {
    const { version } = await files.read('tools/a.ts')
    await writeFile(path.join(folder, 'tools', 'a.ts'), 'theirs\n')
    const conflict = await files.save('tools/a.ts', 'mine\n', version)
    expect(conflict).toMatchObject({ state: 'conflict', text: 'theirs\n' })
    expect(await onDisk('tools/a.ts')).toBe('theirs\n')
    const theirs = conflict.state === 'conflict' ? conflict.version : ''
    expect(await files.save('tools/a.ts', 'mine\n', theirs)).toMatchObject({ state: 'saved' })
    expect(await onDisk('tools/a.ts')).toBe('mine\n')
  })

  it('agrees with who wrote the same', async () => {
    const { version } = await files.read('tools/a.ts')
    await writeFile(path.join(folder, 'tools', 'a.ts'), 'same\n')
    expect(await files.save('tools/a.ts', 'same\n', version)).toMatchObject({ state: 'saved' })
  })

  it('lets one of several who save over the same version win, and shows it to the others', async () => {
    const { version } = await files.read('tools/a.ts')
    const saves = ['first', 'second', 'third'].map((text) => files.save('tools/a.ts', text, version))
    const states = (await Promise.all(saves)).map(({ state }) => state)
    expect(states.toSorted()).toEqual(['conflict', 'conflict', 'saved'])
    expect(await onDisk('tools/a.ts')).toBe(['first', 'second', 'third'][states.indexOf('saved')])
  })

  it('reports a missing file, and creates it again on request', async () => {
    const { version } = await files.read('tools/a.ts')
    await files.remove('tools/a.ts')
    expect(await files.save('tools/a.ts', 'mine', version)).toEqual({ state: 'gone' })
    expect(await files.save('tools/a.ts', 'mine', null)).toMatchObject({ state: 'saved' })
    expect(await files.save('lib/deep/new.ts', 'new', null)).toMatchObject({ state: 'saved' })
    expect(await onDisk('lib/deep/new.ts')).toBe('new')
  })

  it('writes through a link that stays inside, and keeps the link', async () => {
    await symlink('a.ts', path.join(folder, 'tools', 'link.ts'))
    const { version } = await files.read('tools/link.ts')
    await files.save('tools/link.ts', 'through', version)
    expect(await onDisk('tools/a.ts')).toBe('through')
    expect(await readFile(path.join(folder, 'tools', 'link.ts'), 'utf8')).toBe('through')
  })

  it('refuses what is larger than is edited', async () => {
    await expect(files.save('tools/large.ts', 'x'.repeat(1_048_577), null)).rejects.toMatchObject({
      code: 'TOO_LARGE',
    })
    await writeFile(path.join(folder, 'large.ts'), 'x'.repeat(1_048_577))
    await expect(files.read('large.ts')).rejects.toThrow('1,048,577 bytes; at most 1,048,576')
  })
})

describe('paths', () => {
  it.each([
    '../a.ts',
    'tools/../../a.ts',
    '/etc/passwd',
    'tools//a.ts',
    'C:\\a.ts',
    'a\0.ts',
    'con',
    'tools/',
    './a.ts',
    '~x:y',
  ])('refuses %j', async (file) => {
    await expect(files.read(file)).rejects.toMatchObject({ code: 'INVALID_NAME' })
    await expect(files.save(file, 'x', null)).rejects.toMatchObject({ code: 'INVALID_NAME' })
  })

  it('refuses links that lead out, of files and of folders, and links that lead nowhere', async () => {
    const outside = await mkdtemp(path.join(tmpdir(), 'patchbay-outside-'))
    await writeFile(path.join(outside, 'secret'), 'theirs')
    await symlink(path.join(outside, 'secret'), path.join(folder, 'secret.ts'))
    await symlink(outside, path.join(folder, 'out'))
    await symlink(path.join(outside, 'not-yet'), path.join(folder, 'dangling.ts'))
    for (const file of ['secret.ts', 'out/secret', 'out/new.ts', 'out/deep/new.ts', 'dangling.ts']) {
      await expect(files.read(file)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' })
      await expect(files.save(file, 'mine', null)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' })
      await expect(files.rename('tools/a.ts', file)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' })
      await expect(files.remove(file)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' })
    }
    expect(await readdir(outside)).toEqual(['secret'])
    expect(await readFile(path.join(outside, 'secret'), 'utf8')).toBe('theirs')
  })

  it('reads what packages, git and Patchbay keep, and writes none of it', async () => {
    await mkdir(path.join(folder, 'node_modules', 'p'), { recursive: true })
    await writeFile(path.join(folder, 'node_modules', 'p', 'index.d.ts'), 'export {}')
    expect(await files.read('node_modules/p/index.d.ts')).toMatchObject({
      text: 'export {}',
      readOnly: 'This file belongs to a package.',
    })
    for (const file of ['node_modules/p/index.d.ts', '.git/config', '.patchbay/types/patchbay.d.ts']) {
      await expect(files.save(file, 'x', null)).rejects.toMatchObject({ code: 'READ_ONLY' })
      await expect(files.rename('tools/a.ts', file)).rejects.toMatchObject({ code: 'READ_ONLY' })
    }
  })

  it('rejects a file that is not text', async () => {
    await writeFile(path.join(folder, 'image.svg'), Buffer.of(0xff, 0xfe, 0x00))
    await expect(files.read('image.svg')).rejects.toMatchObject({ code: 'NOT_TEXT' })
    await expect(files.read('tools')).rejects.toMatchObject({ code: 'INVALID_NAME' })
    await expect(files.read('tools/none.ts')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the files of a workspace', () => {
  it('lists files without packages, hidden folders and binary files', async () => {
    for (const place of ['node_modules/p', '.git', '.patchbay/types', 'lib/deep']) {
      await mkdir(path.join(folder, place), { recursive: true })
      await writeFile(path.join(folder, place, 'x.ts'), 'x')
    }
    await writeFile(path.join(folder, 'picture.png'), 'x')
    await writeFile(path.join(folder, 'patchbay.json'), '{}')
    const listed = await files.list()
    expect(listed).toEqual({
      folder,
      uri: `file://${folder}`,
      files: [
        { file: 'lib/deep/x.ts', bytes: 1 },
        { file: 'patchbay.json', bytes: 2 },
        { file: 'tools/a.ts', bytes: 8 },
      ],
      isCut: false,
    })
  })

  it('are renamed, never over another one', async () => {
    await writeFile(path.join(folder, 'b.ts'), 'b')
    await expect(files.rename('tools/a.ts', 'b.ts')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
    expect(await files.rename('tools/a.ts', 'lib/c.ts')).toBe('lib/c.ts')
    expect(await onDisk('lib/c.ts')).toBe('one\ntwo\n')
    await expect(files.read('tools/a.ts')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.rename('tools/a.ts', 'd.ts')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('come back after they were removed, unless another one has their place', async () => {
    await chmod(path.join(folder, 'tools', 'a.ts'), 0o600)
    const removal = await files.remove('tools/a.ts')
    expect((await files.list()).files).toEqual([])
    expect(await onDisk('.patchbay/.gitignore')).toBe('*\n')
    await writeFile(path.join(folder, 'tools', 'a.ts'), 'another')
    await expect(files.restore(removal)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
    const other = await files.remove('tools/a.ts')
    expect(await files.restore(removal)).toBe('tools/a.ts')
    expect(await onDisk('tools/a.ts')).toBe('one\ntwo\n')
    expect((await stat(path.join(folder, 'tools', 'a.ts'))).mode & 0o777).toBe(0o600)
    await expect(files.restore(removal)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.restore('../..')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(files.restore(other)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
  })

  it('are removed into no folder that the workspace has a link to', async () => {
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'patchbay-elsewhere-'))
    const theirs = Array.from({ length: 60 }, (_, at) => `theirs-${at}`)
    for (const name of theirs) await mkdir(path.join(elsewhere, name))
    await mkdir(path.join(folder, '.patchbay'))
    await symlink(elsewhere, path.join(folder, '.patchbay', 'removed'))
    await expect(files.remove('tools/a.ts')).rejects.toThrow('is a symbolic link')
    expect(await onDisk('tools/a.ts')).toBe('one\ntwo\n')
    expect((await readdir(elsewhere)).toSorted()).toEqual(theirs.toSorted())
  })

  it('are made from templates where scripts of their kind belong', async () => {
    const made = await Promise.all(
      templateNameSchema.options.map((template) => files.create(template, `my-${template}`)),
    )
    expect(made).toEqual([
      'tools/my-tool.ts',
      'resources/my-resource.ts',
      'resources/my-template.ts',
      'prompts/my-prompt.ts',
      'patchbay.config.ts',
    ])
    expect(await files.create('tool', 'plain.js')).toBe('tools/plain.js')
    await expect(files.create('tool', 'my-tool')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
    await expect(files.create('tool', '../evil')).rejects.toMatchObject({ code: 'INVALID_NAME' })
  })
})

it('reads a write-protected file and does not get around its protection', async () => {
  const place = path.join(folder, 'locked.txt')
  await writeFile(place, 'locked\n', { mode: 0o444 })
  const { version, readOnly } = await files.read('locked.txt')
  expect(readOnly).toContain('write-protected')
  await expect(files.save('locked.txt', 'typed\n', version)).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(await readFile(place, 'utf8')).toBe('locked\n')
})
