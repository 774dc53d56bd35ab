import { expect, it } from 'vitest'
import { readTokens } from './token-reply.ts'

const read = (body: unknown, types?: readonly string[]) => {
  const headers = { 'content-type': 'application/json' }
  const response = new Response(JSON.stringify(body), { headers })
  return readTokens(response, { issuer: 'https://as.example' }, 'client', types)
}
const RIGHT = { access_token: 'a', token_type: 'Bearer' }

it('reads a token, whatever stands where its lifetime or an ID token should', async () => {
  for (const [given, seconds] of [
    [60, 60],
    ['60', 60],
    [{ toString: 'x' }, undefined],
    [[], undefined],
    [null, undefined],
  ]) {
    const reply = await read({ ...RIGHT, expires_in: given, id_token: 'none' })
    expect([given, reply.access_token, reply.expires_in]).toEqual([given, 'a', seconds])
  }
})

it('takes no token of another type than was asked for', async () => {
  await expect(read({ ...RIGHT, token_type: 'mac' })).rejects.toThrow('unsupported')
  expect((await read({ ...RIGHT, token_type: 'N_A' }, ['n_a'])).access_token).toBe('a')
})
