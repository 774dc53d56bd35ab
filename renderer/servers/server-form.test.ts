import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  argumentsOf,
  argumentsText,
  draftOf,
  emptyForm,
  errorsOf,
  formOf,
  suggestedName,
  withCommandLine,
} from './server-form.ts'

describe('the form of a server', () => {
  it('parses formatted arguments back to the same list', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', 'a\nb', '[', '["x"]', ' '))), (args) => {
        expect(argumentsOf(argumentsText(args))).toEqual(args)
      }),
    )
  })

  it('parses one argument per line and preserves blanks', () => {
    expect(argumentsOf('-y\n@example/server\n\n--root\n/a very long path')).toEqual([
      '-y',
      '@example/server',
      '--root',
      '/a very long path',
    ])
  })

  it('converts a draft to a form and back', () => {
    const draft = {
      name: 'fs',
      target: {
        transport: 'stdio' as const,
        command: 'npx',
        args: ['-y', 'x'],
        cwd: '/tmp',
        env: [{ name: 'A', value: '1' }],
      },
    }
    expect(draftOf(formOf(draft))).toEqual(draft)
    const http = {
      name: 'w',
      target: {
        transport: 'sse' as const,
        url: 'https://x.example/sse',
        headers: [],
        protocol: '2024-11-05' as const,
        declaration: { identity: { name: 'x', version: '1' }, capabilities: { roots: {} } },
      },
    }
    expect(draftOf(formOf(http))).toEqual(http)
  })

  it('splits a command line and preserves other fields, unless the command changed meanwhile', () => {
    const typed = { ...emptyForm, name: 'mine', command: 'A=2 npx -y x', env: [{ name: 'A', value: '1' }] }
    const env = [{ name: 'A', value: '2' }]
    const read = formOf({ name: 'x', target: { transport: 'stdio', command: 'npx', args: ['-y', 'x'], env } })
    expect(withCommandLine(typed, 'A=2 npx -y x', read)).toEqual({
      ...typed,
      command: 'npx',
      args: '-y\nx',
      env,
    })
    expect(withCommandLine(typed, 'A=2 npx -y', read)).toBe(typed)
  })

  it('recognizes a WebSocket URL by its scheme', () => {
    const form = { ...emptyForm, way: 'url' as const, transport: 'sse' as const, url: 'wss://x.example/ws' }
    expect(errorsOf(form)).toEqual({})
    expect(draftOf(form).target).toEqual({ transport: 'websocket', url: 'wss://x.example/ws', headers: [] })
    const changed = { ...formOf(draftOf(form)), url: 'https://x.example/mcp' }
    expect(draftOf(changed).target.transport).toBe('auto')
  })

  it('keeps, replaces or deletes a stored token', () => {
    const form = { ...emptyForm, way: 'url' as const, url: 'https://x.example/mcp' }
    expect(draftOf(form).bearerToken).toBeUndefined()
    expect(draftOf({ ...form, bearerToken: 't' }).bearerToken).toBe('t')
    expect(draftOf({ ...form, forgetToken: true }).bearerToken).toBe('')
  })

  it('reports missing and duplicate values', () => {
    expect(errorsOf(emptyForm)).toHaveProperty('command')
    expect(errorsOf({ ...emptyForm, way: 'url', url: 'example.com' })).toHaveProperty('url')
    expect(
      errorsOf({
        ...emptyForm,
        way: 'url',
        url: 'https://x.example',
        headers: [
          { name: 'X-A', value: '1' },
          { name: 'x-a', value: '2' },
        ],
      }),
    ).toEqual({ 'headers.1': '“x-a” exists twice.' })
    expect(errorsOf({ ...emptyForm, command: 'x', env: [{ name: '', value: 'v' }] })).toHaveProperty([
      'env.0',
    ])
  })

  it('suggests a name', () => {
    expect(
      suggestedName({ ...emptyForm, command: 'npx', args: '-y\n@example/server-fs@2.1.0\n--root' }),
    ).toBe('server-fs')
    expect(suggestedName({ ...emptyForm, command: '/usr/bin/birds.js' })).toBe('birds')
    expect(suggestedName({ ...emptyForm, way: 'url', url: 'https://docs.example/mcp' })).toBe('docs.example')
  })

  it.each([
    ['/home/ann/birds/build/index.js', 'birds'],
    ['C:\\work\\birds\\server.py', 'birds'],
    ['./dist/index.js', 'index'],
    ['index.js', 'index'],
    ['C:\\index.js', 'index'],
    ['~/index.js', 'index'],
  ])('suggests the folder of a file that is called like many: %s', (file, name) => {
    expect(suggestedName({ ...emptyForm, command: 'node', args: file })).toBe(name)
  })

  it('suggests names with ports for servers on one host', () => {
    expect(suggestedName({ ...emptyForm, way: 'url', url: 'http://127.0.0.1:3000/mcp' })).toBe(
      '127.0.0.1:3000',
    )
  })
})
