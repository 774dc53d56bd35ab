/** All text that a user reads in this module, by file. */
export const stateText = {
  persisted: {
    couldNotBeRestored: (name: string) => `${name} could not be restored.`,
    whatThisWindowHadStoredIs:
      'What this window had stored is damaged, or of another version, and was discarded.',
  },
} as const
