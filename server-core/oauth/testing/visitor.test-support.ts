import { guardedFetch } from '../../network/guarded-fetch.ts'
import { policyForServer } from '../../network/policy.ts'
import { MAX_CHALLENGES, type ClientAuthorization } from '../../ports/client-authorization.ts'
import { MemorySecretStore } from '../../profile/secret-store.ts'
import {
  createClientAuthorization,
  type ClientAuthorizationOptions,
  type OAuthAuthorization,
} from '../client-authorization.ts'
import type { OAuthStep } from '../steps.ts'

/** A user's browser that follows redirects until it is at the redirect address, and gives the status there. */
export async function visit(url: string): Promise<number> {
  const reply = await fetch(url, { redirect: 'follow' })
  await reply.body?.cancel()
  return reply.status
}

export type Visitor = {
  readonly authorization: OAuthAuthorization
  /** Every step in its newest form, in order. */
  readonly steps: () => OAuthStep[]
  readonly store: MemorySecretStore
  /** Pages that were opened. */
  readonly opened: string[]
}

/** An authorization as the product makes it, for a user who visits every page at once. */
export function visitor(serverUrl: string, options: Partial<ClientAuthorizationOptions> = {}): Visitor {
  const steps = new Map<string, OAuthStep>()
  const store = new MemorySecretStore()
  const opened: string[] = []
  const authorization = createClientAuthorization({
    serverUrl,
    store,
    owner: 'test',
    network: guardedFetch(policyForServer(new URL(serverUrl))),
    mayAskUser: () => true,
    openBrowser: async (url) => {
      opened.push(url)
      await visit(url)
      return undefined
    },
    ...options,
    onStep: (step) => {
      steps.set(step.id, step)
      options.onStep?.(step)
    },
  })
  return { authorization, store, opened, steps: () => [...steps.values()] }
}

/** Sends one request as the transports do: with the headers of the authorization, again after a refusal. */
export async function send(authorization: ClientAuthorization, url: string, body = '{}'): Promise<number> {
  for (let challenges = 0; ; challenges += 1) {
    const sent = await authorization.headers({ method: 'POST', url })
    const reply = await fetch(url, { method: 'POST', headers: { ...sent }, body })
    await reply.body?.cancel()
    const headers = Object.fromEntries(reply.headers)
    authorization.responded?.(headers, reply.status)
    if ((reply.status !== 401 && reply.status !== 403) || challenges === MAX_CHALLENGES) return reply.status
    if (!(await authorization.challenged({ method: 'POST', url, status: reply.status, headers, sent }))) {
      return reply.status
    }
  }
}
