/** What crosses between host, process and Worker, as schemas: what the parsers written by hand are compared with. */
import { z } from 'zod'
import { LONGEST_TEXT } from './channel.ts'

const text = z.string().max(LONGEST_TEXT)
const count = z.int().nonnegative()
const amount = z.number().nonnegative()
const packed = z.union([z.string(), z.instanceof(Uint8Array)])
const place = z.object({ file: text, line: count, column: count, text: text.optional() })
const kind = z.enum(['tool', 'resource', 'template', 'list', 'prompt', 'completion'])
const call = z.object({ number: count, kind, name: text }).optional()
const end = z.object({ reason: text, at: place.optional() })
const script = z.object({ file: z.string(), bundle: z.string() })
const env = z.record(z.string(), z.string())

const news = z.discriminatedUnion('type', [
  z.object({ type: z.literal('output'), stream: z.enum(['stdout', 'stderr']), text, call }),
  z.object({ type: z.literal('fault'), message: text, stack: text.optional(), at: place.optional(), call }),
  z.object({ type: z.literal('dying'), end }),
])

export const workerSaysSchema = z.union([packed, news])

export const fromProcessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('said'), worker: count, message: packed }),
  z.object({ type: z.literal('news'), worker: count, news }),
  z.object({ type: z.literal('ended'), worker: count, end }),
  z.object({
    type: z.literal('measured'),
    id: count,
    workers: z.array(z.object({ worker: count, heapBytes: amount, externalBytes: amount })),
  }),
  z.object({ type: z.literal('stuck'), worker: count, reason: text }),
])

export const workerStartSchema = z.object({
  job: z.discriminatedUnion('type', [
    z.object({ type: z.literal('serve'), script }),
    z.object({ type: z.literal('read') }),
  ]),
  folder: z.string(),
  env,
  heapMegabytes: amount,
  memoryMegabytes: amount,
  outputBytes: amount,
})

export const toProcessSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('setup'), folder: z.string(), workerEntry: z.string(), graceMs: amount }),
  z.object({ type: z.literal('open'), worker: count, start: workerStartSchema }),
  z.object({ type: z.literal('tell'), worker: count, message: packed }),
  z.object({ type: z.literal('end'), worker: count }),
  z.object({ type: z.literal('measure'), id: count }),
])

export const readOrderSchema = z.object({ type: z.literal('read'), id: count, script, env })
