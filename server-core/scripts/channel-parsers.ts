/**
 * Parsers of what crosses between the host, the process of the Workers, and a Worker. They are written by hand because
 * every call passes here; the tests compare them with schemas.
 */
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import {
  LONGEST_TEXT,
  type BundledScript,
  type FromProcess,
  type Measured,
  type ReadOrder,
  type ToProcess,
  type WorkerEnd,
  type WorkerNews,
  type WorkerMessage,
  type WorkerStart,
} from './channel.ts'
import { isPortEncoded } from './encode-for-port.ts'
import type { ScriptCall } from './script-host.ts'
import type { SourcePlace } from './script-error.ts'

const CALL_KINDS = new Set<unknown>([
  'tool',
  'resource',
  'template',
  'list',
  'prompt',
  'completion',
] satisfies ScriptCall['kind'][])

/** Reads a message of a Worker to its process; undefined if it is invalid. */
export function parseWorkerMessage(value: unknown): WorkerMessage | undefined {
  return isPortEncoded(value) ? value : parseNews(value)
}

/** Reads a message of the process of the Workers to the host; undefined if it is invalid. */
export function parseFromProcess(value: unknown): FromProcess | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, worker } = value
  if (type === 'ready') return { type }
  if (type === 'measured') return parseMeasured(value)
  if (!isCount(worker)) return undefined
  switch (type) {
    case 'said': {
      const { message } = value
      return isPortEncoded(message) ? { type, worker, message } : undefined
    }
    case 'news': {
      const news = parseNews(value['news'])
      return news === undefined ? undefined : { type, worker, news }
    }
    case 'ended': {
      const end = parseEnd(value['end'])
      return end === undefined ? undefined : { type, worker, end }
    }
    case 'stuck': {
      const { reason } = value
      return isText(reason) ? { type, worker, reason } : undefined
    }
    default:
      return undefined
  }
}

/** Reads a message of the host to the process of the Workers; undefined if it is invalid. */
export function parseToProcess(value: unknown): ToProcess | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, worker, message, id, folder, workerEntry, graceMs } = value
  switch (type) {
    case 'tell':
      return isCount(worker) && isPortEncoded(message) ? { type, worker, message } : undefined
    case 'setup':
      return typeof folder === 'string' && typeof workerEntry === 'string' && isAmount(graceMs)
        ? { type, folder, workerEntry, graceMs }
        : undefined
    case 'open': {
      const start = parseWorkerStart(value['start'])
      return isCount(worker) && start !== undefined ? { type, worker, start } : undefined
    }
    case 'end':
      return isCount(worker) ? { type, worker } : undefined
    case 'measure':
      return isCount(id) ? { type, id } : undefined
    default:
      return undefined
  }
}

/** Reads what a Worker is started with; undefined if it is invalid. */
export function parseWorkerStart(value: unknown): WorkerStart | undefined {
  if (!isJsonObject(value)) return undefined
  const { folder, env, heapMegabytes, memoryMegabytes, outputBytes } = value
  const job = parseJob(value['job'])
  const isStart =
    typeof folder === 'string' &&
    isTexts(env) &&
    isAmount(heapMegabytes) &&
    isAmount(memoryMegabytes) &&
    isAmount(outputBytes)
  return isStart && job !== undefined
    ? { job, folder, env, heapMegabytes, memoryMegabytes, outputBytes }
    : undefined
}

/** Reads an order to a Worker whose job is to read; undefined if it is invalid. */
export function parseReadOrder(value: unknown): ReadOrder | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, id, env } = value
  const script = parseScript(value['script'])
  return type === 'read' && isCount(id) && script !== undefined && isTexts(env)
    ? { type, id, script, env }
    : undefined
}

/** Reads a place in a file; undefined if it is invalid. */
export function parsePlace(value: unknown): SourcePlace | undefined {
  if (!isJsonObject(value)) return undefined
  const { file, line, column, text } = value
  if (!isText(file) || !isCount(line) || !isCount(column)) return undefined
  if (text === undefined) return { file, line, column }
  return isText(text) ? { file, line, column, text } : undefined
}

function parseNews(value: unknown): WorkerNews | undefined {
  if (!isJsonObject(value)) return undefined
  const call = optional(value['call'], parseCall)
  if (call === INVALID) return undefined
  const ofCall = call === undefined ? {} : { call }
  switch (value['type']) {
    case 'output': {
      const { stream, text } = value
      return isText(text) && (stream === 'stdout' || stream === 'stderr')
        ? { type: 'output', stream, text, ...ofCall }
        : undefined
    }
    case 'fault': {
      const { message, stack } = value
      const at = optional(value['at'], parsePlace)
      if (!isText(message) || !(stack === undefined || isText(stack)) || at === INVALID) return undefined
      return {
        type: 'fault',
        message,
        ...(stack === undefined ? {} : { stack }),
        ...(at === undefined ? {} : { at }),
        ...ofCall,
      }
    }
    case 'dying': {
      const end = parseEnd(value['end'])
      return end === undefined ? undefined : { type: 'dying', end }
    }
    default:
      return undefined
  }
}

function parseCall(value: unknown): ScriptCall | undefined {
  if (!isJsonObject(value)) return undefined
  const { number, kind, name } = value
  return isCount(number) && isCallKind(kind) && isText(name) ? { number, kind, name } : undefined
}

function isCallKind(value: unknown): value is ScriptCall['kind'] {
  return CALL_KINDS.has(value)
}

function parseEnd(value: unknown): WorkerEnd | undefined {
  if (!isJsonObject(value)) return undefined
  const { reason } = value
  const at = optional(value['at'], parsePlace)
  if (!isText(reason) || at === INVALID) return undefined
  return { reason, ...(at === undefined ? {} : { at }) }
}

function parseMeasured({ id, workers }: JsonObject): FromProcess | undefined {
  if (!isCount(id) || !Array.isArray(workers)) return undefined
  const read: Measured[] = []
  for (const one of workers as readonly unknown[]) {
    if (!isJsonObject(one)) return undefined
    const { worker, heapBytes, externalBytes } = one
    if (!isCount(worker) || !isAmount(heapBytes) || !isAmount(externalBytes)) return undefined
    read.push({ worker, heapBytes, externalBytes })
  }
  return { type: 'measured', id, workers: read }
}

function parseJob(value: unknown): WorkerStart['job'] | undefined {
  if (!isJsonObject(value)) return undefined
  if (value['type'] === 'read') return { type: 'read' }
  const script = parseScript(value['script'])
  return value['type'] === 'serve' && script !== undefined ? { type: 'serve', script } : undefined
}

function parseScript(value: unknown): BundledScript | undefined {
  if (!isJsonObject(value)) return undefined
  const { file, bundle } = value
  return typeof file === 'string' && typeof bundle === 'string' ? { file, bundle } : undefined
}

const INVALID = Symbol('invalid')

function optional<Value>(
  value: unknown,
  parse: (value: unknown) => Value | undefined,
): Value | undefined | typeof INVALID {
  return value === undefined ? undefined : (parse(value) ?? INVALID)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_TEXT
}

/** A number that counts something, from 0. */
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** A number of bytes or milliseconds. */
function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  if (!isJsonObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  const isPlain = prototype === Object.prototype || prototype === null
  return isPlain && Object.values(value).every((each) => typeof each === 'string')
}
