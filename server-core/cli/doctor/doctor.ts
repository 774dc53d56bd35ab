import path from 'node:path'
import { defaultProfile } from '../../profile/profile-files.ts'
import { ExitCode } from '../output/exit-code.ts'
import { isForPerson, writeJson, writeText } from '../output/output.ts'
import { table } from '../output/table.ts'
import { allFindings, type Finding } from './checks.ts'
import type { DoctorCommand } from './doctor-command.ts'

const WORDS: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'missing', problem: 'problem' }

/** `patchbay doctor`: checks the installation and shows what to do next. */
export async function doctor({ json, profile }: DoctorCommand): Promise<ExitCode> {
  const findings = await allFindings(profile === undefined ? defaultProfile() : path.resolve(profile))
  if (!isForPerson(json)) await writeJson(findings)
  else {
    const rows = findings.map(({ name, state, detail }) => [name, WORDS[state], detail])
    const next = findings.flatMap(({ name, next }) => (next === undefined ? [] : [`  ${name}: ${next}`]))
    const steps = next.length === 0 ? [] : ['', 'Next steps:', ...next]
    await writeText([table(rows), ...steps].join('\n'))
  }
  const isBroken = findings.some(({ state }) => state === 'problem')
  return isBroken ? ExitCode.regression : ExitCode.ok
}
