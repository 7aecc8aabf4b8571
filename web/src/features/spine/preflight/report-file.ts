import type { Finding, PreflightReport } from '@/api/generated'

/** The address of a report as JSON, with its sentences in the reader's language; without the picture of the page. */
export function reportFile(
  report: PreflightReport,
  file: string,
  language: string,
  sentence: (finding: Finding) => string,
): string {
  const { outcome, width, height, findings } = report
  const told = findings.map((finding) => ({ ...finding, sentence: sentence(finding) }))
  const text = JSON.stringify({ file, language, outcome, width, height, findings: told }, null, 2)
  return `data:application/json;charset=utf-8,${encodeURIComponent(text)}`
}
