import { afterEach, describe } from 'vitest'
import { MessageChannel } from 'node:worker_threads'
import type { JsonObject } from '../../protocol/json.ts'
import type { HandlerContext } from '../context.ts'
import type { RegistryChange, RegistryView, ToolOutcome } from '../entries.ts'
import { messagePortEndpoint } from '../port/message-endpoint.ts'
import { portRegistry } from '../port/port-registry.ts'
import { serveInvocations } from '../port/serve-invocations.ts'
import { Registry, type RegistryOptions } from '../registry.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'

/** A place where handlers may run, seen from the caller. */
type Placement = {
  readonly name: string
  readonly open: (registry: Registry) => Promise<{ readonly view: RegistryView; readonly close: () => void }>
}

const PLACEMENTS: readonly Placement[] = [
  { name: 'in process', open: (registry) => Promise.resolve({ view: registry, close: () => undefined }) },
  {
    name: 'across a message port',
    open: async (registry) => {
      const view = await portRegistry({
        open: () => {
          const { port1, port2 } = new MessageChannel()
          serveInvocations(messagePortEndpoint(port2), registry)
          return Promise.resolve(messagePortEndpoint(port1))
        },
      })
      return {
        view,
        close: () => {
          view.close()
        },
      }
    },
  },
]

/** What the tests of behaviour work with; recreated for each of them. */
type Place = {
  /** Fills a registry and gives the view of it that a server would have. */
  readonly view: <L = unknown>(
    fill: (registry: Registry<L>) => void,
    options?: RegistryOptions<L>,
  ) => Promise<{ view: RegistryView; registry: Registry<L> }>
  readonly call: (
    opened: RegistryView,
    name: string,
    args: JsonObject,
    invocation?: ScriptedInvocation,
  ) => Promise<ToolOutcome>
  /** Registers one tool with this handler and calls it. */
  readonly runTool: (
    run: (args: JsonObject, ctx: HandlerContext) => unknown,
    invocation?: ScriptedInvocation,
    more?: { reentrant?: boolean; accumulate?: (accumulated: unknown, item: unknown) => unknown },
  ) => Promise<ToolOutcome>
  readonly nextChange: (opened: RegistryView) => Promise<RegistryChange>
}

/** Runs the same tests with the handlers in this process and behind a real message channel. */
export function inEveryPlacement(title: string, tests: (place: Place) => void): void {
  describe.each(PLACEMENTS)(`${title}, $name`, ({ open }) => {
    const closing: (() => void)[] = []
    afterEach(() => {
      for (const close of closing.splice(0)) close()
    })

    const view: Place['view'] = async <L>(
      fill: (registry: Registry<L>) => void,
      options?: RegistryOptions<L>,
    ) => {
      const registry = new Registry<L>(options)
      fill(registry)
      const opened = await open(registry)
      closing.push(opened.close)
      return { view: opened.view, registry }
    }
    const call: Place['call'] = async (opened, name, args, invocation = new ScriptedInvocation()) => {
      const tool = opened.tool(name)
      if (tool === undefined) throw new Error(`There is no tool ${name}.`)
      return tool.invoke(args, invocation)
    }
    tests({
      view,
      call,
      runTool: async (run, invocation, more = {}) => {
        const { view: opened } = await view((registry) => {
          registry.addTool({ name: 'tool', run, ...more })
        })
        return call(opened, 'tool', {}, invocation)
      },
      nextChange: (opened) =>
        new Promise((resolve) => {
          const stop = opened.onChange((change) => {
            stop()
            resolve(change)
          })
        }),
    })
  })
}

/** A text block (specification: Tools, Text Content). */
export const text = (value: string): JsonObject => ({ type: 'text', text: value })
