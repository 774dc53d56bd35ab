/** The members of `patchbay.json`, in the order in which the documentation lists them. */
export const WORKSPACE_FILE_MEMBERS = [
  '$schema',
  'version',
  'serve',
  'proxy',
  'servers',
  'thisApp',
  'composition',
  'amendments',
  'mocks',
  'overrides',
  'faults',
] as const
export type WorkspaceFileMember = (typeof WORKSPACE_FILE_MEMBERS)[number]

/** Members by the names that older files have; they are read, and written under the new name. */
export const FORMER_MEMBER_NAMES = { handmade: 'mocks' } as const
