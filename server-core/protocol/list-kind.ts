/** The kinds of entries that a server declares and whose changes it notifies; templates are among the resources. */
export const LIST_KINDS = ['tools', 'resources', 'prompts'] as const
export type ListKind = (typeof LIST_KINDS)[number]

/** The lists by name, resource templates apart from resources. */
export const LIST_NAMES = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const
export type ListName = (typeof LIST_NAMES)[number]
