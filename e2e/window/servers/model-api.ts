import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model's API, as OpenAI's, that is asked and answers when a test says so. */
export class ModelApi {
  readonly url: string
  readonly #waiting: ServerResponse[]
  readonly #server: ReturnType<typeof createServer>

  private constructor(server: ReturnType<typeof createServer>, waiting: ServerResponse[]) {
    this.#server = server
    this.#waiting = waiting
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  }

  static async start(): Promise<ModelApi> {
    const waiting: ServerResponse[] = []
    const server = createServer((_request, response) => void waiting.push(response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new ModelApi(server, waiting)
  }

  /** How many questions wait for their answer. */
  get asked(): number {
    return this.#waiting.length
  }

  /** Answers the question that came first. */
  answer(text: string): void {
    const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }]
    const usage = { prompt_tokens: 1, completion_tokens: 1 }
    const response = this.#waiting.shift()
    response
      ?.setHeader('content-type', 'application/json')
      .end(JSON.stringify({ model: 'm', choices, usage }))
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
