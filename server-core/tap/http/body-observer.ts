import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Transform } from 'node:stream'
import type { Frame, HttpFacts, Tap, WireDirection } from '../../ports/tap.ts'
import { SseParser } from '../../transports/http/sse-codec.ts'
import { frameOfLine } from '../recording/frame-recorder.ts'

/** Longer bodies are not recorded. */
const LONGEST_BODY = 64 * 1024 * 1024
const NO_BYTES = new Uint8Array()

/** Records the body of a request or an answer while it passes. */
export type BodyObserver = {
  push(chunk: Buffer): void
  end(): void
}

/** Sees a body as its headers say: compressed or not, one message or a stream of events. */
export function observeBody(tap: Tap, direction: WireDirection, http: HttpFacts): BodyObserver {
  const type = http.headers['content-type'] ?? ''
  const seen = /^text\/event-stream\b/i.test(type)
    ? eventObserver(tap, direction, http)
    : messageObserver(tap, direction, http)
  const decoder = decoderOf(http.headers['content-encoding'])
  if (decoder === undefined) return seen
  decoder.on('data', (chunk: Buffer) => seen.push(chunk))
  decoder.on('end', () => seen.end())
  decoder.on('error', (error) => {
    tap.record({
      kind: 'invalid',
      direction,
      bytes: NO_BYTES,
      reason: `the body cannot be decompressed: ${error.message}`,
      http,
    })
  })
  return { push: (chunk) => void decoder.write(chunk), end: () => void decoder.end() }
}

function decoderOf(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}

function messageObserver(tap: Tap, direction: WireDirection, http: HttpFacts): BodyObserver {
  let parts: Buffer[] = []
  let length = 0
  return {
    push: (chunk) => {
      length += chunk.length
      if (length <= LONGEST_BODY) parts.push(chunk)
      else parts = []
    },
    end: () => {
      if (length > LONGEST_BODY) {
        const reason = `the body has ${length} bytes, more than ${LONGEST_BODY}`
        tap.record({ kind: 'invalid', direction, bytes: NO_BYTES, reason, http })
      } else if (length === 0) tap.record({ kind: 'http', direction, bytes: NO_BYTES, http })
      else tap.record(httpFrame(direction, Buffer.concat(parts), http))
      parts = []
    },
  }
}

function eventObserver(tap: Tap, direction: WireDirection, http: HttpFacts): BodyObserver {
  let isBroken = false
  if (http.method === 'GET') tap.record({ kind: 'http', direction, bytes: NO_BYTES, http })
  const parser = new SseParser(LONGEST_BODY, ({ name, data, id, retry }) => {
    if (data === undefined) return
    const event = {
      ...(name !== 'message' && { name }),
      ...(id !== undefined && { id }),
      ...(retry !== undefined && { retry }),
    }
    if (data.length > 0) tap.record(httpFrame(direction, data, { ...http, event }))
  })
  return {
    push: (chunk) => {
      if (isBroken) return
      try {
        parser.push(chunk)
      } catch {
        // It cannot be read on, and passes nevertheless.
        isBroken = true
        tap.record({
          kind: 'invalid',
          direction,
          bytes: NO_BYTES,
          reason: 'an event is too long to be recorded',
          http,
        })
      }
    },
    end: () => undefined,
  }
}

/** Bytes of a body as a frame: a message if they are JSON. */
export function httpFrame(direction: WireDirection, bytes: Buffer, http: HttpFacts): Frame {
  const frame = frameOfLine(direction, bytes)
  return frame.kind === 'message' || frame.kind === 'invalid' ? { ...frame, http } : frame
}
