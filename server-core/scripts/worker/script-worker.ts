import { countText } from '../../protocol/count-text.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { MAX_MESSAGE_BYTES } from '../../processes/process-channel.ts'
import { handlerErrorText } from '../../registry/handler-errors.ts'
import type { MessageEndpoint } from '../../registry/port/message-endpoint.ts'
import { definitionsOf } from '../../registry/port/definitions-of.ts'
import { parseCallerMessage } from '../../registry/port/caller-message.ts'
import { isDefinitions } from '../../registry/port/definitions.ts'
import { readHandlerMessage, type Target } from '../../registry/port/messages.ts'
import { serveInvocations } from '../../registry/port/serve-invocations.ts'
import type { Report } from '../../registry/report.ts'
import type { BundledScript, ReadOrder, ReadReply, WorkerMessage, WorkerStart } from '../channel.ts'
import { parseReadOrder, parseWorkerStart } from '../channel-parsers.ts'
import { encodeForPort, portEncodedBytes } from '../encode-for-port.ts'
import { ScriptError } from '../script-error.ts'
import type { ScriptCall } from '../script-host.ts'
import { reportEndings } from './endings.ts'
import { loadBundle } from './load-bundle.ts'
import { captureOutput } from './output.ts'
import { Places, stackOf } from './places.ts'
import { takePort, type PrivatePort } from './private-port.ts'
import { ofRunningCall, runningCall } from './running-call.ts'

/** Bytes of one message to the host; its envelope needs a few as well. */
const MOST_BYTES = MAX_MESSAGE_BYTES - 1_024
/** Characters of a text about an error. */
const LONGEST = 16_384

/** What runs in a Worker of the tool host: the handlers of one script, or a reader of what scripts serve. */
function run(port: PrivatePort, { job, folder, outputBytes }: WorkerStart): void {
  process.setSourceMapsEnabled(true)
  const send = (said: WorkerMessage) => {
    port.post(said)
  }
  const output = captureOutput(outputBytes, (line) => {
    send({ type: 'output', ...line })
  })
  let bundle = job.type === 'serve' ? job.script.bundle : ''
  reportEndings(({ reason, error }) => {
    output.flush()
    const at = new Places(folder, bundle).of(error)
    send({ type: 'dying', end: { reason: shortened(reason), ...(at === undefined ? {} : { at }) } })
  })
  if (job.type === 'serve') {
    void serve(port, job.script, folder, send)
    return
  }
  // One after the other: what happens meanwhile is of the one that is read.
  let last = Promise.resolve()
  port.onMessage((message) => {
    const order = parseReadOrder(message)
    if (order === undefined) throw new TypeError('The host sent an invalid order.')
    last = last.then(async () => {
      bundle = order.script.bundle
      const reply = await read(order, folder)
      try {
        post(send, reply)
      } catch (error) {
        post(send, { type: 'refused', id: order.id, code: 'definition', message: handlerErrorText(error) })
      }
    })
  })
}

async function serve(
  port: PrivatePort,
  script: BundledScript,
  folder: string,
  send: (said: WorkerMessage) => void,
): Promise<void> {
  const places = new Places(folder, script.bundle)
  const report: Report = (error) => {
    const stack = stackOf(error)
    const at = places.of(error)
    send({
      type: 'fault',
      message: shortened(handlerErrorText(error)),
      ...(stack === undefined ? {} : { stack: shortened(stack) }),
      ...(at === undefined ? {} : { at }),
      ...ofRunningCall(),
    })
  }
  try {
    const { registry } = await loadBundle(script, folder, report)
    serveInvocations(hostEnd(port, send), registry)
  } catch (error) {
    const at = error instanceof ScriptError ? error.at : places.of(error)
    send({
      type: 'dying',
      end: {
        reason: shortened(`could not be loaded: ${handlerErrorText(error)}`),
        ...(at === undefined ? {} : { at }),
      },
    })
    process.exit(1)
  }
}

/** The way to the host, on which every call runs in a context of its own. */
function hostEnd(port: PrivatePort, send: (said: WorkerMessage) => void): MessageEndpoint {
  return {
    post: (message) => {
      requireValid(message)
      post(send, message)
    },
    onMessage: (listener) => {
      port.onMessage((value) => {
        const message = parseCallerMessage(value)
        if (message.type === 'call') runningCall.run(callOf(message.call, message.target), listener, message)
        else listener(message)
      })
    },
    closed: new Promise(() => undefined),
    close: () => undefined,
  }
}

/**
 * Holds what a handler sends against what the host accepts: the call that sends it fails, and not the Worker.
 *
 * @throws TypeError if the host would reject it
 */
function requireValid(message: unknown): void {
  const type = isJsonObject(message) ? message['type'] : undefined
  if (type === 'done') return
  try {
    readHandlerMessage(message)
  } catch (cause) {
    throw new TypeError(`A "${String(type)}" with a member of a wrong type cannot be sent.`, { cause })
  }
}

/** @throws Error if the message cannot be copied, or is too long for the channel to the host */
function post(send: (said: WorkerMessage) => void, message: unknown): void {
  const packedMessage = encodeForPort(message)
  const bytes = portEncodedBytes(packedMessage)
  if (bytes > MOST_BYTES) {
    throw new RangeError(
      `What the script gave has ${countText(bytes)} bytes; at most ${countText(MOST_BYTES)} reach the server.`,
    )
  }
  send(packedMessage)
}

/** A text of the script's own choice, as far as it may pass. */
function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function callOf(number: number, target: Target): ScriptCall {
  switch (target.op) {
    case 'tool':
      return { number, kind: 'tool', name: target.name }
    case 'prompt':
      return { number, kind: 'prompt', name: target.name }
    case 'resource':
    case 'template':
      return { number, kind: target.op, name: shortened(target.uri) }
    case 'list':
      return { number, kind: 'list', name: target.uriTemplate }
    case 'complete':
      return {
        number,
        kind: 'completion',
        name: target.ref.type === 'ref/prompt' ? target.ref.name : target.ref.uri,
      }
  }
}

async function read({ id, script, env }: ReadOrder, folder: string): Promise<ReadReply> {
  const before = { ...process.env }
  Object.assign(process.env, env)
  try {
    const { registry, config } = await loadBundle(script, folder, () => undefined)
    const definitions = definitionsOf(registry)
    if (!isDefinitions(definitions)) {
      const message = `${script.file} serves something with a member of a wrong type, such as a description that is not a text.`
      throw new ScriptError('definition', message)
    }
    return { type: 'content', id, content: { definitions, ...(config === undefined ? {} : { config }) } }
  } catch (error) {
    const at = error instanceof ScriptError ? error.at : new Places(folder, script.bundle).of(error)
    return {
      type: 'refused',
      id,
      code: error instanceof ScriptError ? error.code : 'evaluation',
      message: shortened(handlerErrorText(error)),
      ...(at === undefined ? {} : { at }),
    }
  } finally {
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, before)
  }
}

const { port, data } = takePort()
const start = parseWorkerStart(data)
if (start === undefined) throw new TypeError('The process of this Worker started it with invalid data.')
run(port, start)
