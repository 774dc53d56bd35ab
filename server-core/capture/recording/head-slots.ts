import type { HttpFacts } from '../../ports/tap.ts'
import type { Redaction } from '../redaction.ts'
import { HEADS } from './recording-format.ts'

type Masks = Pick<Redaction, 'text' | 'header' | 'address'>

/** What the HTTP heads of many frames have in common. */
class HeadForm {
  readonly url: string
  readonly #method: string
  readonly #status: number | undefined
  readonly #names: readonly string[]
  readonly #values: readonly string[]

  constructor({ method, url, status, headers }: HttpFacts) {
    this.url = url
    this.#method = method
    this.#status = status
    this.#names = Object.keys(headers)
    this.#values = Object.values(headers).map(String)
  }

  /** The line that defines it. */
  line(slot: number, masks: Masks): string {
    const pairs = this.#names.map((name, place) => [name, masks.header(name, this.#values[place] ?? '')])
    return `${JSON.stringify({
      head: slot,
      method: this.#method,
      url: masks.address(this.url),
      status: this.#status,
      headers: pairs,
    })}\n`
  }

  /** The places and values in which other facts differ, as JSON without brackets; undefined if they are of another form. */
  differences({ method, status, headers }: HttpFacts, masks: Masks): string | undefined {
    if (status !== this.#status || method !== this.#method) return undefined
    let place = 0
    let different = ''
    for (const name in headers) {
      if (name !== this.#names[place]) return undefined
      // Node gives lists for some names.
      const value: unknown = headers[name]
      if (value !== this.#values[place]) {
        const shown = JSON.stringify(masks.header(name, String(value)))
        different += `${different === '' ? '' : ','}[${place},${shown}]`
      }
      place += 1
    }
    return place === this.#names.length ? different : undefined
  }
}

/**
 * Heads that frames refer to by number. Those of one client differ in few values from request to request, and only
 * these are stored with each frame.
 */
export class HeadSlots {
  readonly #masks: Masks
  readonly #forms: (HeadForm | undefined)[] = Array.from({ length: HEADS })
  #next = 0

  constructor(masks: Masks) {
    this.#masks = masks
  }

  /** The member `http` of a frame, with a comma before it. `define` gets the line that has to come before the frame's. */
  member(http: HttpFacts, define: (line: string) => void): string {
    let slot = 0
    let different: string | undefined
    for (; slot < HEADS; slot += 1) {
      different = this.#forms[slot]?.differences(http, this.#masks)
      if (different !== undefined) break
    }
    if (different === undefined) {
      slot = this.#next
      this.#next = (slot + 1) % HEADS
      const form = new HeadForm(http)
      this.#forms[slot] = form
      define(form.line(slot, this.#masks))
      different = ''
    }
    const set = different === '' ? '' : `,"set":[${different}]`
    return `,"http":{"exchange":${http.exchange},"head":${slot}${set}${this.#others(http, slot)}}`
  }

  #others({ url, event }: HttpFacts, slot: number): string {
    const address = url === this.#forms[slot]?.url ? '' : `,"url":${JSON.stringify(this.#masks.address(url))}`
    return event === undefined ? address : `${address},"event":${this.#event(event)}`
  }

  /** Each text by itself: between them is JSON. */
  #event({ id, retry, name }: NonNullable<HttpFacts['event']>): string {
    return JSON.stringify({
      ...(id !== undefined && { id: this.#masks.text(id) }),
      ...(retry !== undefined && { retry }),
      ...(name !== undefined && { name: this.#masks.text(name) }),
    })
  }
}
