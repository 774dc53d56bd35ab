import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formEncoded, SecretMask } from './secret-mask.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }
const text = fc.string({ unit: 'binary', minLength: 6, maxLength: 30 })

it('hides secrets of a form, a document and headers, and gives each back where its placeholder is left', () => {
  fc.assert(
    fc.property(text, text, text, (code, secret, credentials) => {
      const mask = new SecretMask()
      const body = `grant_type=x&code=${formEncoded(code)}&client_secret=${formEncoded(secret)}`
      const form = { method: 'POST', url: 'https://a.example/t', headers: FORM, body } as const
      const masked = mask.request(form)
      expect(masked.shown.body).toBe('grant_type=x&code=⟨code⟩&client_secret=⟨client_secret⟩')
      expect(masked.restore(masked.shown)).toEqual(form)
      const edited = { ...masked.shown, body: 'code=mine&client_secret=⟨client_secret⟩&new=1' }
      expect(masked.restore(edited).body).toBe(`code=mine&client_secret=${formEncoded(secret)}&new=1`)

      const document = {
        method: 'POST',
        url: 'https://a.example/r',
        headers: {},
        body: JSON.stringify({ a: [{ client_secret: secret }] }, null, 2),
      } as const
      const other = mask.request(document)
      expect(JSON.parse(other.shown.body ?? '')).toEqual({ a: [{ client_secret: '⟨client_secret⟩' }] })
      expect(other.restore(other.shown)).toEqual(document)

      const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}`, accept: 'x' }
      const third = mask.request({
        method: 'GET',
        url: `https://a.example/?code=${formEncoded(code)}&state=s`,
        headers,
      })
      expect(third.shown).toMatchObject({
        url: 'https://a.example/?code=⟨code⟩&state=s',
        headers: { authorization: 'Basic ⟨credentials⟩', accept: 'x' },
      })
    }),
  )
})

it('hides a secret wherever a peer repeats it, once it was seen', () => {
  const seen: string[] = []
  const mask = new SecretMask((secret) => seen.push(secret))
  const reply = mask.response(
    200,
    { 'set-cookie': 'session=abcdefghij', location: 'http://127.0.0.1/callback?code=the-code-1&state=x' },
    JSON.stringify({ access_token: 'token-1-token', nested: { refresh_token: 'refresh&1' }, note: 'ok' }),
  )
  expect(JSON.stringify(reply)).not.toMatch(/abcdefghij|the-code-1|token-1-token|refresh&1/)
  expect(reply.headers['location']).toBe('http://127.0.0.1/callback?code=⟨code⟩&state=x')
  expect(mask.text('you sent token-1-token and refresh%261')).toBe(
    'you sent ⟨access_token⟩ and ⟨refresh_token⟩',
  )
  expect(mask.response(400, {}, '<h1>refresh&1 is bad</h1>').body).toBe('<h1>⟨refresh_token⟩ is bad</h1>')
  expect(seen).toEqual(['token-1-token', 'refresh&1', 'session=abcdefghij', 'the-code-1'])
})

it('keeps a long body short', () => {
  expect(new SecretMask().response(200, {}, 'x'.repeat(200_000)).body.length).toBeLessThan(70_000)
})

it('keeps no more nesting of a document than people can read', () => {
  const deep = '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000)
  const { body } = new SecretMask().response(200, {}, deep)
  expect(body.split('"a"')).toHaveLength(66)
  expect(body).toContain('"…"')
})
