/** All text that a user reads in this module, by file. */
export const workbenchFormText = {
  argumentsState: {
    isNotFinished: (name: string) => `${name} is not finished`,
  },
  describeVariants: {
    null: (note: string) => `${note} | null`,
  },
  expandSchema: {
    incompatibleReference: (reference: string) => `“${reference}” and its siblings do not combine`,
  },
  fieldNote: {
    null: (note: string) => `${note} | null`,
  },
  findingMessage: {
    isRequired: (member: string) => `“${member}” is required`,
    invalidKey: (member: string) => `“${member}” is not allowed as a key`,
    isBelowTheMinimum: (value: string, limit: string) => `${value} is below the minimum ${limit}`,
    isAboveTheMaximum: (value: string, limit: string) => `${value} is above the maximum ${limit}`,
    mustBeMoreThan: (value: string, limit: string) => `${value} must be more than ${limit}`,
    mustBeLessThan: (value: string, limit: string) => `${value} must be less than ${limit}`,
    isNoMultipleOf: (value: string, limit: string) => `${value} is not a multiple of ${limit}`,
    itemRepeatsItem: (place: string, first: string) => `Item ${place} repeats item ${first}`,
  },
  schemaForm: {
    itTakesNoArguments: 'It takes no arguments.',
    arguments: 'arguments',
  },
} as const
