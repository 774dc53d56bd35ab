import { TRANSPORT_KINDS } from '../../protocol/transport-kind.ts'
import { z } from 'zod'
import type { HttpFacts } from '../../ports/tap.ts'
import {
  FORMAT,
  FRAME_KINDS,
  HEADS,
  MESSAGE_MEMBER,
  NAME_CHARACTERS,
  TEXT_CHARACTERS,
  VERSION,
  type Mark,
  type RecordedComment,
  type RecordedConnection,
  type RecordedFrame,
  type RecordedGap,
  type RecordedMark,
  type RecordingHeader,
} from './recording-format.ts'
import { RecordingError } from './recording-error.ts'

const MICROS = 1_000
const MEMBER = Buffer.from(MESSAGE_MEMBER)
const NO_BYTES = Buffer.alloc(0)
const number = z.number()
const count = z.int().min(0)

const headerSchema = z.object({ format: z.literal(FORMAT), version: z.int().min(1) })
const firstSchema = headerSchema.extend({ startedAt: z.iso.datetime(), segment: z.int().min(1).optional() })
const connectionSchema = z.object({
  connection: z.int().min(1),
  transport: z.enum(TRANSPORT_KINDS),
  side: z.enum(['client', 'server']),
  server: z.string(),
})
const headSchema = z.object({
  head: count.max(HEADS - 1),
  method: z.string(),
  url: z.string(),
  status: count.optional(),
  headers: z.array(z.tuple([z.string(), z.string()])),
})
const gapSchema = z.object({ at: number, gap: z.object({ until: number, frames: count, bytes: count }) })
const name = z.string().max(NAME_CHARACTERS)
const text = z.string().max(TEXT_CHARACTERS)
const markSchema = z.object({
  at: number,
  mark: z.object({
    name,
    phase: z.enum(['begin', 'end']).optional(),
    check: name.optional(),
    verdict: name.optional(),
    text: text.optional(),
  }),
})
const commentSchema = z.object({ at: number, comment: z.object({ text }) })
const continuedSchema = z.object({ at: number, continued: z.object({ segment: z.int().min(2) }) })
const endSchema = z.object({ at: number, end: z.object({ frames: count, shed: count }) })
const frameSchema = z.object({
  at: number,
  on: count,
  from: z.enum(['client', 'server']),
  kind: z.enum(FRAME_KINDS),
  http: z
    .object({
      exchange: number,
      head: count,
      set: z.array(z.tuple([count, z.string()])).optional(),
      url: z.string().optional(),
      event: z
        .object({ id: z.string().optional(), retry: number.optional(), name: z.string().optional() })
        .optional(),
    })
    .optional(),
  reason: z.string().optional(),
  event: z.enum(['opened', 'closed']).optional(),
  masked: z.literal(true).optional(),
  text: z.string().optional(),
  base64: z.base64().optional(),
})

/** A head that was defined, as facts but for the number of their exchange. */
type Head = { readonly names: readonly string[]; readonly facts: Omit<HttpFacts, 'exchange'> }
type HttpOfLine = NonNullable<z.output<typeof frameSchema>['http']>

/** What a line means: something to give on, the end, or something that later lines refer to. */
export type LineMeaning =
  | RecordedFrame
  | RecordedMark
  | RecordedComment
  | RecordedGap
  | { readonly type: 'closed' }
  | { readonly type: 'continued'; readonly segment: number }
  | { readonly type: 'defined' }

/** Reads the lines of a recording one after another. */
export class LineReader {
  readonly header: RecordingHeader
  readonly #connections = new Map<number, RecordedConnection>()
  readonly #heads = new Map<number, Head>()

  /**
   * @param firstLine what says that it is a recording
   * @throws RecordingError ('no-recording', 'newer')
   */
  constructor(firstLine: Buffer, file: string) {
    const value = json(firstLine.toString())
    const header = headerSchema.safeParse(value)
    if (!header.success)
      throw new RecordingError(
        'no-recording',
        `${file} is not a recording of Patchbay: its first line should begin with {"format":"${FORMAT}"`,
      )
    const { version } = header.data
    if (version > VERSION)
      throw new RecordingError(
        'newer',
        `${file} is a recording of version ${version}; this Patchbay reads up to version ${VERSION}. Read it with a newer one.`,
      )
    const first = firstSchema.safeParse(value)
    if (!first.success)
      throw new RecordingError(
        'no-recording',
        `${file}: the first line does not say when the recording began`,
      )
    const { startedAt, segment } = first.data
    this.header = { version, startedAt: Date.parse(startedAt), ...(segment !== undefined && { segment }) }
  }

  /** Throws a `TypeError` that says what is wrong with the line. */
  read(line: Buffer): LineMeaning {
    const at = line.indexOf(MEMBER)
    if (at !== -1) {
      const bytes = line.subarray(at + MEMBER.length, line.length - 1)
      return this.#frame(json(`${line.toString('utf8', 0, at)}}`), bytes)
    }
    const value = json(line.toString())
    if (typeof value !== 'object' || value === null) throw new TypeError('it is not a JSON object')
    if ('kind' in value) return this.#frame(value, undefined)
    if ('head' in value) {
      const { head, method, url, status, headers } = sound(headSchema, value)
      this.#heads.set(head, {
        names: headers.map(([name]) => name),
        facts: {
          method,
          url,
          headers: Object.fromEntries(headers),
          ...(status !== undefined && { status }),
        },
      })
      return { type: 'defined' }
    }
    if ('connection' in value) {
      const { connection, transport, side, server } = sound(connectionSchema, value)
      this.#connections.set(connection, { number: connection, transport, side, serverName: server })
      return { type: 'defined' }
    }
    if ('gap' in value) {
      const { at: from, gap } = sound(gapSchema, value)
      return { type: 'gap', ...gap, from: this.#time(from), until: this.#time(gap.until) }
    }
    if ('mark' in value) {
      const { at: time, mark } = sound(markSchema, value)
      return { type: 'mark', at: this.#time(time), ...defined(mark) }
    }
    if ('comment' in value) {
      const { at: time, comment } = sound(commentSchema, value)
      return { type: 'comment', at: this.#time(time), text: comment.text }
    }
    if ('continued' in value) {
      const { segment } = sound(continuedSchema, value).continued
      return { type: 'continued', segment }
    }
    sound(endSchema, value)
    return { type: 'closed' }
  }

  #frame(value: unknown, message: Buffer | undefined): RecordedFrame {
    const current = this.header.version === 1 ? renamed(value) : value
    const { at, on, from, kind, http, reason, event, masked, text, base64 } = sound(frameSchema, current)
    const connection = this.#connections.get(on)
    if (connection === undefined) throw new TypeError(`connection ${on} is not defined before this line`)
    return {
      type: 'frame',
      at: this.#time(at),
      connection,
      kind,
      direction: from === 'client' ? 'sent' : 'received',
      bytes:
        message ??
        (text !== undefined
          ? Buffer.from(text)
          : base64 !== undefined
            ? Buffer.from(base64, 'base64')
            : NO_BYTES),
      ...(http !== undefined && { http: this.#facts(http) }),
      ...(reason !== undefined && { reason }),
      ...(event !== undefined && { event }),
      ...(masked !== undefined && { masked }),
    }
  }

  #facts({ exchange, head, set, url, event }: HttpOfLine): HttpFacts {
    const known = this.#heads.get(head)
    if (known === undefined) throw new TypeError(`head ${head} is not defined before this line`)
    const facts: HttpFacts = { exchange, ...known.facts }
    if (set === undefined && url === undefined && event === undefined) return facts
    return {
      ...facts,
      ...(url !== undefined && { url }),
      ...(set !== undefined && { headers: withValues(known, set) }),
      ...(event !== undefined && {
        event: {
          ...(event.id !== undefined && { id: event.id }),
          ...(event.retry !== undefined && { retry: event.retry }),
          ...(event.name !== undefined && { name: event.name }),
        },
      }),
    }
  }

  #time(micros: number): number {
    return this.header.startedAt + micros / MICROS
  }
}

function withValues(
  { names, facts }: Head,
  set: readonly (readonly [place: number, value: string])[],
): Readonly<Record<string, string>> {
  const changed = set.map(([place, value]): [string, string] => {
    const name = names[place]
    if (name === undefined) throw new TypeError(`a head has no header ${place}`)
    return [name, value]
  })
  return { ...facts.headers, ...Object.fromEntries(changed) }
}

/** A frame of version 1 with the kinds of later versions. */
function renamed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return value
  if (value.kind === 'noise') return { ...value, kind: 'invalid' }
  if (value.kind === 'life') return { ...value, kind: 'lifecycle' }
  return value
}

/** The mark without the members that its line does not have. */
function defined({ name, phase, check, verdict, text }: z.output<typeof markSchema>['mark']): Mark {
  return {
    name,
    ...(phase !== undefined && { phase }),
    ...(check !== undefined && { check }),
    ...(verdict !== undefined && { verdict }),
    ...(text !== undefined && { text }),
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function sound<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new TypeError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.replace(/^: /, ''))
}
