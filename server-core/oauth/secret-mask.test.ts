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

it.each([
  'access_token',
  'actor_token',
  'assertion',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'id_token',
  'password',
  'refresh_token',
  'registration_access_token',
  'subject_token',
  'token',
])('hides %s in forms, addresses and documents', (name) => {
  const value = 'a-value-to-hide'
  const mask = new SecretMask()
  const url = `https://a.example/t?${name}=${value}`
  const { shown } = mask.request({ method: 'POST', url, headers: FORM, body: `${name}=${value}` })
  expect(shown).toMatchObject({ url: `https://a.example/t?${name}=⟨${name}⟩`, body: `${name}=⟨${name}⟩` })
  const body = JSON.stringify({ list: [{ [name]: value }] })
  expect(new SecretMask().response(200, {}, body).body).not.toContain(value)
})

it.each(['Authorization', 'cookie', 'Proxy-Authorization'])('hides the header %s of a request', (name) => {
  const request = {
    method: 'GET',
    url: 'https://a.example/',
    headers: { [name]: 'Scheme abcdefgh' },
  } as const
  const masked = new SecretMask().request(request)
  expect(masked.shown.headers).toEqual({ [name]: 'Scheme ⟨credentials⟩' })
  expect(masked.restore(masked.shown)).toEqual(request)
})

it('numbers different secrets of the same name, and leaves an empty one', () => {
  const body = 'token=first-token&token=second-token&token=first-token&token='
  const request = { method: 'POST', url: 'https://a.example/', headers: FORM, body } as const
  const masked = new SecretMask().request(request)
  expect(masked.shown.body).toBe('token=⟨token⟩&token=⟨token 2⟩&token=⟨token⟩&token=')
  expect(masked.restore(masked.shown)).toEqual(request)
})

it('searches for secrets of six characters and more, and for the newest 512', () => {
  const mask = new SecretMask()
  mask.learn('short', '12345')
  mask.learn('long', '123456')
  expect(mask.text('12345 and 123456')).toBe('12345 and ⟨long⟩')
  for (let n = 0; n < 511; n += 1) mask.learn('other', `secret-${n}-`)
  expect(mask.text('123456')).toBe('⟨long⟩')
  mask.learn('long', '123456')
  mask.learn('other', 'one-more')
  expect(mask.text('123456, secret-0- and one-more')).toBe('⟨long⟩, secret-0- and ⟨other⟩')
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
