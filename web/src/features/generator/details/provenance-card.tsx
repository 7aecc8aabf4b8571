import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { GetProvenanceData, ProvenanceOut, ProvenanceStep } from '@/api/generated'
import { client } from '@/api/generated/client.gen'
import { BOOK_NAMESPACES, i18n } from '@/i18n'
import { useFormat } from '@/i18n/format'
import { CopyButton } from '@/ui/copy-button'

const ADDRESS: GetProvenanceData['url'] = '/api/covers/{cover_id}/provenance'

/** Where the picture of a cover comes from, and the answer to what shops ask; words and facts come together. */
export function ProvenanceCard({ coverId }: { coverId: number }) {
  const { t } = useTranslation()
  const lines = useLines()
  const { data, isError } = useQuery({
    queryKey: ['provenance', coverId],
    queryFn: async ({ signal }) => {
      const path = { cover_id: coverId }
      const [told] = await Promise.all([
        client.get<{ 200: ProvenanceOut }, unknown, true>({ url: ADDRESS, path, signal, throwOnError: true }),
        i18n.loadNamespaces(BOOK_NAMESPACES),
      ])
      return told.data
    },
  })
  if (isError || !data) return null
  const said = lines(data)
  return (
    <section aria-labelledby="provenance" className="rounded-lg border border-line p-4">
      <div className="flex items-center justify-between gap-2">
        <h3 id="provenance" className="text-sm font-medium">
          {t('provenance.title')}
        </h3>
        <CopyButton label={t('provenance.title')} value={said.join('\n')} />
      </div>
      {said.map((line) => (
        <p key={line} dir="auto" className="mt-2 text-sm leading-relaxed break-words text-ink-2">
          {line}
        </p>
      ))}
    </section>
  )
}

function useLines() {
  const { t } = useTranslation()
  const { number, date } = useFormat()
  const ofStep = (step: ProvenanceStep, isFirst: boolean) => {
    const { provider, words, references, byProgram } = step
    const made = isFirst ? (byProgram ? 'byProgram' : 'byModel') : byProgram ? 'changedByProgram' : 'changedByModel'
    return [
      t(`provenance.${made}`, { provider, model: step.model || provider, date: date(step.madeAt) }),
      ...(words ? [t('provenance.words', { words })] : []),
      ...(references > 0 ? [t('provenance.references', { formatted: number(references) })] : []),
    ]
  }
  return ({ steps, lettersByModel, aiMade, sourceType, isSigned }: ProvenanceOut) => [
    ...steps.flatMap((step, nth) => ofStep(step, nth === 0)),
    t(lettersByModel ? 'provenance.lettersByModel' : 'provenance.lettering'),
    t('provenance.kdp'),
    t(aiMade ? 'provenance.kdpYes' : 'provenance.kdpNo'),
    t(isSigned ? 'provenance.marksSigned' : 'provenance.marks', { source: sourceType }),
  ]
}
