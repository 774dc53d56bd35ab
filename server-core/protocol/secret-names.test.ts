import { expect, it } from 'vitest'
import { namesSecret, replaceAddressSecrets } from './secret-names.ts'

it('knows names of secrets, however their words are joined, and takes no other name for one', () => {
  const secret = [
    'password',
    'API_KEY',
    'apiKey',
    'x-api-key',
    'accessToken',
    'token',
    'client.secret',
    'PIN',
  ]
  const others = ['city', 'maxTokens', 'spinning', 'keyword', 'monkey', 'passage', 'cardinal', 'shipping']
  expect([...secret, ...others].filter(namesSecret)).toEqual(secret)
})

it.each([
  ['/mcp?token=abc&x=1', '/mcp?token=•&x=1'],
  ['/mcp?x=1&api_key=a;b"c#top', '/mcp?x=1&api_key=•#top'],
  ['https://h/?KEY=abc', 'https://h/?KEY=•'],
  ['/?%74oken=abc&%zz=1', '/?%74oken=•&%zz=1'],
  ['/?X-Amz-Signature=abc', '/?X-Amz-Signature=•'],
  ['postgres://u:p4ss@h/db', 'postgres://u:•@h/db'],
  [
    'a, redis://:p4ss@h and https://user@h/?access_token=t',
    'a, redis://:•@h and https://user@h/?access_token=•',
  ],
])('replaces the secrets in the address %s', (text, replaced) => {
  expect(replaceAddressSecrets(text, () => '•')).toBe(replaced)
})

it.each([
  '/mcp?sessionId=abc&cursor=x&keyword=y&monkey=z',
  'https://host:8080/path@x',
  'mailto:a@b.example',
  'text/html;q=0.9, */*; charset=utf-8',
  '/?token=',
])('leaves %s as it is', (text) => {
  expect(replaceAddressSecrets(text, () => '•')).toBe(text)
})
