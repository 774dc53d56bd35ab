/** Entry point `patchbay/reporter`: reports of Playwright Test. docs/testing.md lists the formats. */
export { PatchbayReporter as default, PatchbayReporter } from '../server-core/playwright/reporter/reporter.ts'
export type { ReporterOptions } from '../server-core/playwright/reporter/reporter.ts'
