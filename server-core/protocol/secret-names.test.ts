import { expect, it } from 'vitest'
import { namesSecret } from './secret-names.ts'

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
