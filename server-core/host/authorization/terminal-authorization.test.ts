import { afterEach, expect, it } from 'vitest'
import { TestAuthority } from '../../oauth/testing/test-authority.test-support.ts'
import { TestResource } from '../../oauth/testing/test-resource.test-support.ts'
import { send, visit } from '../../oauth/testing/visitor.test-support.ts'
import { TransportError } from '../../ports/contract.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import { isAuthorizationFailure } from '../../diagnosis/authorization-failure.ts'
import { terminalAuthorization } from './terminal-authorization.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

it('says which page to open, and fails without a user', async () => {
  const authority = await TestAuthority.start()
  const resource = await TestResource.start([authority])
  const secretStore = new MemorySecretStore()
  const lines: string[] = []
  const begin = async (mayAskUser: boolean) => {
    const made = await terminalAuthorization({
      url: resource.url,
      owner: 'command-line',
      secretStore,
      mayAskUser,
      openUrl: async (href) => {
        await visit(href)
        throw new Error('no browser to be found')
      },
      log: (line) => lines.push(line),
    })
    closing.push(() => made.close())
    return made
  }
  closing.push(
    () => authority.close(),
    () => resource.close(),
  )
  const refused: unknown = await send(await begin(false), resource.url).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'user-needed' })
  expect(isAuthorizationFailure(new Error('outer', { cause: refused }))).toBe(true)
  expect(lines).toEqual([])
  expect(await send(await begin(true), resource.url)).toBe(200)
  expect(lines).toEqual([expect.stringContaining(`open this page: ${authority.issuer}/authorize?`)])
  // The next command has the token.
  expect(await send(await begin(false), resource.url)).toBe(200)
})

it('knows a refusal from other failures', () => {
  expect(isAuthorizationFailure(new TransportError('unauthorized', 'HTTP 401'))).toBe(true)
  expect(isAuthorizationFailure(new TransportError('http-status', 'HTTP 404'))).toBe(false)
  expect(isAuthorizationFailure('unauthorized')).toBe(false)
})
