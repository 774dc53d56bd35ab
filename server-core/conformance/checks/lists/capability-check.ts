import type { FindingInput } from '../../examination.ts'
import { describeOutcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { entriesOf, LIST_METHODS, readPage } from './list-methods.ts'
import { ownCapabilities } from './own-capabilities.ts'

/** Compares the lists of a capability with its declaration: a declared one answers, an undeclared one has no entries. */
export async function compareWithLists(
  probe: ServerProbe,
  capability: 'tools' | 'prompts' | 'resources',
): Promise<void> {
  const connection = await probe.connect()
  const isDeclared = (await ownCapabilities(connection))[capability] !== undefined
  for (const list of LIST_METHODS) {
    if (list.capability !== capability) continue
    const outcome = await readPage(connection, list)
    const finding: FindingInput = {
      expected: isDeclared
        ? `${list.method} answered, as ${capability} is declared`
        : `no ${list.kind} undeclared`,
      actual: describeOutcome(outcome),
      member: outcome.type === 'error' ? '/error' : `/result/${list.member}`,
      frame: outcome.frame ?? outcome.sent,
    }
    if (isDeclared && outcome.type !== 'result') {
      if (list.kind === 'templates') probe.inform(finding)
      else probe.fail(finding)
    } else if (!isDeclared && outcome.type === 'result') {
      if (entriesOf(list, outcome.result).length > 0) probe.fail(finding)
      else probe.inform(finding)
    }
  }
}
