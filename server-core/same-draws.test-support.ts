import fc from 'fast-check'

/** In CI every run draws the same values, so that what was green stays green; elsewhere each run draws others. */
if (process.env['CI'] !== undefined) fc.configureGlobal({ seed: 20_261_122 })
