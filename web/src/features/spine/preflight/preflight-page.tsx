import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/api/errors/api-error'
import { errorMessage, fieldMessages } from '@/api/errors/error-message'
import { useDebouncedValue } from '@/lib/hooks/use-debounced-value'
import { Button } from '@/ui/button'
import { UploadProgress } from '@/ui/form/upload-progress'
import { sheetQuery, toSearch, USUAL } from '../question'
import type { Question } from '../search'
import { Choice, SpineForm } from '../spine-form'
import { FilePicker } from './file-picker'
import { FORMS, type PreflightForm } from './forms'
import { PreflightResult } from './preflight-result'
import { useCheckFile } from './use-check-file'
import { WhatIsChecked } from './what-is-checked'

/** So long typing rests before the address changes, in milliseconds. */
const PAUSE = 250

/** Checks a finished file as a printer or shop would, open to everybody. The address says for which book. */
export function PreflightPage({ asked }: { asked: Partial<Question> }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [form, setForm] = useState<PreflightForm>('printed')
  const [question, setQuestion] = useState<Question>({ ...USUAL, ...asked })
  const [file, setFile] = useState<File>()
  const check = useCheckFile()
  const settled = useDebouncedValue(question, PAUSE)
  const isPrinted = form === 'printed'
  useEffect(() => {
    void navigate({ to: '/preflight', search: toSearch(settled), replace: true, resetScroll: false })
  }, [navigate, settled])
  const { data: sheet, error } = useQuery({ ...sheetQuery(toSearch(settled)), enabled: isPrinted })
  const errors = isPrinted && error instanceof ApiError ? fieldMessages(error) : {}
  const mayCheck = file && settled === question && Object.keys(errors).length === 0

  /** What was found is true of another question no more. */
  function anew(change: () => void) {
    change()
    check.reset()
  }

  return (
    <div className="mx-auto max-w-page px-4 py-10 md:px-8 lg:py-14">
      <h1 className="display text-section-title">{t('preflight.title')}</h1>
      <p className="mt-3 max-w-2xl text-ink-2">{t('preflight.lead')}</p>
      <div className="mt-8 grid grid-cols-1 items-start gap-8 lg:grid-cols-[22rem_minmax(0,1fr)] lg:gap-12">
        <div className="grid gap-5">
          <Choice
            label={t('preflight.form')}
            value={form}
            options={FORMS.map((one) => ({ value: one, words: t(`preflight.forms.${one}`) }))}
            onChange={(one) => anew(() => setForm(one as PreflightForm))}
          />
          {isPrinted && (
            <SpineForm question={question} errors={errors} onChange={(changed) => anew(() => setQuestion(changed))} />
          )}
        </div>
        <div className="grid min-w-0 gap-6">
          <FilePicker file={file} onPick={(picked) => anew(() => setFile(picked))} />
          <div>
            <Button
              variant="accent"
              disabled={!mayCheck}
              pending={check.isPending}
              onClick={() => file && check.start({ file, form, question: settled })}
            >
              {t('preflight.check')}
            </Button>
            {check.isPending && <UploadProgress part={check.sent} label={t('preflight.sending')} />}
          </div>
          <div aria-live="polite" className="min-w-0">
            {check.isPending && (
              <p className="text-ink-2">{t(check.sent < 1 ? 'preflight.sending' : 'preflight.checking')}</p>
            )}
            {check.error && (
              <p role="alert" className="text-danger">
                {errorMessage(check.error)}
              </p>
            )}
            {check.report && file && (
              <PreflightResult
                report={check.report}
                file={file.name}
                wanted={isPrinted && sheet ? { width: sheet.width, height: sheet.height } : undefined}
              />
            )}
          </div>
        </div>
      </div>
      <WhatIsChecked />
    </div>
  )
}
