import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Responders } from '../../client/responders.ts'
import { chooseSecretStore } from '../../profile/choose-secret-store.ts'
import { openInBrowser } from '../../host/open-in-browser.ts'
import { ForkProcessStarter } from '../../processes/fork-process-starter.ts'
import { ResponderStore } from '../../host/responders/responder-store.ts'
import { TokenFile } from '../../host/responders/token-file.ts'
import type { OpenEndpoint } from '../../responders/models/ask-model.ts'
import { TokenBudget } from '../../responders/models/token-budget.ts'
import { respondersFor } from '../../responders/responders-for.ts'
import { RuleError } from '../../responders/rule-error.ts'
import { effectiveSettings, type EffectiveSettings } from '../../responders/settings.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { writeStderr } from '../output/output.ts'
import type { TypedRules } from './responder-flags.ts'
import { personHere } from './person.ts'
import { terminalBroker } from './terminal-broker.ts'

export type CommandRespondersOptions = {
  /** What was typed; it goes before what is stored. */
  readonly rules: TypedRules
  /** Patchbay's data folder: model endpoints with their keys, approved scripts, tokens that were used. Undefined is the usual one. */
  readonly profile: string | undefined
  /** The stored entry, whose rules hold too. */
  readonly entry: { readonly name: string; readonly key: string } | undefined
  readonly ended: AbortSignal
}

/** Whom tokens are counted for when the server is not stored. */
const COMMAND_LINE = 'command-line'

/** What answers the server of one command. Reads the profile only for rules that are kept there. */
export async function commandResponders(options: CommandRespondersOptions): Promise<Responders> {
  const { rules, profile, entry, ended } = options
  const files = profileFiles(profile ?? defaultProfile())
  const { store: secretStore } = await chooseSecretStore(files, undefined, 'leave')
  const storedServers = new ResponderStore({ file: files.responders, secretStore, onSetAside: 'leave' })
  const ledger = new TokenFile(files.tokens, 'leave')
  await ledger.load()
  const id = entry?.key ?? COMMAND_LINE
  const settings = async (): Promise<EffectiveSettings> => {
    // Rules for all servers are the user's for those that are stored.
    const stored =
      entry === undefined ? effectiveSettings(undefined, undefined) : await storedServers.effective(id)
    return { ...stored, rules: { ...stored.rules, ...rules } }
  }
  return respondersFor(settings, {
    server: { id, name: entry?.name ?? 'The server' },
    broker: terminalBroker({ person: personHere(), openUrl: openInBrowser, writeStderr: writeStderr }),
    ended,
    scripts: {
      starter: new ForkProcessStarter(),
      entry: scriptEntry(),
      // Typing its name is the approval of a script, as of a command.
      approval: async (file, now) =>
        isTyped(rules, file) ? { state: 'approved' } : storedServers.approvalOf(file, now),
    },
    models: { endpoint: (named) => endpointNamed(storedServers, named), budget: new TokenBudget(id, ledger) },
  })
}

/** An endpoint by its id or its name. Throws a `RuleError` that says which there are. */
async function endpointNamed(
  storedServers: ResponderStore,
  named: string,
): Promise<OpenEndpoint | undefined> {
  const known = (await storedServers.endpoints()).map(({ endpoint }) => endpoint)
  const found = known.find(({ id }) => id === named) ?? known.find(({ name }) => name === named)
  if (found !== undefined) return storedServers.open(found.id)
  const names = known.map(({ name }) => `"${name}"`).join(', ')
  const there = known.length === 0 ? 'There is none yet: add one in the window.' : `There are ${names}.`
  throw new RuleError('model', `There is no model endpoint "${named}". ${there}`)
}

function isTyped(rules: TypedRules, file: string): boolean {
  return Object.values(rules).some((rule) => {
    let last = rule
    while (last.kind === 'wait') last = last.then
    return last.kind === 'script' && last.file === file
  })
}

/** The built module that runs scripts: beside the built command line, whichever of its files this code is in. */
function scriptEntry(): string {
  const here = import.meta.dirname
  const places = [here, path.dirname(here)].map((folder) => path.join(folder, 'responder-script.js'))
  const source = path.join(here, '../../responders/scripts/script-process.ts')
  return places.find((file) => existsSync(file)) ?? source
}
