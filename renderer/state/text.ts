/** All text that a user reads in this module, by file. */
export const stateText = {
  persisted: {
    couldNotRestore: (name: string) => `Could not restore ${name}.`,
    stateDiscarded: 'The stored state is damaged or of another version and was discarded.',
  },
} as const
