import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { FileCheck, FileDown, Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { fieldMessages } from '@/api/errors/error-message'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { sizeDraft } from '@/lib/tab-draft'
import { Button } from '@/ui/button'
import { sheetQuery, sidesOf, toParams, toSearch, USUAL } from './question'
import type { Question } from './search'
import { SheetFigures } from './sheet-figures'
import { SpineForm } from './spine-form'

/** So long typing rests before the address changes, in milliseconds. */
const PAUSE = 250

/** The spine calculator, open to everybody. The address says what is asked, so that it can be shared. */
export function SpinePage({ asked }: { asked: Partial<Question> }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [question, setQuestion] = useState<Question>({ ...USUAL, ...asked })
  const settled = useDebouncedValue(question, PAUSE)
  useEffect(() => {
    void navigate({ to: '/spine', search: toSearch(settled), replace: true, resetScroll: false })
  }, [navigate, settled])
  const { data: sheet, error, isPlaceholderData } = useQuery(sheetQuery(toSearch(settled)))
  const errors = error instanceof ApiError ? fieldMessages(error) : {}
  const isUnknown = error && Object.keys(errors).length === 0
  const params = toParams(settled)
  return (
    <div className="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">
      <h1 className="display text-section-title">{t('spine.title')}</h1>
      <p className="mt-3 max-w-2xl text-ink-2">{t('spine.lead')}</p>
      <div className="mt-8 grid grid-cols-1 items-start gap-8 lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-12">
        <SpineForm question={question} errors={errors} onChange={setQuestion} />
        <section aria-live="polite" aria-busy={isPlaceholderData} className="min-w-0">
          {sheet && !error && <SheetFigures sheet={sheet} />}
          {isUnknown && (
            <p role="alert" className="text-danger">
              {t('spine.failed')}
            </p>
          )}
          {sheet && !error && (
            <div className="mt-6 flex flex-wrap gap-3">
              <Button asChild>
                <Link to="/" onClick={() => sizeDraft.save(sidesOf(settled.trim))}>
                  <Sparkles aria-hidden />
                  {t('spine.generate')}
                </Link>
              </Button>
              {(['pdf', 'png'] as const).map((format) => (
                <Button key={format} asChild variant="outline">
                  <a href={`/api/spine/template?${params}&format=${format}`} download>
                    <FileDown aria-hidden />
                    {t(`spine.${format}`)}
                  </a>
                </Button>
              ))}
              <Button asChild variant="outline">
                <Link to="/preflight" search={toSearch(settled)}>
                  <FileCheck aria-hidden />
                  {t('spine.check')}
                </Link>
              </Button>
            </div>
          )}
        </section>
      </div>
    </div>
  )
}
