import { request } from 'node:http'
import { afterEach, expect, it } from 'vitest'
import { RedirectReceiver } from './redirect-receiver.ts'

const receivers: RedirectReceiver[] = []
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})

async function listening(port?: number): Promise<{ receiver: RedirectReceiver; redirectUri: string }> {
  const receiver = new RedirectReceiver()
  receivers.push(receiver)
  return { receiver, ...(await receiver.open(port)) }
}

type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

function get(
  url: string,
  options: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, (response) => {
      let body = ''
      response.on('data', (chunk) => (body += String(chunk)))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

const never = new AbortController().signal

it('takes the one answer whose state fits, once', async () => {
  const { receiver, redirectUri } = await listening()
  expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  expect((await get(`${redirectUri}?state=right&code=a`)).status).toBe(410)
  const answer = receiver.expect({ state: 'right', redirectUri }).within(60_000, never)
  for (const query of [
    '',
    '?code=a',
    '?state=wrong&code=a',
    '?state=right&state=right&code=a',
    '?state=&code=a',
  ]) {
    expect((await get(`${redirectUri}${query}`)).status).toBe(400)
  }
  const taken = await get(`${redirectUri}?state=right&code=a%20b`)
  expect(taken.status).toBe(200)
  expect(await answer).toBe('state=right&code=a%20b')
  expect((await get(`${redirectUri}?state=right&code=a`)).status).toBe(410)
})

it('shows nothing of the request, and lets its page do nothing', async () => {
  const { receiver, redirectUri } = await listening()
  receiver.expect({ state: 'right', redirectUri })
  const query = '?error=%3Cscript%3Ealert(1)%3C/script%3E&error_description=call%20me&state='
  for (const state of ['wrong', 'right']) {
    const { body, headers } = await get(`${redirectUri}${query}${state}`)
    expect(body).not.toMatch(/script|alert|call me/)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
  }
})

it('is there for its own address, path and method alone', async () => {
  const { receiver, redirectUri } = await listening()
  receiver.expect({ state: 'right', redirectUri })
  const { origin } = new URL(redirectUri)
  expect((await get(`${origin}/other?state=right`)).status).toBe(404)
  expect((await get(`${redirectUri}?state=right`, { headers: { host: 'evil.example' } })).status).toBe(404)
  expect((await get(`${redirectUri}?state=right`, { method: 'POST' })).status).toBe(405)
  expect((await get(`${redirectUri}?state=right`)).status).toBe(200)
})

it('listens at the port that is asked for, or at another if that is taken', async () => {
  const first = await listening()
  const port = Number(new URL(first.redirectUri).port)
  const second = await listening(port)
  expect(second.redirectUri).not.toBe(first.redirectUri)
  await first.receiver.close()
  const third = await listening(port)
  expect(third.redirectUri).toBe(first.redirectUri)
})
