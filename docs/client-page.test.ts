import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { ExampleProcess } from './examples/example-process.test-support.ts'

const folder = path.join(import.meta.dirname, 'client-examples')
const page = readFileSync(path.join(import.meta.dirname, 'client.md'), 'utf8')

/** What each example prints. */
const PRINTED: Readonly<Record<string, string>> = {
  connecting: `2026-07-28 first
server/discover (2026-07-28): answered; the newest revision of both is 2026-07-28
[{"type":"text","text":"40 + 2 = 42"}]
2025-03-26
`,
  lists: `5 0 0 whole
visit
# About
{"type":"text","text":"Plan a journey to the capital in Norway."}
Oslo
`,
  calls: `info { counting: 2 }
1 of 2
2 of 2
not-checked false
cancelled
-32602
`,
  questions: `[{"type":"text","text":"2 seats are booked."}]
[{"type":"text","text":"file:///work"}]
[{"type":"text","text":"Ada of London"}]
`,
  tasks: `core [{"type":"text","text":"three parts"}]
extension [{"type":"text","text":"three parts"}]
`,
  changes: `visits://count changed
tools changed
`,
  caching: `first asked
second kept for 60000 ms, public
`,
  raw: `received {"jsonrpc":"2.0","id":"mine","result":{}}
1 0
received {"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error: Unexpected token 'h', \\"this is not JSON\\" is not valid JSON"}}
received {"jsonrpc":"2.0","id":2,"result":{}}
`,
  bridge: `sums__add library__forecast library__measure
[{"type":"text","text":"40 + 2 = 42"}]
`,
  authorization: `unauthorized 401 1
[{"type":"text","text":"hello"}]
`,
}

test('client.md shows every example, and nothing that is not in it', () => {
  const shown = page.split(/^(?=##+ )/m).flatMap((section) => {
    const [, name] = /\]\(client-examples\/([\w-]+)\.ts\)/.exec(section) ?? []
    return name === undefined ? [] : [{ name, section }]
  })
  const examples = readdirSync(folder).filter((file) => file !== 'example-server.ts')
  expect(shown.map(({ name }) => `${name}.ts`).toSorted()).toEqual(examples.toSorted())
  expect(Object.keys(PRINTED).toSorted()).toEqual(shown.map(({ name }) => name).toSorted())
  for (const { name, section } of shown) {
    const source = readFileSync(path.join(folder, `${name}.ts`), 'utf8')
    const pieces = Array.from(section.matchAll(/^```ts\n(.*?)^```$/gms), ([, piece = '']) => piece)
    expect(pieces, name).not.toEqual([])
    for (const piece of pieces) expect(source, `this piece is not in ${name}.ts:\n${piece}`).toContain(piece)
  }
})

test.for(Object.keys(PRINTED))('%s', async (name) => {
  const server = name === 'authorization' ? new ExampleProcess('access') : undefined
  let child: ChildProcessByStdio<null, Readable, Readable> | undefined
  try {
    const [url] = (await server?.urls()) ?? []
    const words = [path.join(folder, `${name}.ts`), ...(url === undefined ? [] : [url.href])]
    child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    expect({ code, stdout, stderr: code === 0 ? '' : stderr }).toEqual({
      code: 0,
      stdout: PRINTED[name],
      stderr: '',
    })
  } finally {
    child?.kill()
    await server?.end()
  }
})
