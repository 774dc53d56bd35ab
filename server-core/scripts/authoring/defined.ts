import type { AnyPromptDefinition } from '../../registry/prompt.ts'
import type { AnyTemplateDefinition } from '../../registry/resource-template.ts'
import type { AnyResourceDefinition } from '../../registry/resource.ts'
import type { AnyToolDefinition } from '../../registry/tool.ts'
import type { Lifespan } from '../../registry/lifespan.ts'
import type { Configuration } from './configuration.ts'

/** A configuration, whatever its lifespan gives. */
export type AnyConfiguration = Omit<Configuration<never>, 'lifespan'> & {
  readonly lifespan?: Lifespan<unknown>
}

type Unnamed<D> = Omit<D, 'name'> & { readonly name?: string }

/** What a script exports, as it was written: a name may be missing. */
export type Written =
  | { readonly kind: 'tool'; readonly definition: Unnamed<AnyToolDefinition> }
  | { readonly kind: 'resource'; readonly definition: Unnamed<AnyResourceDefinition> }
  | { readonly kind: 'template'; readonly definition: Unnamed<AnyTemplateDefinition> }
  | { readonly kind: 'prompt'; readonly definition: Unnamed<AnyPromptDefinition> }
  | { readonly kind: 'config'; readonly definition: AnyConfiguration }

/** A definition that a script exports. Made by `tool`, `resource`, `template`, `prompt` and `config`. */
export class Defined {
  readonly written: Written
  /** Its stack says where in the script it was written. */
  readonly place: Error

  constructor(written: Written) {
    this.written = written
    this.place = new Error('defined here')
  }
}
