import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import { messageOf } from '../../registry/handler-errors.ts'
import type { MessageEnd } from '../../registry/port/end.ts'
import { definitionsOf } from '../../registry/port/definitions-of.ts'
import type { CallerMessage, Target } from '../../registry/port/messages.ts'
import { serveInvocations } from '../../registry/port/serve-invocations.ts'
import type { Report } from '../../registry/report.ts'
import type { BundledScript, ReadOrder, ReadReply, WorkerSays, WorkerStart } from '../channel.ts'
import { packed, unpacked } from '../packed.ts'
import { ScriptError } from '../script-error.ts'
import type { ScriptCall } from '../script-host.ts'
import { tellEndings } from './endings.ts'
import { loadBundle } from './load-bundle.ts'
import { captureOutput } from './output.ts'
import { Places, stackOf } from './places.ts'
import { ofRunningCall, runningCall } from './running-call.ts'

/** What runs in a Worker of the tool host: the handlers of one script, or a reader of what scripts serve. */
function run(port: MessagePort, { job, folder, outputBytes }: WorkerStart): void {
  process.setSourceMapsEnabled(true)
  const say = (said: WorkerSays) => {
    port.postMessage(said)
  }
  const output = captureOutput(outputBytes, (line) => {
    say({ type: 'output', ...line })
  })
  let bundle = job.type === 'serve' ? job.script.bundle : ''
  tellEndings(({ reason, error }) => {
    output.flush()
    const at = new Places(folder, bundle).of(error)
    say({ type: 'dying', end: { reason, ...(at === undefined ? {} : { at }) } })
  })
  if (job.type === 'serve') {
    void serve(port, job.script, folder, say)
    return
  }
  // One after the other: what happens meanwhile is of the one that is read.
  let last = Promise.resolve()
  port.on('message', (message: unknown) => {
    const order = unpacked(message) as ReadOrder
    last = last.then(async () => {
      bundle = order.script.bundle
      say({ type: 'said', message: packed(await read(order, folder)) })
    })
  })
}

async function serve(
  port: MessagePort,
  script: BundledScript,
  folder: string,
  say: (said: WorkerSays) => void,
): Promise<void> {
  const places = new Places(folder, script.bundle)
  const report: Report = (error) => {
    const stack = stackOf(error)
    const at = places.of(error)
    say({
      type: 'fault',
      message: messageOf(error),
      ...(stack === undefined ? {} : { stack }),
      ...(at === undefined ? {} : { at }),
      ...ofRunningCall(),
    })
  }
  try {
    const { registry } = await loadBundle(script, folder, report)
    serveInvocations(hostEnd(port, say), registry)
  } catch (error) {
    const at = error instanceof ScriptError ? error.at : places.of(error)
    say({
      type: 'dying',
      end: { reason: `could not be loaded: ${messageOf(error)}`, ...(at === undefined ? {} : { at }) },
    })
    process.exit(1)
  }
}

/** The way to the host, on which every call runs in a context of its own. */
function hostEnd(port: MessagePort, say: (said: WorkerSays) => void): MessageEnd {
  return {
    post: (message) => {
      say({ type: 'said', message: packed(message) })
    },
    onMessage: (listener) => {
      port.on('message', (posted: unknown) => {
        const message = unpacked(posted) as CallerMessage
        if (message.type === 'call') runningCall.run(callOf(message.call, message.target), listener, message)
        else listener(message)
      })
    },
    closed: new Promise(() => undefined),
    close: () => undefined,
  }
}

function callOf(number: number, target: Target): ScriptCall {
  switch (target.op) {
    case 'tool':
      return { number, kind: 'tool', name: target.name }
    case 'prompt':
      return { number, kind: 'prompt', name: target.name }
    case 'resource':
    case 'template':
      return { number, kind: target.op, name: target.uri }
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
    return { type: 'content', id, content: { definitions, ...(config === undefined ? {} : { config }) } }
  } catch (error) {
    const at = error instanceof ScriptError ? error.at : new Places(folder, script.bundle).of(error)
    return {
      type: 'refused',
      id,
      code: error instanceof ScriptError ? error.code : 'evaluation',
      message: messageOf(error),
      ...(at === undefined ? {} : { at }),
    }
  } finally {
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, before)
  }
}

if (parentPort === null)
  throw new Error('This runs in a Worker of the tool host; it cannot be started by hand.')
// From the process that runs Workers, which is ours.
run(parentPort, workerData as WorkerStart)
