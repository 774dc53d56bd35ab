import { stat } from 'node:fs/promises'
import { childEnvironment } from '../../transports/stdio/child-environment.ts'
import type { Approval, Pair, ServerTarget } from '../contract/servers.ts'
import { adoptLoginPath } from '../processes/login-path.ts'
import { effectOnCode } from './code-loading.ts'
import { inheritedNames } from './inherited-environment.ts'
import { resolveCommand } from './resolve-command.ts'
import { pairsToRecord } from '../../profile/pairs.ts'
import { choicesOf } from '../../profile/choices.ts'
import { isSecretName, KEPT_VALUE, withoutAddressSecrets } from '../../profile/secret-fields.ts'
import type { StoredServer } from '../../profile/server-store.ts'

/** Everything a user must see before they approve an entry, in full; only the values of secrets are masked. */
export async function approvalDetails(stored: StoredServer): Promise<Approval> {
  const { entry, target, hash, approvedAt } = stored
  const shared = {
    id: entry.id,
    name: entry.name,
    target: shownTarget(stored),
    hash,
    ...(approvedAt === undefined ? {} : { approvedBefore: approvedAt }),
  }
  if (target.transport !== 'stdio') return { ...shared, inherited: [], loadsCode: [] }
  await adoptLoginPath()
  const resolvesTo = await resolveCommand(
    target.command,
    target.cwd,
    childEnvironment(pairsToRecord(target.env)),
  )
  const loaders = target.env.flatMap((pair) => {
    const effect = effectOnCode(pair)
    return effect === undefined ? [] : [{ name: pair.name, effect }]
  })
  const warnings = [
    ...((await isFolder(target.cwd)) ? [] : [`The folder ${target.cwd} does not exist.`]),
    ...loaders.map(({ name, effect }) => `${name} ${effect}.`),
  ]
  return {
    ...shared,
    ...(resolvesTo === undefined ? {} : { resolvesTo }),
    inherited: inheritedNames(target.env),
    loadsCode: loaders.map(({ name }) => name),
    ...(warnings.length > 0 && { warnings }),
  }
}

async function isFolder(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isDirectory()
  } catch {
    // Not there, or not for us to enter: nothing can start in it.
    return false
  }
}

function shownTarget({ target }: StoredServer): ServerTarget {
  const choices = choicesOf(target)
  if (target.transport === 'stdio') {
    return {
      ...choices,
      transport: 'stdio',
      command: target.command,
      args: [...target.args],
      cwd: target.cwd,
      env: target.env.map((pair) => (effectOnCode(pair) === undefined ? shownPair(pair) : pair)),
    }
  }
  const headers = target.headers.map(shownPair)
  const bearer =
    target.bearerToken === undefined
      ? []
      : [{ name: 'Authorization', value: `Bearer ${KEPT_VALUE}`, kept: true }]
  const url = withoutAddressSecrets(target.url)
  return { ...choices, transport: target.transport, url, headers: [...headers, ...bearer] }
}

function shownPair({ name, value }: Pair): Pair {
  if (isSecretName(name)) return { name, value: KEPT_VALUE, kept: true }
  // Only what is secret is hidden: whoever approves it has to see where it leads.
  const shown = withoutAddressSecrets(value)
  return shown === value ? { name, value } : { name, value: shown, kept: true }
}
