import { stat } from 'node:fs/promises'
import { childEnvironment } from '../../transports/child-environment.ts'
import type { Approval, Pair, ServerTarget } from '../contract/servers.ts'
import { adoptLoginPath } from '../processes/login-path.ts'
import { codeLoaders, inheritedNames } from './inherited-environment.ts'
import { resolveCommand } from './resolve-command.ts'
import { pairsToRecord } from './pairs.ts'
import { choicesOf } from './choices.ts'
import { isSecretName, KEPT_VALUE } from './secret-fields.ts'
import type { BookedServer } from './server-book.ts'

/** Everything a user must see before they approve an entry, nothing cut; only secret values stand masked. */
export async function approvalDetails(booked: BookedServer): Promise<Approval> {
  const { entry, target, hash, approvedAt } = booked
  const shared = {
    id: entry.id,
    name: entry.name,
    target: shownTarget(booked),
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
  const loaders = codeLoaders(target.env)
  const warnings = [
    ...((await isFolder(target.cwd)) ? [] : [`The folder ${target.cwd} does not exist.`]),
    ...loaders.map(({ name, how }) => `${name} ${how}.`),
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

function shownTarget({ target }: BookedServer): ServerTarget {
  const choices = choicesOf(target)
  if (target.transport === 'stdio') {
    return {
      ...choices,
      transport: 'stdio',
      command: target.command,
      args: [...target.args],
      cwd: target.cwd,
      env: target.env.map(shownPair),
    }
  }
  const headers = target.headers.map(shownPair)
  const bearer =
    target.bearerToken === undefined
      ? []
      : [{ name: 'Authorization', value: `Bearer ${KEPT_VALUE}`, kept: true }]
  return { ...choices, transport: target.transport, url: target.url, headers: [...headers, ...bearer] }
}

function shownPair({ name, value }: Pair): Pair {
  return isSecretName(name) ? { name, value: KEPT_VALUE, kept: true } : { name, value }
}
