import { afterEach, describe, expect, it } from 'vitest'
import type { FlowState } from './flow-state.ts'
import { OAuthError } from './oauth-error.ts'
import type { GateAnswer, OAuthStep, OAuthStepKind } from './steps.ts'
import { TestAuthority } from './testing/test-authority.test-support.ts'
import { TestResource } from './testing/test-resource.test-support.ts'
import { send, visit, visitor } from './testing/visitor.test-support.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function servers() {
  const authority = await TestAuthority.start()
  const resource = await TestResource.start([authority], { challengeScope: 'read' })
  closing.push(
    () => authority.close(),
    () => resource.close(),
  )
  return { authority, resource }
}

/** A gate that answers the first step of a kind in one way, and lets all others pass. */
function answering(kind: OAuthStepKind, answer: (step: OAuthStep, held: readonly OAuthStep[]) => GateAnswer) {
  const held: OAuthStep[] = []
  let isOver = false
  const gate = (step: OAuthStep): Promise<GateAnswer> => {
    held.push(step)
    if (isOver || step.kind !== kind) return Promise.resolve({ action: 'continue' })
    isOver = true
    return Promise.resolve(answer(step, held))
  }
  return { gate, held }
}

describe('the gate', () => {
  it('holds every request, and the page, before it is sent', async () => {
    const { authority, resource } = await servers()
    const { gate, held } = answering('challenge', () => ({ action: 'continue' }))
    const { authorization, steps } = visitor(resource.url, { gate })
    closing.push(() => authorization.close())
    expect(await send(authorization, resource.url)).toBe(200)
    expect(held.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      'resource-metadata waiting',
      'server-metadata waiting',
      'registration waiting',
      'authorization-request waiting',
      'token waiting',
    ])
    for (const step of held)
      expect(step).toMatchObject({ request: { url: expect.any(String) as string }, decision: '' })
    expect(steps().every(({ state }) => state === 'done')).toBe(true)
    expect(authority.at('/token')).toHaveLength(1)
  })

  it('sends a request as it was changed; a placeholder that was left stands for its secret', async () => {
    const { authority, resource } = await servers()
    const { gate } = answering('token', ({ request }) => ({
      action: 'continue',
      request: {
        method: 'POST',
        url: request?.url ?? '',
        headers: { ...request?.headers, 'x-tried': 'yes' },
        body: `${request?.body ?? ''}&audience=other`,
      },
    }))
    const { authorization, steps } = visitor(resource.url, { gate })
    closing.push(() => authorization.close())
    expect(await send(authorization, resource.url)).toBe(200)
    const [sent] = authority.at('/token')
    expect(sent?.headers['x-tried']).toBe('yes')
    expect(sent?.body).toMatch(/&audience=other$/)
    expect(steps().find(({ kind }) => kind === 'token')).toMatchObject({
      edited: true,
      request: { body: expect.stringContaining('code=⟨code⟩') as string },
    })
  })

  it('goes back to an earlier step, with what was known then', async () => {
    const { authority, resource } = await servers()
    const { gate } = answering('token', (_step, held) => ({
      action: 'repeat',
      stepId: held.find(({ kind }) => kind === 'authorization-request')?.id ?? '',
    }))
    const { authorization, opened } = visitor(resource.url, { gate })
    closing.push(() => authorization.close())
    expect(await send(authorization, resource.url)).toBe(200)
    // The same page again, so the first code was never used.
    expect(opened).toHaveLength(2)
    expect(opened[0]).toBe(opened[1])
    expect(authority.at('/token')).toHaveLength(1)
    expect(authority.at('/register')).toHaveLength(1)
  })

  it('stops, and a step of what is over can be repeated afterwards', async () => {
    const { authority, resource } = await servers()
    const { gate, held } = answering('token', () => ({ action: 'stop' }))
    const { authorization } = visitor(resource.url, { gate })
    closing.push(() => authorization.close())
    await expect(send(authorization, resource.url)).rejects.toMatchObject({ code: 'stopped' })
    expect(authority.at('/token')).toEqual([])
    expect(authorization.facts()).toMatchObject({ status: 'failed' })
    await authorization.repeat(held.find(({ kind }) => kind === 'registration')?.id ?? '')
    expect(authority.at('/register')).toHaveLength(2)
    expect(authorization.facts()).toMatchObject({ status: 'authorized' })
    await expect(authorization.repeat('s999')).rejects.toBeInstanceOf(OAuthError)
  })
})

it('goes on in another process from a state that was stored as JSON', async () => {
  const { authority, resource } = await servers()
  const page = Promise.withResolvers<string>()
  const first = visitor(resource.url, {
    openBrowser: (url) => {
      page.resolve(url)
      return Promise.resolve(undefined)
    },
  })
  const begun = first.authorization.authorize().catch((error: unknown) => error)
  const url = await page.promise
  const stored = JSON.stringify(first.authorization.state())
  expect(first.authorization.facts()).toMatchObject({ status: 'authorizing', authorizationUrl: url })
  await first.authorization.close()
  expect(await begun).toMatchObject({ code: 'stopped' })

  const second = visitor(resource.url, { store: first.store })
  closing.push(() => second.authorization.close())
  await second.authorization.resume(JSON.parse(stored) as FlowState)
  expect(await send(second.authorization, resource.url)).toBe(200)
  expect(authority.at('/register')).toHaveLength(1)
  expect(second.opened).toEqual([url])
})

describe('a user without a browser on this machine', () => {
  it('pastes the address that the browser ended at', async () => {
    const { authority, resource } = await servers()
    const page = Promise.withResolvers<string>()
    const { authorization } = visitor(resource.url, {
      openBrowser: (url) => {
        page.resolve(url)
        return Promise.resolve(undefined)
      },
    })
    closing.push(() => authorization.close())
    const done = send(authorization, resource.url)
    const reply = await fetch(await page.promise, { redirect: 'manual' })
    const address = reply.headers.get('location') ?? ''
    expect(() => authorization.pasteCallback('https://evil.example/callback?code=x')).toThrow(
      'begins with http://127.0.0.1:',
    )
    expect(() => authorization.pasteCallback(address.replace(/state=[^&]*/, 'state=other'))).toThrow(
      'another request',
    )
    authorization.pasteCallback(`  ${address}\n`)
    expect(await done).toBe(200)
    expect(() => authorization.pasteCallback(address)).toThrow('No answer is waited for')
    expect(authority.at('/token')).toHaveLength(1)
  })

  it('is not waited for without end, and can be given up', async () => {
    const { resource } = await servers()
    const opened = () => Promise.resolve(undefined)
    const late = visitor(resource.url, { openBrowser: opened, userMs: 5 })
    closing.push(() => late.authorization.close())
    await expect(send(late.authorization, resource.url)).rejects.toMatchObject({ code: 'timeout' })

    const waits = Promise.withResolvers<string>()
    const given = visitor(resource.url, {
      openBrowser: (url) => {
        waits.resolve(url)
        return Promise.resolve(undefined)
      },
    })
    const over = send(given.authorization, resource.url).catch((error: unknown) => error)
    const url = await waits.promise
    await given.authorization.stop()
    expect(await over).toMatchObject({ code: 'stopped' })
    // Nothing listens any more.
    await expect(visit(url)).rejects.toThrow('fetch failed')
  })
})
