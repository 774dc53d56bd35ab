import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { LOG_LEVELS, type LogLevel } from '../../../protocol/log-level.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import type { InMessage } from '../../probe/inbox.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import { CANARY } from '../../probe/canary.ts'
import { seenCapabilities } from '../lists/own-capabilities.ts'

export const LOG_MESSAGE = 'notifications/message'

/** The severity of a log message as a number; undefined if it names none. */
export function severityOf(message: JsonObject): number | undefined {
  const { params } = message
  const place = isJsonObject(params) ? LOG_LEVELS.findIndex((level) => level === params['level']) : -1
  return place === -1 ? undefined : place
}

/** Calls the tool that logs, in 2026-07-28 with the level for this request, and returns what was logged. */
export async function loggedBy(
  connection: ProbeConnection,
  { name, arguments: args }: FixtureTool,
  level?: LogLevel,
): Promise<readonly InMessage[]> {
  const from = connection.received.length
  const envelope = level === undefined || !connection.isModern ? {} : { [MetaKey.logLevel]: level }
  await connection.request('tools/call', { name, arguments: args }, { envelope })
  await connection.barrier()
  return connection.received.slice(from).filter(({ message }) => message['method'] === LOG_MESSAGE)
}

export const loggingCapability = passiveCheck(
  'logging.server.capability',
  (transcript) => {
    for (const { frame, message } of transcript.examined(
      ({ message: { method } }) => method === LOG_MESSAGE,
    )) {
      const declared = seenCapabilities(transcript, frame.connection.number)
      if (declared === undefined || declared['logging'] !== undefined) continue
      transcript.fail({
        expected: 'the capability logging, as log messages are sent',
        actual: `${shortJson(message['params'])} with ${Object.keys(declared).join(', ')}`,
        member: '/method',
        frame,
      })
    }
  },
  { title: 'Log messages need the logging capability' },
)

export const setLevel = serverCheck(
  'logging.server.set-level',
  async (probe) => {
    probe.requireCapability('logging')
    const tool = probe.fixture('logging')
    const connection = await probe.connect()
    let seen = 0
    for (const [floor, level] of LOG_LEVELS.entries()) {
      if (!probe.isModern) {
        const outcome = await connection.call('logging/setLevel', { level })
        const isEmpty =
          outcome.type === 'result' && Object.keys(outcome.result).every((name) => name === '_meta')
        probe.expect(isEmpty, {
          expected: `{} for the level ${level}`,
          actual: describeOutcome(outcome),
          member: outcome.type === 'error' ? '/error' : '/result',
          frame: outcome.frame ?? outcome.sent,
        })
        if (outcome.type !== 'result') continue
      }
      const logged = await loggedBy(connection, tool, level)
      seen += logged.length
      for (const { message, frame } of logged) {
        const severity = severityOf(message)
        if (severity === undefined) {
          const { params } = message
          probe.fail({
            expected: `one of ${LOG_LEVELS.join(', ')}`,
            actual: shortJson(isJsonObject(params) ? params['level'] : params),
            member: '/params/level',
            statement: 'logging.level-values',
            frame,
          })
        } else if (severity < floor) {
          probe.fail({
            expected: `nothing below ${level}`,
            actual: LOG_LEVELS[severity] ?? '',
            member: '/params/level',
            statement: 'logging.level-respected',
            frame,
          })
        }
      }
    }
    if (seen === 0) probe.inconclusive(`the tool ${tool.name} logged nothing at any level`)
  },
  { title: 'The log level is taken and respected' },
)

export const levelPerSession = serverCheck(
  'logging.server.level-per-session',
  async (probe) => {
    probe.requireCapability('logging')
    const tool = probe.fixture('logging')
    const [verbose, terse] = [await probe.connect(), await probe.connect()]
    await verbose.request('logging/setLevel', { level: 'debug' })
    const isBelow = ({ message }: InMessage) => (severityOf(message) ?? 9) < LOG_LEVELS.length - 1
    const before = (await loggedBy(verbose, tool)).filter(isBelow).length
    if (before === 0) probe.inconclusive(`the tool ${tool.name} logs nothing below emergency`)
    await terse.request('logging/setLevel', { level: 'emergency' })
    const after = (await loggedBy(verbose, tool)).filter(isBelow)
    probe.expect(after.length > 0, {
      expected: 'the level debug kept in its session',
      actual: 'no messages after another session asked for emergency',
      frame: verbose.received.at(-1)?.frame,
    })
    for (const { message, frame } of (await loggedBy(terse, tool)).filter(isBelow)) {
      probe.fail({
        expected: 'nothing below emergency in the other session',
        actual: shortJson(message['params']),
        member: '/params/level',
        frame,
      })
    }
  },
  { title: 'Each session has a log level of its own' },
)

export const badLevel = serverCheck(
  'logging.server.bad-level',
  async (probe) => {
    probe.requireCapability('logging')
    const connection = await probe.connect()
    for (const level of ['verbose', '', 3, 'INFO']) {
      const outcome = await connection.call('logging/setLevel', { level })
      probe.expect(outcome.type === 'error' && outcome.code === -32602, {
        severity: 'warning',
        expected: `error -32602 for the level ${shortJson(level)}`,
        actual: describeOutcome(outcome),
        member: outcome.type === 'error' ? '/error/code' : '/result',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
      })
    }
  },
  { title: 'Unknown log levels are refused with -32602' },
)

export const loggedSecrets = passiveCheck(
  'logging.server.secrets',
  (transcript) => {
    const isHandedOver = transcript.frames.some(
      ({ from, bytes }) => from === 'client' && Buffer.from(bytes).includes(CANARY),
    )
    if (!isHandedOver) return
    for (const { frame } of transcript.examined(({ message: { method } }) => method === LOG_MESSAGE)) {
      if (!Buffer.from(frame.bytes).includes(CANARY)) continue
      transcript.fail({
        expected: 'no secret that was handed over',
        actual: 'the argument "password" in a log message',
        member: '/params/data',
        frame,
      })
    }
  },
  { title: 'Secrets do not appear in log messages' },
)

/** Most log messages of one second. */
const MOST = 1_000

export const logRate = serverCheck(
  'logging.server.rate',
  async (probe) => {
    const { name, arguments: args } = probe.fixture('frequent-logging')
    const connection = await probe.connect()
    if (!probe.isModern && probe.declares('logging'))
      await connection.request('logging/setLevel', { level: 'debug' })
    const envelope = connection.isModern ? { [MetaKey.logLevel]: 'debug' } : {}
    const call = connection.call('tools/call', { name, arguments: args }, { envelope })
    const meanwhile = await connection.tryBarrier()
    probe.expect(meanwhile.type === 'result', {
      severity: 'warning',
      expected: 'other requests answered while the tool logs',
      actual: describeOutcome(meanwhile),
      frame: meanwhile.frame ?? meanwhile.sent,
    })
    await call
    const logged = connection.received.filter(({ message }) => message['method'] === LOG_MESSAGE)
    if (logged.length === 0) probe.inconclusive(`the tool ${name} logged nothing`)
    const times = logged.map(({ frame }) => frame.at)
    const most = Math.max(
      ...times.map((at, index) => index + 1 - times.findIndex((each) => each > at - 1_000)),
    )
    probe.expect(most <= MOST, {
      severity: 'warning',
      expected: `at most ${MOST} log messages a second`,
      actual: `${most} in one second`,
      frame: logged.at(-1)?.frame,
    })
  },
  { title: 'Log messages are limited in number' },
)
