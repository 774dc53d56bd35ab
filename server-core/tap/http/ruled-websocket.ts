import type { Duplex } from 'node:stream'
import type { Tap } from '../../ports/tap.ts'
import { MessageReader } from '../rules/message-facts.ts'
import type { Direction } from '../rules/rule-schema.ts'
import type { HttpRules } from './http-rules.ts'
import { webSocketFrame, WebSocketReader } from './websocket-reader.ts'

export type RuledSides = {
  readonly client: Duplex
  readonly server: Duplex
  readonly tap: Tap
  /** Closes both sides. */
  readonly close: () => void
}

/** One direction of a WebSocket, message by message. Returns what takes its bytes and what ends it. */
export type RuledDirection = { push(chunk: Buffer): void; end(): void }

/** Forwards both directions of a WebSocket as rules and network conditions say. */
export function ruledWebSocket(rules: HttpRules, sides: RuledSides): Record<Direction, RuledDirection> {
  const { client, server, tap, close } = sides
  const reader = new MessageReader()
  const broken = (reason: string): void => {
    tap.record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(`conditions: ${reason}`) })
    close()
  }
  const target: Record<Direction, Duplex> = { 'to-server': server, 'to-client': client }
  const source: Record<Direction, Duplex> = { 'to-server': client, 'to-client': server }
  const outs = { 'to-server': outOf('to-server'), 'to-client': outOf('to-client') }

  function outOf(direction: Direction): { out: (bytes: Buffer) => void; end: () => void } {
    const write = (bytes: Uint8Array): void => {
      const { [direction]: to } = target
      if (!to.destroyed && !to.writableEnded && !to.write(bytes)) source[direction].pause()
    }
    target[direction].on('drain', () => source[direction].resume())
    const shaper = rules.shaper({
      direction,
      out: write,
      close: broken,
      full: (isFull) => void (isFull ? source[direction].pause() : source[direction].resume()),
    })
    return {
      out: (bytes) => (shaper === undefined ? write(bytes) : shaper.push(bytes)),
      end: () => {
        if (shaper === undefined) target[direction].end()
        else void shaper.end().then(() => target[direction].end())
      },
    }
  }

  function directionOf(direction: Direction, other: Direction): RuledDirection {
    const messages = new WebSocketReader({
      message: (message, bytes) => {
        void rules.apply(message, {
          direction,
          reader,
          forward: (changed) =>
            outs[direction].out(
              changed === message ? bytes : webSocketFrame(changed, direction === 'to-server'),
            ),
          back: (reply) => outs[other].out(webSocketFrame(reply, other === 'to-server')),
          record: (frame) => tap.record(frame),
          close,
        })
      },
      other: (bytes) => outs[direction].out(bytes),
    })
    return { push: (chunk) => messages.push(chunk), end: () => outs[direction].end() }
  }

  return {
    'to-server': directionOf('to-server', 'to-client'),
    'to-client': directionOf('to-client', 'to-server'),
  }
}
