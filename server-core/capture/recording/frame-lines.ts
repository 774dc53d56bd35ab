import type { Frame, WireDirection } from '../../ports/tap.ts'
import type { Redaction } from '../redaction.ts'
import { canStandAsItIs, contentMember } from './frame-content.ts'
import { HeadSlots } from './head-slots.ts'
import { MESSAGE_MEMBER, type ConnectionSource, type Mark } from './recording-format.ts'

const LINE_END = '}\n'

/** Masks secrets in what is written. `bytes` returns the very same if there are none in them. */
export type Masks = Pick<Redaction, 'text' | 'bytes' | 'header' | 'address'>

/** Where lines go. */
export interface LineOutput {
  text(text: string): void
  /** Appends bytes that nobody changes later. */
  copy(bytes: Uint8Array): void
}

/** How the lines of the frames of one connection begin, by who sent the frame. */
export type ConnectionLines = {
  readonly source: ConnectionSource
  number: number
  /** The file that its definition is in: a new one of the same recording has it again. */
  file: number
  fromClient: string
  fromServer: string
}

/** A gap as it is written: times in microseconds since the start. */
export type WrittenGap = {
  readonly from: number
  readonly until: number
  readonly frames: number
  readonly bytes: number
}

/** Writes each thing of a recording as a line, without secrets. Times are in microseconds since the start. */
export class FrameLines {
  readonly #output: LineOutput
  readonly #redaction: Masks
  #heads: HeadSlots
  #connections = 0
  #file = 1

  constructor(output: LineOutput, redaction: Masks) {
    this.#output = output
    this.#redaction = redaction
    this.#heads = new HeadSlots(redaction)
  }

  /** A new connection. It gets its number and its line with its first frame. */
  connection(source: ConnectionSource): ConnectionLines {
    return { source, number: 0, file: 0, fromClient: '', fromServer: '' }
  }

  /** What follows is in another file, which says everything again that its lines refer to. */
  nextFile(): void {
    this.#file += 1
    this.#heads = new HeadSlots(this.#redaction)
  }

  frame(lines: ConnectionLines, at: number, frame: Frame): void {
    if (lines.file !== this.#file) this.#define(lines)
    const start = `{"at":${at}${isFromClient(lines.source, frame.direction) ? lines.fromClient : lines.fromServer}`
    const http = 'http' in frame ? frame.http : undefined
    const head = http === undefined ? '' : this.#heads.member(http, this.#addLine)
    const bytes = this.#redaction.bytes(frame.bytes)
    const masked = bytes === frame.bytes ? '' : ',"masked":true'
    if (frame.kind === 'message' && canStandAsItIs(bytes, masked !== '')) {
      this.#output.text(`${start}"message"${head}${masked}${MESSAGE_MEMBER}`)
      this.#output.copy(bytes)
      this.#output.text(LINE_END)
      return
    }
    this.#output.text(`${start}${this.#kindMembers(frame, head)}${masked}${contentMember(bytes)}${LINE_END}`)
  }

  mark(at: number, { name, phase, check, verdict, text }: Mark): void {
    const mark = {
      name: this.#redaction.text(name),
      phase,
      check: check && this.#redaction.text(check),
      verdict: verdict && this.#redaction.text(verdict),
      text: text && this.#redaction.text(text),
    }
    this.#output.text(`{"at":${at},"mark":${JSON.stringify(mark)}${LINE_END}`)
  }

  comment(at: number, text: string): void {
    this.#output.text(
      `{"at":${at},"comment":${JSON.stringify({ text: this.#redaction.text(text) })}${LINE_END}`,
    )
  }

  gap({ from, until, frames, bytes }: WrittenGap): void {
    this.#output.text(`{"at":${from},"gap":{"until":${until},"frames":${frames},"bytes":${bytes}}${LINE_END}`)
  }

  /** The recording goes on in the next segment. */
  continued(at: number, segment: number): void {
    this.#output.text(`{"at":${at},"continued":{"segment":${segment}}${LINE_END}`)
  }

  end(at: number, frames: number, shed: number): void {
    this.#output.text(`{"at":${at},"end":{"frames":${frames},"shed":${shed}}${LINE_END}`)
  }

  #kindMembers(frame: Frame, head: string): string {
    switch (frame.kind) {
      case 'invalid':
        return `"invalid"${head},"reason":${this.#json(frame.reason)}`
      case 'lifecycle':
        return `"lifecycle","event":"${frame.event}","reason":${this.#json(frame.note)}`
      default:
        return `"${frame.kind}"${head}`
    }
  }

  readonly #addLine = (line: string): void => {
    this.#output.text(line)
  }

  #json(text: string): string {
    return JSON.stringify(this.#redaction.text(text))
  }

  #define(lines: ConnectionLines): void {
    if (lines.number === 0) {
      this.#connections += 1
      lines.number = this.#connections
      lines.fromClient = `,"on":${lines.number},"from":"client","kind":`
      lines.fromServer = `,"on":${lines.number},"from":"server","kind":`
    }
    lines.file = this.#file
    const { transport, side, serverName } = lines.source
    const definition = { connection: lines.number, transport, side, server: this.#redaction.text(serverName) }
    this.#output.text(`${JSON.stringify(definition)}\n`)
  }
}

function isFromClient({ side }: ConnectionSource, direction: WireDirection): boolean {
  return (direction === 'sent') === (side === 'client')
}
