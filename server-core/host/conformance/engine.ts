/** What a run needs of the engine: loaded when the page is used first, for it is a large part of the product. */
export { loadCatalogue } from '../../conformance/catalogue/load-catalogue.ts'
export { targetOf } from '../../conformance/probe/target-of.ts'
export { clauseOf, reportedCheck } from '../../conformance/report/conformance-report.ts'
export { REPORT_FORMATS } from '../../conformance/report/formats.ts'
export { planRun } from '../../conformance/run/plan-run.ts'
export { runChecks } from '../../conformance/run/run-checks.ts'
export { selectChecks } from '../../conformance/run/select-checks.ts'
export { visit } from '../../conformance/run/visit.ts'
