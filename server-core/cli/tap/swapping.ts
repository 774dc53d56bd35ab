import { defaultProfile } from '../../profile/profile-files.ts'
import { visibleLine } from '../../protocol/visible-text.ts'
import { askSwap } from '../../tap/control/ask-swap.ts'
import { ExitCode } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeText } from '../output/output.ts'
import type { TapCommand } from './tap-flags.ts'

const LONGEST = 200

/** `patchbay tap swap`. Rejects with a `TapError` if the present server goes on. */
export async function swap(command: Extract<TapCommand, { readonly action: 'swap' }>): Promise<ExitCode> {
  const { tap, swap: asked, json, profile = defaultProfile() } = command
  const { command: text, pid, serverInfo, changes, failed } = await askSwap(profile, tap, asked)
  if (!isForPerson(json)) {
    await writeJson({ tap, command: text, pid, serverInfo, changes, failed })
    return ExitCode.ok
  }
  const title = serverInfo === undefined ? visibleLine(text, LONGEST) : visibleLine(serverInfo, LONGEST)
  await writeText(
    [
      `${title} runs as process ${pid}. The client stays connected.`,
      ...(failed === 0 ? [] : [`${failed} open requests failed.`]),
      ...(changes.length === 0
        ? ['Nothing else changed.']
        : changes.map((each) => visibleLine(each, LONGEST))),
    ].join('\n'),
  )
  return ExitCode.ok
}
