import { LOG_LEVELS } from '../protocol/log-level.ts'

const log = (level: string): string => `ctx.log.${level}(data, logger?)`

/** What other frameworks call members of their context, and what does the same here. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LOG_LEVELS.map((level) => [level, log(level)])),
  warn: log('warning'),
  reportProgress: 'ctx.progress(progress, total?, message?)',
  report_progress: 'ctx.progress(progress, total?, message?)',
  readResource: 'a function that both handlers call',
  sendNotification: 'ctx.changed({ kind }) or ctx.changed({ uri })',
  requestSampling: 'ctx.sample(messages, options)',
  request_context: 'the members of ctx itself',
}

/**
 * Adds methods to a prototype that fail with the member that is meant, for handlers written out of habit: without them
 * the error would only say that something is not a function. They are not part of the type.
 */
export function defineForeignMembers(prototype: object): void {
  for (const [name, instead] of Object.entries(INSTEAD)) {
    Object.defineProperty(prototype, name, {
      value: () => {
        throw new TypeError(`ctx.${name} does not exist here: use ${instead}`)
      },
    })
  }
}
