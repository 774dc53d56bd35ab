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

  async answer(paused: Paused): Promise<void> {
    const { requestId, request, resourceType, frameId } = paused
    const url = this.#schemes.toApp(request.url)
    // Electron asks for no icon.
    if (request.url.endsWith('/favicon.ico')) await this.#fail(requestId, 'BlockedByClient')
    else if (resourceType === 'Document' && !this.#mayNavigate({ url: request.url, frameId })) {
      await this.#fail(requestId, 'Aborted')
    } else if (url === request.url) await this.#session.send('Fetch.continueRequest', { requestId })
    else await this.#fulfil(paused, url)
  }

  async #fail(requestId: string, errorReason: 'Aborted' | 'Failed' | 'BlockedByClient'): Promise<void> {
    await this.#session.send('Fetch.failRequest', { requestId, errorReason })
  }

  async #fulfil({ requestId, request }: Paused, url: string): Promise<void> {
    const handler = this.#schemes.handlerOf(url)
    if (handler === undefined) {
      await this.#fail(requestId, 'Failed')
      return
    }
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
