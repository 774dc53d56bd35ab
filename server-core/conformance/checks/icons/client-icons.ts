import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { elapsed } from '../../probe/waits.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

type Served = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** A place for icons that notes who asks for what. */
async function withCanary(
  serve: (path: string, origin: string) => Served,
  use: (origin: string, hits: readonly IncomingMessage[]) => Promise<void>,
): Promise<void> {
  const hits: IncomingMessage[] = []
  let origin = ''
  const server = createServer((request, response) => {
    hits.push(request)
    const { status, headers, body } = serve(request.url ?? '', origin)
    response.writeHead(status, headers)
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await use(origin, hits)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Lets the client list a tool with such icons, and waits for it to fetch them. */
async function showIcons(exam: ClientExam, icons: readonly JsonObject[]): Promise<void> {
  exam.content.tools = exam.content.tools.map((tool) => ({ ...tool, icons }))
  exam.content.serverInfo = { ...exam.content.serverInfo, icons }
  const client = await exam.client()
  if (client.step === undefined) await exam.run()
  else {
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
  }
  await elapsed(exam.waits.silenceMs)
}

export const iconSchemes = clientCheck(
  'icons.client.schemes',
  async (exam) => {
    const serve = (path: string, origin: string): Served =>
      path === '/redirect'
        ? { status: 302, headers: { location: `${origin.replace('127.0.0.1', 'localhost')}/elsewhere` } }
        : { status: 200, headers: { 'content-type': 'image/png', 'set-cookie': 'canary=1' }, body: PIXEL }
    await withCanary(serve, async (origin, hits) => {
      await showIcons(exam, [
        { src: `${origin}/icon.png`, mimeType: 'image/png' },
        { src: `${origin}/redirect`, mimeType: 'image/png' },
        { src: `${origin.replace('http:', 'ws:')}/socket`, mimeType: 'image/png' },
        { src: 'javascript:alert(1)', mimeType: 'image/png' },
        { src: 'file:///etc/passwd', mimeType: 'image/png' },
      ])
      if (hits.length === 0) exam.notApplicable('the client fetched no icons')
      const frame = exam.messagesOf('tools/list').at(-1)?.frame
      for (const { url = '', headers } of hits) {
        const secret = ['cookie', 'authorization', 'mcp-session-id'].find(
          (name) => headers[name] !== undefined,
        )
        exam.expect(secret === undefined, {
          expected: `${url} fetched without credentials`,
          actual: `the header ${secret ?? ''}`,
          member: '/result/tools/0/icons',
          statement: 'icons.no-credentials',
          frame,
        })
        exam.expect(url !== '/elsewhere', {
          expected: 'no redirect to another origin followed',
          actual: url,
          member: '/result/tools/0/icons/1',
          statement: 'icons.redirect-origin',
          frame,
        })
        exam.expect(headers.upgrade === undefined, {
          expected: 'no icon fetched over ws:',
          actual: url,
          member: '/result/tools/0/icons/2',
          statement: 'icons.scheme',
          frame,
        })
      }
    })
  },
  { title: 'Icons are fetched safely, without credentials' },
)

/** The head of a PNG of 60,000 by 60,000 pixels, and nothing after it. */
const HUGE = Buffer.concat([
  PIXEL.subarray(0, 16),
  Buffer.from([0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]),
  PIXEL.subarray(24),
])

export const hostileIcons = clientCheck(
  'icons.client.hostile',
  async (exam) => {
    const serve = (path: string, origin: string): Served => {
      const headers = { 'content-type': 'image/png' }
      if (path === '/huge.png') return { status: 200, headers, body: HUGE }
      if (path !== '/script.png') return { status: 200, headers, body: PIXEL }
      const script = `<script>fetch("${origin}/inside")</script><image href="${origin}/inside"/>`
      return {
        status: 200,
        headers,
        body: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
      }
    }
    await withCanary(serve, async (origin, hits) => {
      const icons = ['/script.png', '/huge.png'].map((path) => ({
        src: `${origin}${path}`,
        mimeType: 'image/png',
      }))
      await showIcons(exam, icons)
      const frame = exam.messagesOf('tools/list').at(-1)?.frame
      const after =
        (await exam.client()).step === undefined
          ? undefined
          : await exam.step({ type: 'list', list: 'prompts' })
      exam.expect(after?.type !== 'failed', {
        expected: 'the client goes on',
        actual: after?.type === 'failed' ? after.message : '',
        frame,
      })
      if (hits.length === 0) exam.notApplicable('the client fetched no icons')
      exam.expect(!hits.some(({ url }) => url === '/inside'), {
        expected: 'an SVG that calls itself image/png not run',
        actual: 'what it refers to was fetched',
        member: '/result/tools/0/icons/0',
        statement: 'icons.sniff',
        frame,
      })
    })
  },
  { title: 'Hostile icons do no harm' },
)
