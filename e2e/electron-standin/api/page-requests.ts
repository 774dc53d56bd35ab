import type { Session } from '../cdp.ts'
import type { Schemes } from './session.ts'

type Paused = {
  readonly requestId: string
  readonly resourceType: string
  readonly frameId: string
  readonly request: {
    readonly url: string
    readonly method: string
    readonly headers: Record<string, string>
  }
}

/** Answers a page's paused requests: the app's own scheme by its handler, documents after the guards. */
export class FulfilledPage {
  readonly #session: Session
  readonly #schemes: Schemes
  readonly #mayNavigate: (request: { url: string; frameId: string }) => boolean

  constructor(
    session: Session,
    schemes: Schemes,
    mayNavigate: (request: { url: string; frameId: string }) => boolean,
  ) {
    this.#session = session
    this.#schemes = schemes
    this.#mayNavigate = mayNavigate
  }

  async answer({ requestId, request, resourceType, frameId }: Paused): Promise<void> {
    const fail = (errorReason: 'Aborted' | 'Failed' | 'BlockedByClient'): Promise<unknown> =>
      this.#session.send('Fetch.failRequest', { requestId, errorReason })
    // Electron asks for no icon.
    if (request.url.endsWith('/favicon.ico')) return void (await fail('BlockedByClient'))
    if (resourceType === 'Document' && !this.#mayNavigate({ url: request.url, frameId })) {
      return void (await fail('Aborted'))
    }
    const url = this.#schemes.toApp(request.url)
    if (url === request.url) return void (await this.#session.send('Fetch.continueRequest', { requestId }))
    const handler = this.#schemes.handlerOf(url)
    if (handler === undefined) return void (await fail('Failed'))
    const response = await handler(new Request(url, { method: request.method, headers: request.headers }))
    const body = Buffer.from(await response.arrayBuffer()).toString('base64')
    const responseHeaders = [...response.headers].map(([name, value]) => ({ name, value }))
    await this.#session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: response.status,
      responseHeaders,
      body,
    })
  }
}
