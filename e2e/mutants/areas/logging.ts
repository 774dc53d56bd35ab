import { LOG_LEVELS } from '../../../server-core/protocol/log-level.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { MetaKey } from '../../../server-core/protocol/meta-keys.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages, type ChangeMessage } from '../mutant.ts'
import { changeSent, paramsOf } from './changes-message.ts'
import { undeclared } from './tools.ts'

/** The level below one; unknown levels stay as they are. */
const below = (level: unknown) => {
  const place = LOG_LEVELS.findIndex((each) => each === level)
  return place === -1 ? level : LOG_LEVELS[Math.max(0, place - 1)]
}

/** A request whose log level is changed, where it has one. */
const withLevel = (change: (level: unknown) => unknown): ChangeMessage =>
  function changed(message) {
    const params = paramsOf(message)
    const { _meta: meta } = params
    if (!isJsonObject(meta) || meta[MetaKey.logLevel] === undefined) return message
    const level = change(meta[MetaKey.logLevel])
    return { ...message, params: { ...params, _meta: { ...meta, [MetaKey.logLevel]: level } } }
  }

const setLevel = (change: (level: unknown) => unknown): ChangeMessage =>
  changeSent('logging/setLevel', (message) => {
    const params = paramsOf(message)
    return { ...message, params: { ...params, level: change(params['level']) } }
  })

const levelOf = (message: JsonObject) => LOG_LEVELS.findIndex((each) => each === paramsOf(message)['level'])

/** The mutants of the area `logging`. */
export const LOGGING_PROOF: AreaProof = {
  fixtures: addLoggingTools,
  mutants: [
    {
      id: 'm.logging.server.capability',
      side: 'server',
      fault: { outgoing: undeclared('logging') },
      alsoBreaks: {
        'lifecycle.capabilities.no-undeclared-notices': 'log messages are sent that are not declared',
        'versioning.server.capabilities-truthful': 'log messages are sent that are not declared',
      },
    },
    {
      id: 'm.logging.server.set-level',
      side: 'server',
      revisions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
      fault: { incoming: setLevel(below) },
    },
    {
      id: 'm.logging.server.set-level:request',
      side: 'server',
      revisions: ['2026-07-28'],
      fault: { incoming: withLevel(below) },
      alsoBreaks: { 'logging26.server.threshold': 'it asks for a level as well' },
    },
    {
      id: 'm.logging.server.level-per-session',
      side: 'server',
      fault: {
        // Only that of a session that asks for emergency at once, so that other checks see their own levels.
        incoming: changeSent('logging/setLevel', (message, { peer, connection, transport }) => {
          if (levelOf(message) === 7 && !connection.has('level')) peer.set(transport, 7)
          connection.set('level', levelOf(message))
          return message
        }),
        outgoing: changeSent('notifications/message', (message, { peer, transport }) =>
          levelOf(message) < Number(peer.get(transport) ?? 0) ? undefined : message,
        ),
      },
    },
    {
      id: 'm.logging.server.bad-level',
      side: 'server',
      fault: {
        incoming: setLevel((level) => (LOG_LEVELS.some((each) => each === level) ? level : 'info')),
      },
    },
    {
      id: 'm.logging.server.secrets',
      side: 'server',
      fault: {
        incoming: changeSent('tools/call', (message, { connection }) => {
          const args = paramsOf(message)['arguments']
          if (isJsonObject(args) && 'password' in args) connection.set('arguments', args)
          return message
        }),
        outgoing: changeSent('notifications/message', (message, { connection }) => {
          const args = connection.get('arguments')
          const params = paramsOf(message)
          return args === undefined
            ? message
            : { ...message, params: { ...params, data: [params['data'], args] } }
        }),
      },
    },
    {
      id: 'm.logging.server.rate',
      side: 'server',
      fault: {
        outgoing: changeSent('notifications/message', (message) =>
          paramsOf(message)['logger'] === 'often'
            ? new Messages(...Array.from({ length: 40 }, () => message))
            : message,
        ),
      },
    },
  ],
}

/** Tools that log at every level, and often. */
function addLoggingTools(registry: Registry): void {
  registry.addTool({
    name: 'test_log_levels',
    description: 'Logs one message of each level.',
    run: (_args, ctx) => {
      for (const level of LOG_LEVELS) ctx.log(level, `A message of the level ${level}`)
      return 'logged'
    },
  })
  registry.addTool({
    name: 'test_frequent_logging',
    description: 'Logs three hundred messages.',
    run: (_args, ctx) => {
      for (let count = 1; count <= 300; count += 1) ctx.log('debug', count, 'often')
      return 'logged'
    },
  })
}
