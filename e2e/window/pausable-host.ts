import type { Page, WebSocketRoute } from '@playwright/test'

/** The stream of everything that happens, which is asked for once. */
const EVENTS = '/events/watch'

/**
 * A proxy between a page and its host: it shows requests, and can keep replies back or end the connection.
 * The order in which a host finishes what it was asked is anyone's guess; here a test chooses it.
 */
export class PausableHost {
  /** Every procedure that the page asked for, with the number of its connection: `1 /servers/add`. */
  readonly asked: string[] = []
  readonly #held = new Map<string, (() => void)[]>()
  readonly #connections: WebSocketRoute[] = []

  /** Opens a page, which was not opened before, at an address, with this between it and its host. */
  static async between(page: Page, address: string): Promise<PausableHost> {
    const held = new PausableHost()
    await page.routeWebSocket(/\/socket$/, (socket) => held.#connect(socket))
    await page.goto(address)
    return held
  }

  /** Keeps back the replies to what is asked of a procedure from now on, `/servers/approval`; of `EVENTS` each event. */
  hold(procedure: string): void {
    this.#held.set(procedure, [])
  }

  /** Lets go what was kept back of a procedure, in the order it came, and keeps back no more. */
  release(procedure: string): void {
    const replies = this.#held.get(procedure) ?? []
    this.#held.delete(procedure)
    for (const reply of replies) reply()
  }

  /** How many replies to a procedure are kept back now. */
  kept(procedure: string): number {
    return this.#held.get(procedure)?.length ?? 0
  }

  /** How often a procedure was asked for. */
  times(procedure: string): number {
    return this.asked.filter((each) => each.endsWith(` ${procedure}`)).length
  }

  /** Ends the connection, as if the host were lost; the page opens another. */
  async lose(): Promise<void> {
    await this.#connections.at(-1)?.close()
  }

  #connect(socket: WebSocketRoute): void {
    const host = socket.connectToServer()
    const place = this.#connections.push(socket)
    /** Whose replies are kept back, or may be. */
    const procedures = new Map<string, string>()
    socket.onMessage((message) => {
      const [, id, procedure] = /^\{"i":"([^"]*)".*?"u":"([^"]*)"/.exec(String(message)) ?? []
      if (id !== undefined && procedure !== undefined) {
        this.asked.push(`${place} ${procedure}`)
        if (procedure === EVENTS || this.#held.has(procedure)) procedures.set(id, procedure)
      }
      host.send(message)
    })
    host.onMessage((message) => {
      const [, id] = /^\{"i":"([^"]*)"/.exec(String(message)) ?? []
      const kept = this.#held.get(procedures.get(id ?? '') ?? '')
      if (kept === undefined) socket.send(message)
      else kept.push(() => socket.send(message))
    })
  }
}
