import type { RequiredScopes } from '../../authorization/options.ts'
import type { RegistryView } from '../../registry/entries.ts'
import { UsageError } from '../output/exit-code.ts'
import { suggest } from '../flags/suggest.ts'

/**
 * Throws a `UsageError` if scopes are required for a tool or prompt that is not served: a misspelt name would leave
 * open the one that was meant.
 */
export function requireServedNames(
  required: RequiredScopes | undefined,
  registry: Pick<RegistryView, 'tools' | 'prompts'>,
): void {
  const served = {
    tools: registry.tools().map(({ name }) => name),
    prompts: registry.prompts().map(({ name }) => name),
  }
  for (const kind of ['tools', 'prompts'] as const) {
    for (const name of Object.keys(required?.[kind] ?? {})) {
      if (served[kind].includes(name)) continue
      const [near] = suggest(name, served[kind])
      const hint = near === undefined ? '' : `did you mean "${near}"? `
      throw new UsageError(
        `patchbay.json: serve.authorization.requiredScopes.${kind}: there is no "${name}"; ${hint}The ${kind} are ${served[kind].join(', ')}`,
      )
    }
  }
}
