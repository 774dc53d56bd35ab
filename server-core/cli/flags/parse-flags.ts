import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from '../output/exit-code.ts'
import { suggest } from './suggest.ts'

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>
>

/**
 * Reads flags and other words of one command.
 *
 * @throws UsageError for an unknown flag, with the one that was probably meant
 */
export function parseFlags<Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
): Parsed<Options> {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The parser's own words, without its advice about quoting.
    const reason = error.message.split('. To specify')[0] ?? error.message
    const unknown = /^Unknown option '--?([^']+)'/.exec(reason)?.[1]
    const near = unknown === undefined ? [] : suggest(unknown, Object.keys(options))
    const hint = near.length === 0 ? '' : `; did you mean ${near.map((name) => `--${name}`).join(' or ')}?`
    throw new UsageError(`${reason}${hint}`, { cause: error })
  }
}
