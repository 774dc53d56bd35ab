import { isJsonObject } from '../../../server-core/protocol/json.ts'
import { Messages, type Mutant } from '../mutant.ts'
import { replaceSteps } from '../replace-steps.ts'
import { changeResult, paramsOf } from './changes-message.ts'
import { undeclared } from './tools.ts'

const EVERYTHING = { roots: {}, sampling: {}, elicitation: {} }
const never = () => new Promise<never>(() => undefined)

/** Mutants of capabilities, timeouts and the end of processes. */
export const LIFECYCLE_END_MUTANTS: readonly Mutant[] = [
  {
    id: 'm.lifecycle.capabilities.server-uses',
    side: 'server',
    fault: {
      incoming: (message) =>
        message['method'] === 'initialize'
          ? { ...message, params: { ...paramsOf(message), capabilities: EVERYTHING } }
          : message,
    },
  },
  {
    id: 'm.lifecycle.capabilities.client-uses',
    side: 'client',
    revisions: ['2025-11-25'],
    fault: {
      outgoing: (message) =>
        message['method'] === 'tools/list'
          ? new Messages({ jsonrpc: '2.0', id: 'regardless', method: 'prompts/list' }, message)
          : message,
    },
  },
  {
    id: 'm.lifecycle.capabilities.undeclared-method',
    side: 'server',
    fault: { outgoing: undeclared('completions') },
    alsoBreaks: { 'completion.server.undeclared': 'it is the same fault' },
  },
  {
    id: 'm.lifecycle.capabilities.no-undeclared-notices',
    side: 'server',
    fault: {
      outgoing: changeResult('initialize', (result) => {
        const declared = isJsonObject(result['capabilities']) ? result['capabilities'] : {}
        return { ...result, capabilities: { ...declared, tools: {}, prompts: {}, resources: {} } }
      }),
    },
  },
  {
    id: 'm.lifecycle.timeout.client',
    side: 'client',
    revisions: ['2025-11-25'],
    fault: {
      outgoing: (message) => (message['method'] === 'notifications/cancelled' ? undefined : message),
    },
  },
  {
    id: 'm.lifecycle.timeout.maximum',
    side: 'client',
    fault: {
      driver: (client) =>
        replaceSteps(client, (asked, step) => {
          if (asked.type !== 'call') return step(asked)
          const { maximumMs: _, ...rest } = asked
          return step({ ...rest, ...(asked.maximumMs !== undefined && { maximumMs: Infinity }) })
        }),
    },
  },
  {
    id: 'm.lifecycle.timeout.server',
    side: 'server',
    fault: {
      outgoing: (message, { answers }) =>
        paramsOf(answers)['name'] === 'test_asks_slowly' ? undefined : message,
    },
  },
  {
    id: 'm.lifecycle.timeout.server-maximum',
    side: 'server',
    revisions: ['2025-11-25'],
    fault: {
      outgoing: (message, { answers }) =>
        paramsOf(answers)['name'] === 'test_asks_with_progress' ? undefined : message,
    },
  },
  {
    id: 'm.lifecycle.stdio.client-shutdown',
    side: 'client',
    fault: { graceMs: 0 },
  },
  {
    id: 'm.lifecycle.stdio.server-closes',
    side: 'client',
    fault: {
      driver: (client) =>
        replaceSteps(client, async (asked, step) => {
          const outcome = await step(asked)
          return asked.type === 'call' && outcome.type === 'failed' ? never() : outcome
        }),
    },
  },
  {
    id: 'm.lifecycle.stdio.server-eof',
    side: 'server',
    fault: {
      process: (played) => {
        played.endsWithInput = false
      },
    },
  },
]
