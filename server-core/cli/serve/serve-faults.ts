import { readFile } from 'node:fs/promises'
import { FaultControl } from '../../faults/fault-control.ts'
import { faultSettingsSchema, type FaultSettings } from '../../faults/fault-settings.ts'
import { canBeMade, FAULT_TABLE } from '../../faults/fault-table.ts'
import { UsageError } from '../output/exit-code.ts'
import { faultWords } from './file/fault-options.ts'
import type { ServeLog } from './serve-log.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** Reads the file of `--faults`. Throws a `UsageError` that names what is wrong in it. */
export async function readFaultsFile(file: string): Promise<FaultSettings> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const why = messageOf(error)
    throw new UsageError(`--faults ${file} cannot be read: ${why}`, { cause: error })
  }
  let settings: unknown
  try {
    settings = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const why = messageOf(error)
    throw new UsageError(`${file} is not JSON: ${why}`, { cause: error })
  }
  return readFaults(settings, file)
}

/** Reads faults as data, of the place that `where` names. Throws a `UsageError`. */
export function readFaults(member: unknown, where: string): FaultSettings {
  const read = faultSettingsSchema.safeParse(member, { error: faultWords })
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `  ${path.join('.') || 'faults'}: ${message}`)
    throw new UsageError(`${where} does not say which faults to make:\n${faults.join('\n')}`)
  }
  for (const { id, kind, where: place } of read.data.rules) {
    if (canBeMade(kind, place.transport)) continue
    const { transports } = FAULT_TABLE[kind]
    throw new UsageError(
      `${where}: rule "${id}": ${kind} cannot be made over ${String(place.transport)}; it can over ${transports.join(', ')}`,
    )
  }
  return read.data
}

/** The faults of what is served, each of them told in the log. */
export function controlFaults(settings: FaultSettings, log: ServeLog): FaultControl {
  const control = new FaultControl(({ ruleId, transport, tool, note }) => {
    log.info(`fault "${ruleId}" over ${transport}${tool === undefined ? '' : `, tool ${tool}`}: ${note}`)
  })
  control.apply(settings)
  const { active } = control
  const rules = active === 1 ? '1 rule is' : `${active} rules are`
  log.warning(`faults are made on purpose: ${rules} on, seed ${settings.seed}`)
  return control
}

/** What was made, for the log's last words. */
export function faultCounts(control: FaultControl): string {
  const counts = Object.entries(control.counts()).map(
    ([id, count]) => `"${id}" ${count === 1 ? 'once' : `${count} times`}`,
  )
  return counts.length === 0 ? 'no fault was made' : `faults made: ${counts.join(', ')}`
}
