/** Valid messages of every kind that cross between host, process and Worker, and ways to spoil them. */
import { serialize } from 'node:v8'
import { LONGEST_TEXT } from './channel.ts'

const PLACE = { file: 'tools/a.ts', line: 3, column: 7, text: 'throw' }
const CALL = { number: 1, kind: 'tool', name: 'a' }
const END = { reason: 'exited with code 3', at: PLACE }
const SCRIPT = { file: 'tools/a.ts', bundle: '/bundles/a.mjs' }
const START = {
  folder: '/f',
  env: { LANG: 'C' },
  heapMegabytes: 64,
  memoryMegabytes: 192,
  outputBytes: 1_000,
}

/** Of a Worker, beside the messages of its job. */
export const NEWS: readonly object[] = [
  { type: 'output', stream: 'stdout', text: 'a line', call: CALL },
  { type: 'output', stream: 'stderr', text: '' },
  { type: 'fault', message: 'no', stack: 'Error: no', at: PLACE, call: CALL },
  { type: 'fault', message: 'no' },
  { type: 'dying', end: END },
]

const LIST_STABILITIES = { tools: 'changes', resources: 'fixed', prompts: 'may-appear' }
const TOOL = { name: 'a', title: 'A', inputSchema: { type: 'object' }, timeoutMs: 1_000, reentrant: false }
const DEFINITIONS = {
  tools: [
    TOOL,
    { ...TOOL, name: 'b', annotations: {}, task: { ttlMs: 1 }, icons: [{ src: 'x' }], tags: ['t'] },
  ],
  resources: [{ name: 'r', uri: 'x:r', reentrant: false, cache: { ttlMs: 1, scope: 'public' } }],
  templates: [
    { name: 't', uriTemplate: 'x:{a}', lists: true, reentrant: false, variableTypes: { a: 'integer' } },
  ],
  prompts: [{ name: 'p', arguments: [{ name: 'a', required: true }], reentrant: false }],
  listStabilities: LIST_STABILITIES,
}

/** Of the handlers of a Worker, to be packed. */
export const HANDLER_MESSAGES: readonly object[] = [
  { type: 'definitions', definitions: DEFINITIONS },
  { type: 'updated', uri: 'x:r' },
  { type: 'stopping' },
  { type: 'stopped', error: { kind: 'other', name: 'Error', message: 'no' } },
  { type: 'emit', call: 1, emission: { type: 'progress', progress: 1, total: 2, message: 'm' } },
  { type: 'emit', call: 1, emission: { type: 'log', level: 'info', data: {} } },
  { type: 'emit', call: 1, emission: { type: 'task', message: 'm' } },
  { type: 'emit', call: 1, emission: { type: 'release', retryMs: 1 } },
  { type: 'emit', call: 1, emission: { type: 'elicitation-complete', key: 'q1' } },
  { type: 'changed', call: 1, change: { kind: 'tools' } },
  { type: 'changed', call: 1, change: { uri: 'x:r' } },
  { type: 'request', call: 1, id: 1, request: { op: 'keys' } },
  { type: 'request', call: 1, id: 2, request: { op: 'set', key: 'k', value: { a: 1 } } },
  {
    type: 'request',
    call: 1,
    id: 3,
    request: { op: 'ask', questions: [{ key: 'q1', method: 'roots/list', params: {} }] },
  },
  { type: 'aborted', call: 1 },
  { type: 'done', call: 1, outcome: { content: [{ type: 'text', text: 'forged' }] } },
  { type: 'error', call: 1, error: { kind: 'protocol', code: -32_000, message: 'forged' } },
  { type: 'error', call: 1, error: { kind: 'not-found', uri: 'x:r', message: 'forged' } },
  { type: 'content', id: 1, content: { definitions: DEFINITIONS, config: { data: {}, at: PLACE } } },
  { type: 'refused', id: 1, code: 'evaluation', message: 'no', at: PLACE },
]

/** Of the process of the Workers, to the host. */
export const FROM_PROCESS: readonly object[] = [
  { type: 'ready' },
  { type: 'said', worker: 1, message: '{"type":"stopping"}' },
  { type: 'said', worker: 1, message: new Uint8Array(serialize({ type: 'done', call: 1, outcome: {} })) },
  ...NEWS.map((news) => ({ type: 'news', worker: 1, news })),
  { type: 'ended', worker: 1, end: END },
  { type: 'measured', id: 1, workers: [{ worker: 1, heapBytes: 1, externalBytes: 0 }] },
  { type: 'stuck', worker: 1, reason: 'does not end' },
]

/** Of the host, to the process of the Workers. */
export const TO_PROCESS: readonly object[] = [
  { type: 'setup', folder: '/f', workerEntry: '/w.js', graceMs: 250 },
  { type: 'open', worker: 1, start: { ...START, job: { type: 'serve', script: SCRIPT } } },
  { type: 'open', worker: 2, start: { ...START, job: { type: 'read' } } },
  { type: 'tell', worker: 1, message: '{}' },
  { type: 'end', worker: 1 },
  { type: 'measure', id: 1 },
]

export const READ_ORDERS: readonly object[] = [{ type: 'read', id: 1, script: SCRIPT, env: { LANG: 'C' } }]

function deep(levels: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

function cyclic(): unknown {
  const value: Record<string, unknown> = { type: 'output' }
  value['self'] = value
  return value
}

/** What a member, or a whole message, is replaced by: all of it can be cloned. */
export const HOSTILE: readonly (() => unknown)[] = [
  () => null,
  () => undefined,
  () => '',
  () => 'x'.repeat(LONGEST_TEXT + 1),
  () => '__proto__',
  () => 0,
  () => -1,
  () => 1.5,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => Number.MAX_VALUE,
  () => 2n ** 200n,
  () => true,
  () => [],
  () => ({}),
  () => ({ length: -1 }),
  () =>
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') as unknown,
  () => deep(400),
  () => deep(20_000),
  cyclic,
  () => new Map([['type', 'ready']]),
  () => new Set([1]),
  () => new Date(Number.NaN),
  () => /(a+)+$/,
  () => new Error('an error'),
  () => new Uint8Array(3),
  () => new ArrayBuffer(8),
  () => Array.from({ length: 3 }),
]

/**
 * Spoils a message: takes a member away, puts something hostile in its place, or renames it.
 *
 * @param pick returns an integer from 0 up to, and without, its argument
 */
export function spoiled(message: unknown, pick: (count: number) => number): unknown {
  if (typeof message !== 'object' || message === null || pick(8) === 0)
    return HOSTILE[pick(HOSTILE.length)]?.()
  if (message instanceof Uint8Array)
    return pick(2) === 0 ? message.subarray(1) : HOSTILE[pick(HOSTILE.length)]?.()
  const names = Object.keys(message)
  const name = names[pick(Math.max(1, names.length))]
  if (name === undefined) return HOSTILE[pick(HOSTILE.length)]?.()
  const copy: Record<string, unknown> | unknown[] = Array.isArray(message)
    ? [...(message as readonly unknown[])]
    : { ...message }
  const member: unknown = Reflect.get(message, name)
  const isLeaf = typeof member !== 'object' || member === null
  switch (pick(isLeaf ? 3 : 5)) {
    case 0:
      Reflect.deleteProperty(copy, name)
      break
    case 1:
      Reflect.set(copy, name, HOSTILE[pick(HOSTILE.length)]?.())
      break
    case 2:
      Reflect.deleteProperty(copy, name)
      Reflect.set(copy, `${name}2`, member)
      break
    default:
      Reflect.set(copy, name, spoiled(member, pick))
  }
  return copy
}
